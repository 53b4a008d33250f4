/** How to use a toolkit: the snippets of the console's Get started, and links that add it to MCP clients. */
import { html } from 'hono/html';
import { firstSentence } from '../catalog/answer/first-sentence';
import { claudeCommand, cursorLink, mcpServerOf, vsCodeLink } from '../snippets/client-links';
import type { ExampleCall, Snippet } from '../snippets/snippet';
import { AGENT_SNIPPETS } from '../snippets/snippets';
import type { Html } from './document';
import type { ShownAction } from './listings';
import { signatureParameters } from './signature';

/** A snippet for each stack, by label of its heading. */
const STACKS: Record<string, Pick<Snippet, 'id' | 'sdk'>> = {
  curl: { id: 'curl' },
  TypeScript: { id: 'ai', sdk: 'typescript' },
  Python: { id: 'openai', sdk: 'python' },
  Rust: { id: 'openai', sdk: 'rust' },
};
const SECRET = 'svc_agent_…';

export interface UseFacts {
  toolkitId: string;
  actions: readonly ShownAction[];
  origin: string;
  isStranger: boolean;
}

export function usePart({ toolkitId, actions, origin, isStranger }: UseFacts): Html {
  const server = mcpServerOf(origin, toolkitId);
  const newKey = `/keys?toolkit=${toolkitId}`;
  const [first] = actions;
  const example = first && exampleOf(first);
  return html`<h2>Use it</h2>
<p class="lead">An agent needs a key. ${
    isStranger
      ? html`<a href="/sign-in?from=${encodeURIComponent(newKey)}">Sign in</a> to make one that may call this toolkit alone.`
      : html`<a href="${newKey}">Make a key</a> that may call this toolkit alone.`
  }</p>
<h3>MCP clients</h3>
<p class="small dim">The client opens the sign-in of this service; its tools are the actions of this toolkit.</p>
<p class="buttons"><a class="button" href="${cursorLink(server)}">Add to Cursor</a><a class="button second" href="${vsCodeLink(server, 'vscode')}">Add to VS Code</a></p>
<p class="small">Claude Code:</p>
<pre>${claudeCommand(server)}</pre>
<p class="small">Claude.ai, ChatGPT and others take this address:</p>
<pre>${server.url}</pre>
${Object.entries(STACKS).map(([label, stack]) => snippetPart(label, stack, { origin, example }))}`;
}

function snippetPart(
  label: string,
  { id, sdk }: Pick<Snippet, 'id' | 'sdk'>,
  about: { origin: string; example: ExampleCall | undefined },
): Html {
  const snippet = AGENT_SNIPPETS.find((one) => one.id === id && one.sdk === sdk);
  if (!snippet) throw new Error(`No snippet ${id}`);
  const { note, install, code, run } = snippet;
  return html`<h3>${label}</h3>
<p class="small dim">${note}</p>
${install === undefined ? '' : html`<pre>${install}</pre>`}
<pre>${code(about.origin, SECRET, { example: about.example })}</pre>
${run === undefined ? '' : html`<pre>${run}</pre>`}`;
}

/** A call with a placeholder for each required text. Values of other types are left to the reader. */
function exampleOf({ id, description, payloadSchema }: ShownAction): ExampleCall {
  const required = signatureParameters(payloadSchema).filter((parameter) => parameter.required);
  const payload = Object.fromEntries(required.map(({ name }) => [name, '…']));
  const isOfTexts = required.every(({ type }) => type === 'string');
  // An apostrophe reads badly in a shell.
  const query = firstSentence(description).replaceAll("'", '').slice(0, 80);
  return { query, ...(isOfTexts && { call: { action: id, payload } }) };
}
