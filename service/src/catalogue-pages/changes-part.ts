/** The texts and schemas of a toolkit's actions by version, newest first. */
import { html } from 'hono/html';
import type { JsonSchema, Payment } from '#sdk/protocol/http';
import { isObject } from '#sdk/protocol/json-object';
import type { VersionText } from '../store/listing-store';
import type { Html } from './document';
import { signatureParameters } from './signature';
import { formatDate, readablePrice } from './words';

export const MAX_CHANGES = 100;

/** @param versions newest first */
export function changesPart(versions: readonly VersionText[]): Html {
  const byAction = Map.groupBy(versions, ({ name }) => name);
  const entries = versions.slice(0, MAX_CHANGES).map((version) => {
    const former = byAction.get(version.name)?.find(({ number }) => number === version.number - 1);
    return html`<li class="panel"><h3><code>${version.name}</code> ${whatChanged(version)}</h3>
<p class="small dim">${formatDate(version.at)}</p>${version.number === 1 ? '' : differences(former, version)}</li>`;
  });
  return html`<h2>Changes</h2>
${entries.length === 0 ? html`<p class="dim">No version is recorded yet. The service looks once a minute.</p>` : html`<ul class="plain">${entries}</ul>`}`;
}

function whatChanged({ number, text }: VersionText): string {
  if (text === null) return 'was removed';
  return number === 1 ? 'is here' : 'changed';
}

function differences(former: VersionText | undefined, { text }: VersionText): Html | string {
  if (text === null) return '';
  if (!former) return '';
  const [before, after] = [linesOf(former.text), linesOf(text)];
  const removed = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  if (removed.length + added.length === 0)
    return html`<p class="small">Only the shape of its result or details of its parameters changed.</p>`;
  return html`<pre>${removed.map(
    (line) => html`<del>- ${line}</del>
`,
  )}${added.map(
    (line) => html`<ins>+ ${line}</ins>
`,
  )}</pre>`;
}

/** The text as lines that a reader compares. */
function linesOf(text: string | null): string[] {
  const action: unknown = text === null ? undefined : JSON.parse(text);
  if (!isObject(action)) return [];
  const { title, description, payment, payloadSchema, annotations } = action;
  return [
    ...(typeof title === 'string' ? [`title: ${title}`] : []),
    ...(typeof description === 'string' ? description.split('\n') : []),
    ...(isObject(payment) ? [`price: ${readablePrice(payment as unknown as Payment)}`] : []),
    ...Object.entries(isObject(annotations) ? annotations : {}).map(([name, value]) => `${name}: ${String(value)}`),
    ...signatureParameters((isObject(payloadSchema) ? payloadSchema : {}) as JsonSchema).map(
      (parameter) =>
        `${parameter.name}: ${parameter.type}${parameter.required ? ', required' : ''}${parameter.description === '' ? '' : `: ${parameter.description}`}`,
    ),
  ];
}
