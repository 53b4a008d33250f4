import { DatabaseSync } from 'node:sqlite';
import { type AgentOptions, type AskModel, messageText } from 'svc-sdk/agent';
import { expect, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { ButtonClient } from '../support/button-client';
import { startLossyProxy } from '../support/lossy-proxy';
import { callActions, newestResults, runAgent, say, storePath } from '../support/run-agent';
import { startService, type TestService } from '../support/service';

const QUESTION = 'May I do this?\norders__delete {"id":7}\nAnswer yes or no.';

/** Deletes the order if the message requests it, and repeats the outputs of the tools. */
const model: AskModel = async ({ messages }) => {
  const results = newestResults(messages);
  const [, id] = /^delete (\d+)/.exec(messageText(messages.at(-1) ?? { role: 'user' })) ?? [];
  if (results.length > 0) return say(results.join());
  return id ? callActions(['orders__delete', { id: Number(id) }]) : say('Hello');
};

async function shop(): Promise<{ service: TestService; deleted: number[] }> {
  const service = await startService();
  const deleted: number[] = [];
  await service.toolkit('orders', (toolkit) =>
    toolkit.action(
      {
        action: 'delete',
        actionDescription: 'Deletes an order',
        payloadDescription: { id: { type: 'integer', required: true } },
        annotations: { destructive: true },
      },
      (_ctx, { id }) => {
        deleted.push(Number(id));
        return `deleted ${id}`;
      },
    ),
  );
  return { service, deleted };
}

async function askedAgent(options: Pick<AgentOptions, 'owners' | 'store'> = {}) {
  const { service, deleted } = await shop();
  const client = new PipeClient();
  const agent = await runAgent(service, { clients: [client], model, ...options });
  client.say('delete 7');
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION]));
  return { ...agent, service, client, deleted };
}

test('a destructive action runs after the yes of the person who wrote', async () => {
  const { client, deleted } = await askedAgent();
  client.say('yes', { userId: 'bob' });
  client.say('hi');
  client.say(' Yes. ');
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION, 'deleted 7', 'Hello', 'Hello']));
  expect(deleted).toEqual([7]);
});

test('a no reaches the model as the result of the call', async () => {
  const { client, deleted } = await askedAgent();
  client.say('no');
  await vi.waitFor(() => expect(client.texts()[1]).toContain('NOT_APPROVED'));
  expect(deleted).toEqual([]);
});

test('an owner answers for the person who wrote', async () => {
  const { client, deleted } = await askedAgent({ owners: ['pipe/boss'] });
  client.say('yes', { userId: 'boss' });
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION, 'deleted 7']));
  expect(deleted).toEqual([7]);
});

test('a yes that the platform delivers twice answers once', async () => {
  const { client, deleted } = await askedAgent();
  client.say('yes', { messageId: 'same' });
  client.say('yes', { messageId: 'same' });
  client.say('hi');
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION, 'deleted 7', 'Hello']));
  expect(deleted).toEqual([7]);
});

test('the question survives a restart, and is sent once', async () => {
  const store = storePath();
  const { stop, service, deleted } = await askedAgent({ store });
  await stop();
  const client = new PipeClient('pipe');
  client.cursor = 0;
  await runAgent(service, { clients: [client], model, store });
  // The cursor of the first client has passed one message.
  client.say('never received');
  client.say('yes');
  await vi.waitFor(() => expect(client.texts()).toEqual(['deleted 7']));
  expect(deleted).toEqual([7]);
});

test('ten minutes of silence are a no', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const store = storePath();
  const { stop, service, deleted } = await askedAgent({ store });
  await stop();
  vi.setSystemTime(Date.now() + 10 * 60_000);
  const client = new PipeClient('pipe');
  await runAgent(service, { clients: [client], model, store });
  await vi.waitFor(() => expect(client.texts()[0]).toContain('NOT_APPROVED'));
  expect(deleted).toEqual([]);
});

test('a process that lost the client leaves the question to the other, also when its time is up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const store = storePath();
  const { events } = await askedAgent({ store });
  using database = new DatabaseSync(store);
  // The other process keeps it.
  database.exec(`UPDATE svc_client SET owner = 'other';
    CREATE TRIGGER other_process BEFORE UPDATE ON svc_client BEGIN SELECT RAISE(IGNORE); END`);
  await vi.advanceTimersByTimeAsync(5_000);
  await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'client-state', clientId: 'pipe', state: 'waiting' }));
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(events.at(-1)).toEqual({ type: 'client-state', clientId: 'pipe', state: 'waiting' });
  expect(database.prepare('SELECT state FROM svc_turn').all()).toEqual([{ state: 'asking' }]);
});

test('a function decides in place of the person; its error declines', async () => {
  const { service, deleted } = await shop();
  const client = new PipeClient();
  const approve = vi.fn((_ctx, { payload }) => {
    if (payload.id === 9) throw new Error('no idea');
    return payload.id === 7;
  });
  const { events } = await runAgent(service, { clients: [client], model, approve });
  for (const id of [7, 8, 9]) client.say(`delete ${id}`);
  await vi.waitFor(() => expect(client.texts()).toHaveLength(3));
  expect(deleted).toEqual([7]);
  expect(events).toContainEqual({ type: 'handler-error', handler: 'approve', error: new Error('no idea') });
});

test.each(['ask', 'never', () => false] as const)(
  'an action that the model calls by its own name does not run: approve is %s',
  async (approve) => {
    const { service, deleted } = await shop();
    const client = new PipeClient();
    const byItsName: AskModel = async ({ messages }) => {
      const results = newestResults(messages);
      if (results.length > 0) return say(results.join());
      const called = { name: 'orders__delete', arguments: '{"id":7}' };
      return { role: 'assistant', content: null, tool_calls: [{ id: 'call_0', type: 'function', function: called }] };
    };
    await runAgent(service, { clients: [client], model: byItsName, approve });
    client.say('delete 7');
    await vi.waitFor(() => expect(client.texts()).toHaveLength(1));
    expect(JSON.parse(client.texts()[0] ?? '')).toEqual({
      error: {
        code: 'UNKNOWN_TOOL',
        message: 'There is no tool "orders__delete". Find actions with search_services, run one with invoke_service.',
        retryable: false,
      },
    });
    expect(deleted).toEqual([]);
  },
);

test('a yes is not for a call of which the service could not say whether it needs approval', async () => {
  const { service, deleted } = await shop();
  const client = new PipeClient();
  const twoOrders: AskModel = async ({ messages }) => {
    const results = newestResults(messages);
    return results.length > 0 ? say(results.join('\n')) : callActions(['orders__delete', { id: 7 }], ['orders__delete', { id: 8 }]);
  };
  const isLost = ({ url, body }: { url: string; body: string }) => url === '/v1/resolve' && body.includes('"id":8');
  await runAgent(service, { clients: [client], model: twoOrders, baseUrl: await startLossyProxy(service.url, isLost) });
  client.say('delete both');
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION]));
  client.say('yes');
  await vi.waitFor(() => expect(client.texts()).toHaveLength(2));
  expect(client.texts()[1]).toMatch(/^deleted 7\n\{"error":\{"code":"SERVICE_UNREACHABLE"/);
  expect(deleted).toEqual([7]);
});

test('the question shows each member of a long payload, and no character that a screen does not show', async () => {
  const service = await startService();
  await service.toolkit('mail', (toolkit) =>
    toolkit.action({ action: 'send', actionDescription: 'Sends a mail', annotations: { destructive: true } }, () => 'sent'),
  );
  const client = new PipeClient();
  const payload = { text: `${'x'.repeat(5_000)}\u202e`, to: 'ann\u202e@example.com\u200b' };
  await runAgent(service, { clients: [client], model: async () => callActions(['mail__send', payload]) });
  client.say('send it');
  await vi.waitFor(() => expect(client.texts()).toHaveLength(1));
  const [, call] = client.texts()[0]?.split('\n') ?? [];
  expect(call).toMatch(/^mail__send \{"text":"x{2900,3000}"… 2\d\d\d more,"to":"ann\\u202e@example\.com\\u200b"\}$/);
});

test('/new ends the question too', async () => {
  const { client, deleted } = await askedAgent();
  client.say('/new');
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION, 'A new conversation. I no longer read what came before.']));
  expect(deleted).toEqual([]);
});

test('a stop ends the question', async () => {
  const { client, deleted, events } = await askedAgent();
  client.say('/stop');
  client.say('yes');
  await vi.waitFor(() => expect(client.texts()).toEqual([QUESTION, 'Stopped.', 'Hello']));
  expect(deleted).toEqual([]);
  expect(events).toContainEqual(expect.objectContaining({ type: 'turn-end', code: 'stopped' }));
});

/** A client with buttons. */
test.each(['/stop', '/new'])('%s takes the buttons of the question away', async (command) => {
  const { service, deleted } = await shop();
  const client = new ButtonClient();
  await runAgent(service, { clients: [client], model });
  client.say('delete 7');
  await vi.waitFor(() => expect(client.asked).toHaveLength(1));
  client.say(command);
  await vi.waitFor(() => expect(client.ended).toEqual([[{ id: 'question-1' }, 'May I do this?\norders__delete {"id":7}\nNot approved.']]));
  expect(deleted).toEqual([]);
});

test('a press that is quicker than the answer of the platform counts, and the buttons are taken away', async () => {
  const { service, deleted } = await shop();
  const client = new ButtonClient();
  const answered = Promise.withResolvers<void>();
  const ask = client.askApproval.bind(client);
  vi.spyOn(client, 'askApproval').mockImplementation(async (ctx, question) => {
    const shown = await ask(ctx, question);
    await answered.promise;
    return shown;
  });
  const store = storePath();
  await runAgent(service, { clients: [client], model, store });
  client.say('delete 7');
  await vi.waitFor(() => expect(client.asked).toHaveLength(1));
  client.say('', { answer: { questionId: client.asked[0]?.id ?? '', approved: true } });
  // Messages of a client are stored sequentially.
  client.say('hi', { chatId: 'other' });
  await vi.waitFor(() => expect(client.texts('other')).toEqual(['Hello']));
  answered.resolve();
  await vi.waitFor(() => expect(client.texts()).toEqual(['deleted 7']));
  expect(client.ended).toEqual([[{ id: 'question-1' }, 'May I do this?\norders__delete {"id":7}\nApproved.']]);
  expect(deleted).toEqual([7]);
});
