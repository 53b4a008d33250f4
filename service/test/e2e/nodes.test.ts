// @module-tag postgres
// @module-tag nats
/** A service of several nodes: a call behaves the same at every node, wherever its toolkit is connected. */
import { Tools } from 'svc-sdk';
import { expect, test, vi } from 'vitest';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { emptyDatabase } from '../../../test/support/postgres';
import { runToolkit, startService, type TestService } from '../../../test/support/service';
import { startTcpProxy } from '../support/tcp-proxy';

async function agentKey(node: TestService): Promise<string> {
  return (await node.keys.create({ kind: 'agent', name: 'agent' })).key;
}

/** Clients of one agent at each of the nodes. */
async function clients(nodes: readonly TestService[]): Promise<Tools[]> {
  const apiKey = await agentKey(nodes[0]!);
  return nodes.map((node) => new Tools({ baseUrl: node.url, apiKey }));
}

test('an action of a toolkit at one node is found and used at another, with progress', async () => {
  const [here, there] = await startNodes(2);
  await here!.toolkit('sums', (toolkit) =>
    toolkit.action({ action: 'add', actionDescription: 'Adds two numbers' }, (ctx, { a, b }: { a: number; b: number }) => {
      ctx.progress({ progress: 1, total: 2 });
      return a + b;
    }),
  );
  await offeredAt([there!], 'sums__add');
  const [, tools] = await clients([here!, there!]);
  expect(JSON.stringify(await tools!.search('add numbers'))).toContain('sums__add');
  const reports: unknown[] = [];
  expect(await tools!.invoke('sums__add', { a: 1, b: 2 }, { onProgress: (report) => reports.push(report) })).toMatchObject({ result: 3 });
  expect(reports).toEqual([{ progress: 1, total: 2 }]);
});

test('a large payload and a large result cross nodes', async () => {
  const [here, there] = await startNodes(2);
  await here!.toolkit('texts', (toolkit) =>
    toolkit.action({ action: 'echo', actionDescription: 'Gives back' }, (_ctx, payload) => payload),
  );
  await offeredAt([there!], 'texts__echo');
  const [, tools] = await clients([here!, there!]);
  const text = 'ü'.repeat(450_000);
  expect(await tools!.invoke('texts__echo', { text })).toMatchObject({ result: { text } });
});

test('equal concurrent calls at all nodes run once, and each gets the result', async () => {
  const nodes = await startNodes(3);
  let runs = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await nodes[1]!.toolkit('shop', (toolkit) =>
    toolkit.action({ action: 'buy', actionDescription: 'Buys' }, async () => {
      runs++;
      await released;
      return { order: runs };
    }),
  );
  await offeredAt(nodes, 'shop__buy');
  const calls = (await clients(nodes)).flatMap((tools) => [1, 2].map(() => tools.invoke('shop__buy', {}, { idempotencyKey: 'order-1' })));
  await vi.waitFor(() => expect(runs).toBe(1));
  release();
  const results = await Promise.all(calls);
  expect(results.map(({ result }) => result)).toEqual(Array.from({ length: 6 }, () => ({ order: 1 })));
  expect(new Set(results.map(({ invocationId }) => invocationId)).size).toBe(1);
});

test('a kept answer is given at every node, and another payload under its key is refused at each', async () => {
  const nodes = await startNodes(2);
  await nodes[0]!.toolkit('shop', (toolkit) => toolkit.action({ action: 'buy', actionDescription: 'Buys' }, () => ({ order: 1 })));
  await offeredAt(nodes, 'shop__buy');
  const [here, there] = await clients(nodes);
  const first = await here!.invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  expect(await there!.invoke('shop__buy', {}, { idempotencyKey: 'order-1' })).toMatchObject({
    invocationId: first.invocationId,
    result: { order: 1 },
    replayed: true,
  });
  await expect(there!.invoke('shop__buy', { other: true }, { idempotencyKey: 'order-1' })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
  });
});

test('an abort at one node reaches the handler at another', async () => {
  const [here, there] = await startNodes(2);
  let aborted = false;
  let started = false;
  await here!.toolkit('slow', (toolkit) =>
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async (ctx) => {
      started = true;
      await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()));
      aborted = true;
    }),
  );
  await offeredAt([there!], 'slow__wait');
  const [, tools] = await clients([here!, there!]);
  const controller = new AbortController();
  const call = tools!.invoke('slow__wait', {}, { signal: controller.signal }).catch(() => {});
  await vi.waitFor(() => expect(started).toBe(true));
  controller.abort();
  await call;
  await vi.waitFor(() => expect(aborted).toBe(true));
});

test('a call for a toolkit that no node holds fails at once', async () => {
  const nodes = await startNodes(2);
  const toolkit = await nodes[0]!.toolkit('gone', (it) => it.action({ action: 'do', actionDescription: 'Does' }, () => 1));
  await offeredAt(nodes, 'gone__do');
  await toolkit.stop();
  const apiKey = await agentKey(nodes[1]!);
  const call = () =>
    fetch(`${nodes[1]!.url}/v1/invoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'gone__do' }),
    });
  const answer = await call();
  expect(await answer.json()).toMatchObject({ code: 'TOOLKIT_OFFLINE' });
});

test('a revoked key is refused at every node within a second, and its sockets and calls end', async () => {
  const nodes = await startNodes(2);
  const toolkitKey = await nodes[0]!.keys.create({ kind: 'toolkit', name: 'hang' });
  let running = false;
  await runToolkit(nodes[1]!.url, toolkitKey.key, (it) =>
    it.action({ action: 'wait', actionDescription: 'Waits' }, () => {
      running = true;
      return new Promise(() => {});
    }),
  );
  await offeredAt(nodes, 'hang__wait');
  const agent = await nodes[0]!.keys.create({ kind: 'agent', name: 'agent' });
  const tools = new Tools({ baseUrl: nodes[1]!.url, apiKey: agent.key });
  const call = tools.invoke('hang__wait');
  const refused = expect(call).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  await vi.waitFor(() => expect(running).toBe(true));
  const revokedAt = performance.now();
  await nodes[0]!.keys.revoke(agent.id);
  await refused;
  expect(performance.now() - revokedAt).toBeLessThan(1_000);
  await nodes[0]!.keys.revoke(toolkitKey.id);
  await vi.waitFor(async () => {
    expect(await (await nodes[0]!.request('/v1/toolkits/hang')).json()).toMatchObject({ online: false });
  });
});

test('a node that drains leads its toolkits to another one: running calls go on, new ones find them, and it ends', async () => {
  const [leaving, staying] = await startNodes(2);
  const proxy = await startTcpProxy(leaving!.port);
  const { key } = await leaving!.keys.create({ kind: 'toolkit', name: 'slow' });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let runs = 0;
  await runToolkit(proxy.url, key, (toolkit) =>
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async (_ctx, { wait }: { wait?: boolean }) => {
      const run = ++runs;
      if (wait) await released;
      return { run };
    }),
  );
  await offeredAt([leaving!, staying!], 'slow__wait');
  const [atLeaving, atStaying] = await clients([leaving!, staying!]);
  const calls = [];
  for (const [index, client] of [atLeaving, atStaying].entries()) {
    calls.push(client!.invoke('slow__wait', { wait: true }, { idempotencyKey: `call-${index}` }));
    await vi.waitFor(() => expect(runs).toBe(index + 1));
  }
  proxy.leadTo(staying!.port);
  const closed = leaving!.close({ graceMs: 10_000 });
  await vi.waitFor(() => expect(proxy.connections).toBe(2));
  expect(await atStaying!.invoke('slow__wait', {}, { idempotencyKey: 'three' })).toMatchObject({ result: { run: 3 } });
  release();
  expect((await Promise.all(calls)).map(({ result }) => (result as { run: number }).run).sort()).toEqual([1, 2]);
  await closed;
  expect(runs).toBe(3);
});

test('a second service on the same database without NATS is refused', async () => {
  const database = await emptyDatabase();
  await startService({ database });
  await expect(startService({ database })).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('--nats') });
});
