/** Calls that a rule of the service asks about: the chat reads so, the turn waits, and goes on by itself. */
import { type AskModel, messageText } from 'svc-sdk/agent';
import { expect, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { startOrders } from '../support/orders';
import { callActions, newestResults, type RunAgentOptions, runAgent, say, storePath } from '../support/run-agent';

const WAITING = 'A person has to approve this first. I will go on by myself when it is decided. Write /stop to end the wait.';

/** Deletes the orders that the message names, and repeats the outputs of the tools. */
const model: AskModel = async ({ messages }) => {
  const results = newestResults(messages);
  const ids = /^delete (.+)/.exec(messageText(messages.at(-1) ?? { role: 'user' }))?.[1]?.split(' ') ?? [];
  if (results.length > 0) return say(results.join());
  return ids.length > 0 ? callActions(...ids.map((id): [string, object] => ['orders__delete', { id: Number(id) }])) : say('Hello');
};

async function startChat(decidedBy: 'people' | 'app' = 'people', more: Partial<RunAgentOptions> = {}) {
  const orders = await startOrders(decidedBy);
  const [store, client] = [storePath(), new PipeClient()];
  const options = { clients: [client], model, store, apiKey: orders.apiKey, ...more };
  const agent = await runAgent(orders.service, options);
  return { ...orders, ...agent, client, options };
}

async function waitingChat(more: Partial<RunAgentOptions> = {}) {
  const chat = await startChat('people', more);
  chat.client.say('delete 7');
  await vi.waitFor(() => expect(chat.client.texts()).toEqual([WAITING]));
  return chat;
}

test('the chat reads so once, and the turn goes on by itself when people have approved', async () => {
  const { client, decide, deleted, events } = await waitingChat();
  client.say('yes');
  await decide({ decision: 'approve' });
  await vi.waitFor(() => expect(client.texts()).toEqual([WAITING, 'deleted 7', 'Hello']));
  expect(deleted).toEqual([7]);
  expect(events.filter(({ type }) => type === 'turn-start').length).toBeLessThanOrEqual(4);
});

test('people who refuse: the model reads their reason', async () => {
  const { client, decide, deleted } = await waitingChat();
  await decide({ decision: 'deny', reason: 'Not on a Friday' });
  await vi.waitFor(() => expect(client.texts()[1]).toContain('Not on a Friday'));
  expect([client.texts()[1], deleted]).toEqual([expect.stringContaining('APPROVAL_DENIED'), []]);
});

test('the wait survives a restart, and what was decided meanwhile holds', async () => {
  const { client, decide, deleted, service, stop, options } = await waitingChat();
  await stop();
  await decide({ decision: 'approve' });
  await runAgent(service, options);
  await vi.waitFor(() => expect(client.texts()).toEqual([WAITING, 'deleted 7']));
  expect(deleted).toEqual([7]);
});

test('a call that was refused while the agent was down does not run, and has no second question', async () => {
  const { client, decide, list, service, stop, options } = await waitingChat();
  await stop();
  await decide({ decision: 'deny', reason: 'no' });
  await runAgent(service, options);
  await vi.waitFor(() => expect(client.texts()[1]).toContain('APPROVAL_DENIED'));
  expect(await list()).toHaveLength(1);
});

test('two calls of one message wait for both decisions', async () => {
  const { client, decide, deleted } = await startChat();
  client.say('delete 7 8');
  await decide({ decision: 'deny', reason: 'keep one' });
  await decide({ decision: 'approve' });
  await vi.waitFor(() => expect(client.texts()[1]).toMatch(/APPROVAL_DENIED.*deleted|deleted.*APPROVAL_DENIED/));
  expect([client.texts().length, deleted.length]).toEqual([2, 1]);
});

test('/stop ends the wait', async () => {
  const { client } = await waitingChat();
  client.say('/stop');
  await vi.waitFor(() => expect(client.texts()).toEqual([WAITING, 'Stopped.']));
});

test('a rule that the app decides is asked about in the chat, and the answer decides the row', async () => {
  const { client, deleted, list } = await startChat('app');
  client.say('delete 7');
  await vi.waitFor(() => expect(client.texts()).toEqual(['May I do this?\norders__delete {"id":7}\nAnswer yes or no.']));
  client.say('yes');
  await vi.waitFor(() => expect(client.texts()[1]).toBe('deleted 7'));
  expect([deleted, await list()]).toEqual([[7], [expect.objectContaining({ status: 'used', decidedBy: 'app' })]]);
});

test("with approve: 'never' people elsewhere decide what a rule asks", async () => {
  const { client, decide } = await startChat('app', { approve: 'never' });
  client.say('delete 7');
  await vi.waitFor(() => expect(client.texts()).toEqual([WAITING]));
  await decide({ decision: 'approve' });
  await vi.waitFor(() => expect(client.texts()[1]).toBe('deleted 7'));
});
