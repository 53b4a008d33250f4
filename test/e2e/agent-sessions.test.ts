/** An agent's chat in the console. */
import { type AskModel, messageText } from 'svc-sdk/agent';
import { expect, test, vi } from 'vitest';
import { ADMIN_PATHS, type SessionPage } from '../../src/protocol/admin';
import { PipeClient } from '../support/agent';
import { startConsole } from '../support/console-service';
import { callActions, newestResults, runAgent, say } from '../support/run-agent';

/** Searches and deletes; a later `again` deletes without a search. */
const model: AskModel = async ({ messages }) => {
  const [result = ''] = newestResults(messages);
  if (result.includes('orders__delete')) return callActions(['orders__delete', { id: 7 }]);
  if (result !== '') return say(result);
  if (messageText(messages.at(-1) ?? { role: 'user' }) === 'again') return callActions(['orders__delete', { id: 8 }]);
  const search = { name: 'search_services', arguments: '{"query":"deletes an order"}' };
  return { role: 'assistant', content: null, tool_calls: [{ id: 'call_0', type: 'function', function: search }] };
};

test('a call contains the id of its search, also after an approval and in a later turn, until /new', async () => {
  const { owner, ...service } = await startConsole();
  await service.toolkit('orders', (toolkit) =>
    toolkit.action(
      {
        action: 'delete',
        actionDescription: 'Deletes an order',
        payloadDescription: { id: { type: 'integer', required: true } },
        annotations: { destructive: true },
      },
      (_ctx, { id }) => `deleted ${id}`,
    ),
  );
  const client = new PipeClient();
  await runAgent(service, { clients: [client], model });
  for (const [text, replies] of [
    ['delete order 7', 1],
    ['yes', 2],
    ['again', 3],
    ['yes', 4],
    ['/new', 5],
    ['again', 6],
    ['yes', 7],
  ] as const) {
    client.say(text);
    await vi.waitFor(() => expect(client.texts()).toHaveLength(replies));
  }
  expect(client.texts().filter((text) => text.startsWith('deleted'))).toEqual(['deleted 7', 'deleted 8', 'deleted 8']);

  const read = () => owner.json<SessionPage>('GET', `${ADMIN_PATHS.sessions}/${encodeURIComponent('pipe/chat')}`);
  await expect.poll(async () => (await read()).entries.length).toBe(4);
  const [search, ...calls] = (await read()).entries;
  expect(search).toMatchObject({ kind: 'search', user: 'pipe/ann', shown: ['orders__delete'] });
  const searchId = search?.kind === 'search' ? search.id : '';
  expect(calls.map((entry) => entry.kind === 'call' && entry.call.search)).toEqual([searchId, searchId, undefined]);
});
