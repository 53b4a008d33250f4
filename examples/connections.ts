/**
 * One app acts for two users, each with their own account at an API that checks tokens. Service, toolkit, API and app run in this process.
 *
 *   node examples/connections.ts
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ActionContext, SvcError, Toolkit, Tools } from 'svc-sdk';
import { createService } from 'svc-service';

/** Where your app keeps the tokens of its users. */
const tokenStore = new Map([
  ['ada', 'token-of-ada'],
  ['bob', 'token-of-bob'],
  // The API does not take this one.
  ['carol', 'token-that-ended'],
]);
const accounts = new Map([
  ['Bearer token-of-ada', { account: 'Ada Lovelace', notes: ['Buy cogs', 'Write to Charles'] }],
  ['Bearer token-of-bob', { account: 'Bob Noyce', notes: ['Order silicon'] }],
]);

const api = createServer(({ headers }, response) => {
  const found = accounts.get(headers.authorization ?? '');
  response.writeHead(found ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
});
await once(api.listen(0, '127.0.0.1'), 'listening');
const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/notes`;

const service = await createService({ port: 0 });
const [toolkitKey, agentKey] = await Promise.all([
  service.keys.create({ kind: 'toolkit', name: 'notes' }),
  service.keys.create({ kind: 'agent', name: 'app' }),
]);

const toolkit = new Toolkit({ apiKey: toolkitKey.key, baseUrl: service.url });
await toolkit.updateToolkit({ name: 'Notes', auth: { type: 'bearer', from: 'caller', help: 'A token of the notes API' } });
toolkit.action({ action: 'list_notes', actionDescription: "Lists the user's notes", annotations: { readOnly: true } }, async (ctx) => {
  const answer = await fetchNotes(ctx);
  if (answer.status === 401) return ctx.error('CONNECTION_REQUIRED', 'The notes API does not take this token');
  return ctx.result(await answer.json());
});
const running = toolkit.run();
await toolkit.ready;

const app = new Tools({
  apiKey: agentKey.key,
  baseUrl: service.url,
  connections: async (_toolkit, userId = '') => {
    const bearer = tokenStore.get(userId);
    return bearer === undefined ? undefined : { bearer };
  },
});
for (const user of ['ada', 'bob', 'carol', 'dora']) console.log(`${user}: ${await notesOf(user)}`);

await toolkit.stop();
await running;
await service.close();
api.close();

function fetchNotes({ connection, signal }: ActionContext): Promise<Response> {
  return fetch(apiUrl, { headers: { ...connection?.headers() }, signal });
}

async function notesOf(userId: string): Promise<string> {
  try {
    const { result } = await app.for({ userId }).invoke('notes__list_notes');
    return JSON.stringify(result);
  } catch (error) {
    if (!SvcError.is(error) || error.code !== 'CONNECTION_REQUIRED') throw error;
    return `connect an account first: ${error.details.connect?.help}`;
  }
}
