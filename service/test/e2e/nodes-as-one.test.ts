// @module-tag postgres
// @module-tag nats
/** Several nodes together: limits, keys, catalogue, learning, traces. */
import { Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { startNats } from '../../../test/support/nats';
import { balancedTools, offeredAt, startNodes } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { execute } from '../../../test/support/postgres-server';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';
import { runCommand } from '../support/command';

const buy = { action: 'buy', actionDescription: 'Buys a book' };

async function agentAt(nodes: readonly TestService[], request: { callsPerMinute?: number } = {}): Promise<Tools[]> {
  const { key } = await nodes[0]!.keys.create({ kind: 'agent', name: 'agent', ...request });
  return nodes.map(({ url }) => new Tools({ baseUrl: url, apiKey: key }));
}

test('calls per minute are counted over all nodes, exactly', async () => {
  const nodes = await startNodes(2);
  const { key } = await nodes[0]!.keys.create({ kind: 'agent', name: 'often', callsPerMinute: 5 });
  const statuses: number[] = [];
  for (let call = 0; call < 10; call++) {
    statuses.push((await fetch(`${nodes[call % 2]!.url}/v1/toolkits`, { headers: { authorization: `Bearer ${key}` } })).status);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
});

test('running calls of one key count at all nodes, after at most half a second', async () => {
  const nodes = await startNodes(2, { limits: { invocationsPerKey: 4 } });
  const [toolkit, tools] = [await RawToolkit.connect(nodes[0]!), await agentAt(nodes)];
  await toolkit.register([buy]);
  await offeredAt(nodes, 'raw__buy');
  const calls = Array.from({ length: 4 }, () => tools[0]!.invoke('raw__buy', {}));
  await toolkit.invoked(3);
  await vi.waitFor(
    async () => {
      const call = tools[1]!.invoke('raw__buy', {}, { timeoutMs: 200 });
      await expect(call).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    },
    { timeout: 30_000 },
  );
  for (const { id, method } of toolkit.received) if (method === 'invoke') toolkit.send({ jsonrpc: '2.0', id, result: 1 });
  await Promise.all(calls);
});

test('a token of one node is valid at another, for its user too, until its key is revoked', async () => {
  const nodes = await startNodes(2);
  const { id, key } = await nodes[0]!.keys.create({ kind: 'agent', name: 'server' });
  await nodes[0]!.toolkit('shop', (toolkit) => toolkit.action(buy, (ctx) => ctx.userId));
  await offeredAt(nodes, 'shop__buy');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ttlSeconds: 60, userId: 'user-1' });
  const { token } = await (await fetch(`${nodes[0]!.url}/v1/tokens`, { method: 'POST', headers, body })).json();
  const tools = new Tools({ baseUrl: nodes[1]!.url, apiKey: token });
  expect(await tools.invoke('shop__buy')).toMatchObject({ result: 'user-1' });
  await nodes[0]!.keys.revoke(id);
  await vi.waitFor(() => expect(tools.invoke('shop__buy')).rejects.toMatchObject({ code: 'KEY_REVOKED' }));
});

test('actions of one toolkit from processes at different nodes are listed together', async () => {
  const nodes = await startNodes(2);
  const { key } = await nodes[0]!.keys.create({ kind: 'toolkit', name: 'shop' });
  const one = await RawToolkit.connect(nodes[0]!, key);
  await one.register([buy], { instance: 'instance-one' });
  await offeredAt(nodes, 'shop__buy');
  const other = await RawToolkit.connect(nodes[1]!, key);
  await other.register([{ action: 'sell', actionDescription: 'Sells a book' }], { instance: 'instance-two' });
  await offeredAt(nodes, 'shop__sell');
  await offeredAt(nodes, 'shop__buy');
  for (const tools of await agentAt(nodes)) {
    const sold = tools.invoke('shop__sell', {});
    const sale = await other.invoked();
    other.send({ jsonrpc: '2.0', id: sale.id, result: 'sold' });
    other.received.length = 0;
    expect(await sold).toMatchObject({ result: 'sold' });
  }
});

test('a result of five megabytes crosses nodes when it may', async () => {
  const nodes = await startNodes(2, { limits: { resultBytes: 6_000_000 } });
  const text = 'ü'.repeat(2_500_000);
  await nodes[0]!.toolkit('texts', (toolkit) => toolkit.action({ action: 'long', actionDescription: 'A long text' }, () => text));
  await offeredAt(nodes, 'texts__long');
  const [, tools] = await agentAt(nodes);
  const { result } = await tools!.invoke('texts__long', {});
  expect(result === text).toBe(true);
});

test('keys that the command makes and revokes in the database count at once at every node', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const nodes = [await startService({ database, nats: nats.url }), await startService({ database, nats: nats.url })];
  const key = (await runCommand(['keys', 'create', '--kind', 'agent', '--name', 'me', '--database', database])).stdout.trim();
  const status = async (node: TestService) =>
    (await fetch(`${node.url}/v1/toolkits`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await Promise.all(nodes.map(status))).toEqual([200, 200]);
  const id = (await nodes[0]!.keys.list()).find(({ name }) => name === 'me')?.id;
  expect(await runCommand(['keys', 'revoke', `${id}`, '--database', database])).toMatchObject({ code: 0 });
  await vi.waitFor(async () => expect(await Promise.all(nodes.map(status))).toEqual([401, 401]), { timeout: 1_000 });
});

test('evidence is recorded for a search at one node when the action is used at another', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const nodes = [await startService({ database, nats: nats.url }), await startService({ database, nats: nats.url })];
  await nodes[0]!.toolkit('shop', (toolkit) => toolkit.action(buy, () => 'bought'));
  await offeredAt(nodes, 'shop__buy');
  const { key } = await nodes[0]!.keys.create({ kind: 'agent', name: 'agent' });
  const tools = balancedTools(key);
  await tools.at(nodes[1]!).search('a novel to buy');
  await tools.at(nodes[0]!).invoke('shop__buy', {});
  await tools.at(nodes[0]!).search('a book to buy');
  await tools.at(nodes[1]!).invoke('shop__buy', {});
  const learned = async () => (await execute('SELECT action, successes FROM evidence', database)) as unknown[];
  await vi.waitFor(async () => expect(await learned()).toEqual([1, 1].map((successes) => ({ action: 'shop__buy', successes }))), {
    timeout: 30_000,
  });
});

test('an MCP client that searches at one node and calls at another teaches as at one', async () => {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const nodes = [await startService({ database, nats: nats.url }), await startService({ database, nats: nats.url })];
  await nodes[0]!.toolkit('shop', (toolkit) => toolkit.action(buy, () => 'bought'));
  await offeredAt(nodes, 'shop__buy');
  const { key } = await nodes[0]!.keys.create({ kind: 'agent', name: 'agent' });
  const call = async (node: TestService, name: string, input: object, session: string) => {
    const answer = await fetch(`${node.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
    });
    expect(await answer.text()).toContain('"result"');
  };
  await call(nodes[1]!, 'search_services', { query: 'a novel to buy' }, 'one');
  await call(nodes[0]!, 'invoke_service', { action: 'shop__buy', payload: {} }, 'other');
  await call(nodes[0]!, 'invoke_service', { action: 'shop__buy', payload: {} }, 'one');
  await vi.waitFor(
    async () => expect(await execute('SELECT action, successes FROM evidence', database)).toEqual([{ action: 'shop__buy', successes: 1 }]),
    { timeout: 30_000 },
  );
});

test('the trace of a caller reaches a handler at another node', async () => {
  const nodes = await startNodes(2);
  const toolkit = await RawToolkit.connect(nodes[0]!);
  await toolkit.register([buy]);
  await offeredAt(nodes, 'raw__buy');
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const call = nodes[1]!.request('/v1/invoke', {
    method: 'POST',
    headers: { traceparent, tracestate: 'vendor=1' },
    body: JSON.stringify({ action: 'raw__buy' }),
  });
  const { id, params } = await toolkit.invoked();
  expect(params).toMatchObject({ traceparent, tracestate: 'vendor=1' });
  toolkit.send({ jsonrpc: '2.0', id, result: 1 });
  expect((await call).status).toBe(200);
});

test('progress, and the end of a caller, find the process that has moved to another node', async () => {
  const nodes = await startNodes(2);
  const { key } = await nodes[0]!.keys.create({ kind: 'toolkit', name: 'shop' });
  const before = await RawToolkit.connect(nodes[0]!, key);
  await before.register([buy], { connection: 1 });
  const [tools] = await agentAt(nodes);
  const reports: unknown[] = [];
  const leaving = new AbortController();
  const onProgress = (report: unknown) => reports.push(report);
  const call = tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-1', onProgress, signal: leaving.signal }).catch(() => {});
  const { id } = await before.invoked();
  const after = await RawToolkit.connect(nodes[1]!, key);
  await after.register([buy], { unfinished: [id], connection: 2 });
  await vi.waitFor(() => {
    after.send({ jsonrpc: '2.0', method: 'progress', params: { invocationId: id, progress: 1 } });
    expect(reports).toContainEqual({ progress: 1 });
  });
  leaving.abort();
  await call;
  await vi.waitFor(() => expect(after.received).toContainEqual(expect.objectContaining({ method: 'cancel' })));
});
