import { html } from 'hono/html';
import type { ActionAnnotations } from '#sdk/protocol/http';
import type { Html } from './document';
import type { ShownAction } from './listings';
import type { Numbers } from './numbers';
import { signatureOf, signatureParameters } from './signature';
import { countOf, formatShare, readableMs, readablePrice } from './words';

const HINTS: Record<keyof ActionAnnotations, [yes: string, no?: string]> = {
  readOnly: ['read-only'],
  destructive: ['destructive', 'not destructive'],
  idempotent: ['idempotent'],
  openWorld: ['open world', 'own data only'],
};

export function actionsPart(actions: readonly ShownAction[], numbers: ReadonlyMap<string, Numbers>): Html {
  return html`<h2>${countOf(actions.length, 'action')}</h2>${actions.map((action) => actionPanel(action, numbers.get(action.id)))}`;
}

function actionPanel(action: ShownAction, numbers: Numbers | undefined): Html {
  const { id, name, title, description, payloadSchema, annotations, payment } = action;
  const parameters = signatureParameters(payloadSchema).filter((parameter) => parameter.description !== '');
  return html`<section class="panel" aria-labelledby="${id}">
<h3 id="${id}">${title ?? id}</h3>
<pre class="signature">${signatureOf(name, payloadSchema)}</pre>
<p>${description}</p>
${
  parameters.length === 0
    ? ''
    : html`<details><summary>${countOf(parameters.length, 'described parameter')}</summary><div class="scroll" tabindex="0" role="region" aria-label="Parameters of ${id}"><table><thead><tr><th scope="col">Parameter</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${parameters.map(
        (parameter) =>
          html`<tr><td><code>${parameter.name}</code></td><td>${parameter.type}${parameter.required ? ', required' : ''}</td><td>${parameter.description}</td></tr>`,
      )}</tbody></table></div></details>`
}
<div class="badges"><span class="badge">${payment ? `up to ${readablePrice(payment)}` : 'free'}</span>${hintsOf(annotations).map((hint) => html`<span class="badge">${hint}</span>`)}</div>
<p class="small dim">${numbersText(id, numbers)}</p>
</section>`;
}

function numbersText(id: string, numbers: Numbers | undefined): string {
  if (!numbers || numbers.success === undefined || numbers.p95Ms === undefined) return `${id} · not called in 30 days`;
  const { calls, success, p95Ms } = numbers;
  return `${id} · ${countOf(calls, 'call')} in 30 days · ${formatShare(success)} success · p95 ${readableMs(p95Ms)}`;
}

function hintsOf(annotations: ActionAnnotations): string[] {
  return Object.entries(HINTS).flatMap(([name, [yes, no]]) => {
    const value = annotations[name as keyof ActionAnnotations];
    const hint = value === undefined ? undefined : value ? yes : no;
    // Read-only implies not destructive.
    return hint === undefined || (hint === no && annotations.readOnly) ? [] : [hint];
  });
}
