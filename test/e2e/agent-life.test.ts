import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Agent, type AgentEvent, type AskModel, messageText } from 'svc-sdk/agent';
import { expect, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { runAgent, say, storePath } from '../support/run-agent';
import { startService } from '../support/service';

const echo: AskModel = async ({ messages }) => say(`You: ${messageText(messages.at(-1) ?? { role: 'user' })}`);

/** A client that cannot start. */
class RefusedClient extends PipeClient {
  override async start(): Promise<void> {
    throw new Error('The platform refuses the token: make a new one');
  }
}

test('run() names the missing option', async () => {
  vi.stubEnv('SVC_AGENT_API_KEY', '');
  vi.stubEnv('SVC_MODEL', '');
  const agent = new Agent({ store: ':memory:' });
  await expect(agent.run()).rejects.toThrow('The agent has no client');
  agent.addClient(new PipeClient());
  await expect(agent.run()).rejects.toThrow("No model: set SVC_MODEL, or call agent.setModel('default', 'provider/model')");
  agent.setModel('default', 'openai/gpt-5-mini');
  await expect(agent.run()).rejects.toThrow('No agent key. Set SVC_AGENT_API_KEY');
  expect(() => agent.addClient(new PipeClient())).toThrow('a client pipe already');
});

test('run() rejects when a client cannot start, after the others were stopped', async () => {
  const service = await startService();
  const good = new PipeClient('good');
  const stopped = vi.spyOn(good, 'stop');
  const { running } = await runAgent(service, { clients: [good, new RefusedClient('bad')], model: echo });
  await expect(running).rejects.toThrow('The client bad cannot start: The platform refuses the token: make a new one');
  expect(stopped).toHaveBeenCalled();
});

test('run() rejects with what onEvent throws, and the turn at work ends as it would', async () => {
  const service = await startService();
  const store = storePath();
  const client = new PipeClient();
  const onEvent = ({ type }: AgentEvent) => {
    if (type === 'turn-start') throw new Error('The log is full');
  };
  const { running } = await runAgent(service, { clients: [client], model: echo, store, onEvent });
  client.say('a');
  await expect(running).rejects.toThrow('The log is full');
  // A turn at work gets the time to end.
  expect(client.texts()).toEqual(['You: a']);
});

test('a client that ends later leaves the others at work; the last one ends the agent', async () => {
  const service = await startService();
  const clients = [new PipeClient('one'), new PipeClient('two')] as const;
  const fail = clients.map((client) => {
    const failing = Promise.withResolvers<never>();
    const receive = client.receiveMessage.bind(client);
    vi.spyOn(client, 'receiveMessage').mockImplementation((options) => Promise.race([receive(options), failing.promise]));
    return () => failing.reject(new Error(`${client.clientId} was closed`));
  });
  const { running, events } = await runAgent(service, { clients: [...clients], model: echo });
  await vi.waitFor(() => expect(events).toHaveLength(2));
  fail[0]?.();
  await vi.waitFor(() =>
    expect(events).toContainEqual(expect.objectContaining({ type: 'client-state', clientId: 'one', state: 'failed' })),
  );
  clients[1].say('still here?');
  await vi.waitFor(() => expect(clients[1].texts()).toEqual(['You: still here?']));
  fail[1]?.();
  await expect(running).rejects.toThrow('two was closed');
});

test('a second process waits for the client, and has it when the first ends', async () => {
  const service = await startService();
  const store = storePath();
  const one = new PipeClient();
  const two = new PipeClient();
  const first = await runAgent(service, { clients: [one], model: echo, store });
  one.say('a');
  await vi.waitFor(() => expect(one.texts()).toEqual(['You: a']));
  const second = await runAgent(service, { clients: [two], model: echo, store });
  two.say('a');
  two.say('b');
  await vi.waitFor(() => expect(second.events).toEqual([{ type: 'client-state', clientId: 'pipe', state: 'waiting' }]));
  await first.stop();
  await vi.waitFor(() => expect(two.texts()).toEqual(['You: b']));
});

test('a process that lost the client leaves its turns to the other', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const service = await startService();
  const store = storePath();
  const client = new PipeClient();
  const model = vi.fn<AskModel>(() => new Promise(() => {}));
  const { events } = await runAgent(service, { clients: [client], model, store, maxConcurrentTurns: 1 });
  client.say('a');
  await vi.waitFor(() => expect(model).toHaveBeenCalledOnce());
  // This turn waits for the slot.
  client.say('b', { chatId: 'b' });
  await vi.waitFor(() => expect(countTurns(store)).toBe(2));
  const database = new DatabaseSync(store);
  database.exec(`UPDATE svc_client SET owner = 'other', lease_until = ${Date.now() + 20_000}`);
  await vi.advanceTimersByTimeAsync(5_000);
  await vi.waitFor(() => expect(events.at(-1)).toEqual({ type: 'client-state', clientId: 'pipe', state: 'waiting' }));
  expect(database.prepare('SELECT state FROM svc_turn ORDER BY seq').all()).toEqual([{ state: 'running' }, { state: 'queued' }]);
  expect(model).toHaveBeenCalledOnce();
  database.close();
});

function countTurns(store: string): unknown {
  using database = new DatabaseSync(store);
  return database.prepare('SELECT count(*) AS turns FROM svc_turn').get()?.turns;
}

test.each([
  ['that has run out', -1],
  ['of a clock that was set back since', 3_600_000],
])('a lease %s does not keep the client', async (_, offset) => {
  const service = await startService();
  const store = storePath();
  const { stop } = await runAgent(service, { clients: [new PipeClient()], model: echo, store });
  await stop();
  const database = new DatabaseSync(store);
  database.exec(`UPDATE svc_client SET owner = 'gone', lease_until = ${Date.now() + offset}`);
  database.close();
  const client = new PipeClient();
  await runAgent(service, { clients: [client], model: echo, store });
  client.say('a');
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: a']));
});

test('an `accept` that never settles does not delay the stop, and its message is received again', async () => {
  const service = await startService();
  const store = storePath();
  const client = new PipeClient();
  const accept = vi.fn(() => new Promise<boolean>(() => {}));
  const { stop } = await runAgent(service, { clients: [client], model: echo, store, accept });
  client.say('a');
  await vi.waitFor(() => expect(accept).toHaveBeenCalledOnce());
  await stop();
  const next = new PipeClient();
  next.say('a');
  await runAgent(service, { clients: [next], model: echo, store });
  await vi.waitFor(() => expect(next.texts()).toEqual(['You: a']));
});

test('open turns of a stopped agent resume at the next start', async () => {
  const service = await startService();
  const store = storePath();
  const release = Promise.withResolvers<void>();
  const one = new PipeClient();
  const first = await runAgent(service, {
    clients: [one],
    store,
    model: async (request) => {
      await release.promise;
      return echo(request);
    },
  });
  for (const chatId of ['a', 'b']) one.say(chatId, { chatId });
  await vi.waitFor(() => expect(first.events.filter(({ type }) => type === 'turn-start')).toHaveLength(2));
  const stopped = first.stop();
  release.resolve();
  await stopped;
  // A turn at work gets the time to end.
  expect(one.sent.map(({ text }) => text)).toEqual(['You: a', 'You: b']);
});

test('a turn that outlives the grace period stays open for the next start', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const service = await startService();
  const store = storePath();
  const one = new PipeClient();
  const first = await runAgent(service, { clients: [one], store, model: () => new Promise(() => {}) });
  one.say('a');
  await vi.waitFor(() => expect(first.events).toContainEqual(expect.objectContaining({ type: 'turn-start' })));
  const stopped = first.stop();
  await vi.advanceTimersByTimeAsync(25_000);
  await stopped;
  expect(one.texts()).toEqual([]);
  vi.useRealTimers();
  const two = new PipeClient();
  await runAgent(service, { clients: [two], store, model: echo });
  await vi.waitFor(() => expect(two.texts()).toEqual(['You: a']));
});

test('the fourth start without progress, and a message older than 12 hours, end the turn', async () => {
  const service = await startService();
  const store = storePath();
  const { stop } = await runAgent(service, { clients: [new PipeClient()], model: echo, store });
  await stop();
  const database = new DatabaseSync(store);
  const add = database.prepare(
    "INSERT INTO svc_turn (id, agent_id, client_id, chat_id, ctx, state, attempts, at) VALUES (?, '', 'pipe', ?, ?, 'queued', ?, ?)",
  );
  const ctx = (chat: string) => JSON.stringify({ chat_id: chat, user_id: 'ann', message: 'hi' });
  add.run('turn_1', 'a', ctx('a'), 3, Date.now());
  add.run('turn_2', 'b', ctx('b'), 0, Date.now() - 13 * 3_600_000);
  add.run('turn_3', 'c', ctx('c'), 2, Date.now());
  database.close();
  const client = new PipeClient();
  await runAgent(service, { clients: [client], model: echo, store });
  const failed = 'Something went wrong, and I could not finish that. Please try again.';
  await vi.waitFor(() => expect([client.texts('a'), client.texts('b'), client.texts('c')]).toEqual([[failed], [failed], ['You: hi']]));
});

test('a store that cannot be written ends the agent, and nothing is taken in', async () => {
  const service = await startService();
  const store = storePath();
  const client = new PipeClient();
  const { running } = await runAgent(service, { clients: [client], model: echo, store });
  client.say('a');
  await vi.waitFor(() => expect(client.texts()).toEqual(['You: a']));
  const other = new DatabaseSync(store);
  other.exec('BEGIN IMMEDIATE');
  client.say('b');
  await expect(running).rejects.toThrow(`The agent's store ${store} cannot be used: another process has locked it; stop that process`);
  other.exec('ROLLBACK');
  expect(other.prepare('SELECT count(*) AS turns FROM svc_turn').get()).toEqual({ turns: 1 });
  // The lease could not be released either, and would expire.
  other.exec('UPDATE svc_client SET owner = NULL');
  other.close();
  const next = new PipeClient();
  await runAgent(service, { clients: [next], model: echo, store });
  next.say('a');
  next.say('b');
  await vi.waitFor(() => expect(next.texts()).toEqual(['You: b']));
});

test('the store is for its owner alone, and a wrong address is refused at once', async () => {
  const store = storePath();
  new Agent({ store }).setPrompt('system', 'private');
  expect(statSync(store).mode & 0o777).toBe(0o600);
  expect(() => new Agent({ store, maxCallsPerStep: 0 })).toThrow('maxCallsPerStep must be a whole number from 1 to 1000, not 0');
  expect(() => new Agent({ store, baseUrl: 'tools.example.com' })).toThrow('baseUrl (or SVC_BASE_URL) is not an http(s) URL');
  expect(() => new Agent({ store: '/nowhere/agent.db' }).getPrompt('system')).toThrow('it cannot be opened; create its folder');
});

test('a file of a newer version, and one that is not a database, are refused with words', async () => {
  const store = storePath();
  const newer = new DatabaseSync(store);
  newer.exec('PRAGMA user_version = 2');
  newer.close();
  expect(() => new Agent({ store }).getPrompt('system')).toThrow('was written by a newer version of svc-sdk');
  expect(() => new Agent({ store: import.meta.filename }).getPrompt('system')).toThrow('it is not a SQLite database; name another file');
});

test('finished turns are deleted after the days that are set', async () => {
  const service = await startService();
  const store = storePath();
  const client = new PipeClient();
  const { stop } = await runAgent(service, { clients: [client], model: echo, store });
  client.say('a');
  await vi.waitFor(() => expect(client.texts()).toHaveLength(1));
  await stop();
  const count = () => {
    const database = new DatabaseSync(store);
    const { turns, messages } = database
      .prepare('SELECT (SELECT count(*) FROM svc_turn) AS turns, (SELECT count(*) FROM svc_message) AS messages')
      .get() as {
      turns: number;
      messages: number;
    };
    database.close();
    return { turns, messages };
  };
  expect(count()).toEqual({ turns: 1, messages: 2 });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 });
  const next = await runAgent(service, { clients: [new PipeClient()], model: echo, store, retentionDays: 2 });
  await vi.waitFor(() => expect(next.events).toHaveLength(1));
  expect(count()).toEqual({ turns: 0, messages: 0 });
});
