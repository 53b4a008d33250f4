// @module-tag postgres
// @module-tag nats
/** Calls that wait for a free process of a toolkit: no agent key can keep the others from their turn. */
import type { ServiceOptions } from 'svc-service';
import { expect, test, vi } from 'vitest';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

interface Outcome {
  status: number;
  body: { code?: string; detail?: string; retryable?: boolean; result?: unknown };
}

interface Invoke {
  id: string;
  params: { agentId: string; payload: { number: number } };
}

/** A service with a toolkit that runs one call at a time, which the test answers. */
async function openWorkshop(limits: ServiceOptions['limits'] = {}) {
  return workshopAt(await startService({ metrics: true, limits }));
}

async function workshopAt(service: TestService) {
  const toolkit = await RawToolkit.connect(service);
  const actions = ['work', 'rest'].map((action) => ({ action, actionDescription: `Does some ${action}` }));
  await toolkit.register(actions, { concurrency: 1 });
  const create = (name: string) => service.keys.create({ kind: 'agent', name });
  const agents = await Promise.all([create('greedy'), create('modest'), create('third')]);
  return { service, toolkit, agents };
}

interface Agent {
  id: string;
  key: string;
}

async function queued(service: TestService): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^svc_calls_queued (\d+)/m.exec(text)?.[1]);
}

async function call(service: TestService, apiKey: string, number: number, init: RequestInit = {}): Promise<Outcome> {
  const answer = await fetch(`${service.url}/v1/invoke`, {
    method: 'POST',
    body: JSON.stringify({ action: 'raw__work', payload: { number } }),
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...init.headers },
  });
  return { status: answer.status, body: (await answer.json()) as Outcome['body'] };
}

// @module-tag postgres
// @module-tag nats
/** Calls that wait one behind the other, in the order of their numbers. */
async function enqueue(service: TestService, apiKey: string, count: number): Promise<Promise<Outcome>[]> {
  const calls: Promise<Outcome>[] = [];
  for (let number = 0; number < count; number++) {
    const before = await queued(service);
    calls.push(call(service, apiKey, number));
    await vi.waitFor(async () => expect(await queued(service)).toBe(before + 1), { interval: 5 });
  }
  return calls;
}

/** Fills the only place of the toolkit. */
async function occupy(service: TestService, toolkit: RawToolkit, agent: Agent): Promise<void> {
  void call(service, agent.key, -1).catch(() => {});
  await toolkit.invoked();
}

/** Answers call after call; returns who ran what, in order, without the call that was there first. */
async function answerAll(toolkit: RawToolkit, count: number, agents: readonly Agent[]): Promise<string[]> {
  const ran: string[] = [];
  for (let index = 0; index <= count; index++) {
    const { id, params } = (await toolkit.invoked(index)) as unknown as Invoke;
    if (index > 0) ran.push(`${agents.findIndex((agent) => agent.id === params.agentId)}:${params.payload.number}`);
    toolkit.send({ jsonrpc: '2.0', id, result: 'done' });
  }
  return ran;
}

test('waiting calls run round robin by agent key, those of one key in their order', async () => {
  const { service, toolkit, agents } = await openWorkshop();
  const [greedy, modest, third] = agents;
  await occupy(service, toolkit, greedy);
  const calls = [
    ...(await enqueue(service, greedy.key, 6)),
    ...(await enqueue(service, modest.key, 2)),
    ...(await enqueue(service, third.key, 1)),
  ];
  expect(await answerAll(toolkit, 9, agents)).toEqual(['0:0', '1:0', '2:0', '0:1', '1:1', '0:2', '0:3', '0:4', '0:5']);
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(9).fill(200));
});

test('in a full queue the newest call of the key with the most calls is replaced by one of a key with fewer', async () => {
  const { service, toolkit, agents } = await openWorkshop({ queueLength: 5 });
  const [greedy, modest] = agents;
  await occupy(service, toolkit, greedy);
  const queue = await enqueue(service, greedy.key, 5);
  const own = await call(service, greedy.key, 5);
  expect(own).toMatchObject({ status: 503, body: { code: 'QUEUE_FULL', retryable: true } });

  const modestCalls = [call(service, modest.key, 0)];
  const dropped = await queue.at(-1);
  expect(dropped).toMatchObject({ status: 503, body: { code: 'QUEUE_FULL', retryable: true } });
  expect(dropped?.body.detail).toContain('dropped for a call of another key');
  expect(await queued(service)).toBe(5);

  modestCalls.push(call(service, modest.key, 1));
  expect(await queue.at(-2)).toMatchObject({ body: { code: 'QUEUE_FULL' } });
  // Three and two: one more of the key with two would only turn them around.
  expect(await call(service, modest.key, 2)).toMatchObject({ body: { code: 'QUEUE_FULL' } });

  expect(await answerAll(toolkit, 5, agents)).toEqual(['0:0', '1:0', '0:1', '1:1', '0:2']);
  expect((await Promise.all([...queue.slice(0, 3), ...modestCalls])).map(({ status }) => status)).toEqual(Array(5).fill(200));
});

test('a call that gave way did not run: a retry with its idempotency key runs it once', async () => {
  const { service, toolkit, agents } = await openWorkshop({ queueLength: 2 });
  const [greedy, modest] = agents;
  await occupy(service, toolkit, greedy);
  const first = await enqueue(service, greedy.key, 1);
  const headers = { 'idempotency-key': 'order-1' };
  const keyed = call(service, greedy.key, 7, { headers });
  await vi.waitFor(async () => expect(await queued(service)).toBe(2));
  const other = call(service, modest.key, 0);
  expect(await keyed).toMatchObject({ body: { code: 'QUEUE_FULL', retryable: true } });
  expect(await answerAll(toolkit, 2, agents)).toEqual(['0:0', '1:0']);
  await Promise.all([...first, other]);

  const retry = call(service, greedy.key, 7, { headers });
  const again = (await toolkit.invoked(3)) as unknown as Invoke;
  toolkit.send({ jsonrpc: '2.0', id: again.id, result: 'once' });
  expect(await retry).toMatchObject({ status: 200, body: { result: 'once' } });
});

test('agent tokens of one key have one share together, for all users', async () => {
  const { service, toolkit, agents } = await openWorkshop();
  const [greedy, modest] = agents;
  const tokens = await Promise.all(
    ['ann', 'bob', 'eve'].map(async (userId) => {
      const answer = await fetch(`${service.url}/v1/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${greedy.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ttlSeconds: 600, userId }),
      });
      return ((await answer.json()) as { token: string }).token;
    }),
  );
  await occupy(service, toolkit, greedy);
  for (const token of tokens) await enqueue(service, token, 1);
  await enqueue(service, modest.key, 2);
  expect(await answerAll(toolkit, 5, agents)).toEqual(['0:0', '1:0', '0:0', '1:1', '0:0']);
});

test('calls by /mcp take their turns with all others', async () => {
  const { service, toolkit, agents } = await openWorkshop();
  const [greedy, modest] = agents;
  await occupy(service, toolkit, greedy);
  await enqueue(service, greedy.key, 3);
  const params = { name: 'invoke_service', arguments: { action: 'raw__work', payload: { number: 9 } } };
  const viaMcp = fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${modest.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  await vi.waitFor(async () => expect(await queued(service)).toBe(4));
  expect(await answerAll(toolkit, 4, agents)).toEqual(['0:0', '1:9', '0:1', '0:2']);
  expect(await (await viaMcp).text()).toContain('done');
});

test('callers that leave the queue leave no trace in it', async () => {
  const { service, toolkit, agents } = await openWorkshop({ queueLength: 4 });
  const [greedy, modest, third] = agents;
  await occupy(service, toolkit, greedy);
  const leaving = new AbortController();
  const left = Array.from({ length: 4 }, (_, number) => call(service, greedy.key, number, { signal: leaving.signal }));
  await vi.waitFor(async () => expect(await queued(service)).toBe(4));
  leaving.abort();
  await Promise.allSettled(left);
  await vi.waitFor(async () => expect(await queued(service)).toBe(0));
  await enqueue(service, modest.key, 3);
  await enqueue(service, third.key, 1);
  expect(await answerAll(toolkit, 4, agents)).toEqual(['1:0', '2:0', '1:1', '1:2']);
});

test('waiting calls of an action that no process offers any more are refused, also while other calls wait', async () => {
  const { service, toolkit, agents } = await openWorkshop();
  const [greedy, modest] = agents;
  await occupy(service, toolkit, greedy);
  const queue = await enqueue(service, greedy.key, 2);
  const body = JSON.stringify({ action: 'raw__rest', payload: { number: 5 } });
  const rest = call(service, modest.key, 5, { body });
  await vi.waitFor(async () => expect(await queued(service)).toBe(3));
  await toolkit.register([{ action: 'rest', actionDescription: 'Does some rest' }], { concurrency: 1 });
  for (const { body } of await Promise.all(queue)) expect(body).toMatchObject({ code: 'TOOLKIT_OFFLINE' });
  expect(await answerAll(toolkit, 1, agents)).toEqual(['1:5']);
  expect(await rest).toMatchObject({ status: 200 });
});

test('calls of other actions do not hold up a key whose action has a free process', async () => {
  const { service, toolkit, agents } = await openWorkshop();
  const [greedy, modest] = agents;
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'raw', toolkit: 'raw' });
  await occupy(service, toolkit, greedy);
  const restCalls = Array.from({ length: 3 }, (_, number) =>
    call(service, greedy.key, number, { body: JSON.stringify({ action: 'raw__work', payload: { number } }) }),
  );
  await vi.waitFor(async () => expect(await queued(service)).toBe(3));
  const second = await RawToolkit.connect(service, key);
  await second.register([{ action: 'rest', actionDescription: 'Does some rest' }], { instance: 'second-instance', concurrency: 1 });
  const rest = call(service, modest.key, 1, { body: JSON.stringify({ action: 'raw__rest', payload: { number: 1 } }) });
  const { id } = await second.invoked();
  second.send({ jsonrpc: '2.0', id, result: 'rested' });
  expect(await rest).toMatchObject({ status: 200, body: { result: 'rested' } });
  expect(await answerAll(toolkit, 3, agents)).toEqual(['0:0', '0:1', '0:2']);
  await Promise.all(restCalls);
});

test('calls that another node forwards take turns with those of the node that has the toolkit', async () => {
  const [here, there] = (await startNodes(2, { metrics: true, limits: { queueLength: 4 } })) as [TestService, TestService];
  const { toolkit, agents } = await workshopAt(here);
  const [greedy, modest] = agents;
  await offeredAt([there], 'raw__work');
  await occupy(here, toolkit, greedy);
  const queue = await enqueue(here, greedy.key, 4);
  const forwarded = call(there, modest.key, 0);
  expect(await queue.at(-1)).toMatchObject({ body: { code: 'QUEUE_FULL', retryable: true } });
  expect(await answerAll(toolkit, 4, agents)).toEqual(['0:0', '1:0', '0:1', '0:2']);
  expect(await forwarded).toMatchObject({ status: 200, body: { result: 'done' } });
});
