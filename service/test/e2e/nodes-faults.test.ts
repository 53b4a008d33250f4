// @module-tag postgres
// @module-tag nats
/** A service of several nodes while its dependencies fail, freeze or recover, and messages are late. */
import { Tools } from 'svc-sdk';
import type { ServiceOptions } from 'svc-service';
import { expect, test, vi } from 'vitest';
import { startNats } from '../../../test/support/nats';
import { offeredAt } from '../../../test/support/nodes';
import { newDatabase, startPostgres } from '../../../test/support/postgres';
import { execute } from '../../../test/support/postgres-server';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService, type TestService } from '../../../test/support/service';

const buy = { action: 'buy', actionDescription: 'Buys' };

async function startThree(options: ServiceOptions = {}) {
  const [database, nats] = await Promise.all([newDatabase(), startNats()]);
  const start = () => startService({ database, nats: nats.url, ...options });
  return { database, nats, first: await start(), second: await start(), third: await start() };
}

/** A handler that ends at the test's request, and records whether it was cancelled. */
function buyer() {
  const seen = { runs: 0, aborted: false, end: () => {} };
  const ended = new Promise<void>((resolve) => {
    seen.end = resolve;
  });
  const serve = (node: TestService) =>
    node.toolkit('shop', (toolkit) =>
      toolkit.action(buy, async (ctx) => {
        seen.runs++;
        ctx.signal.addEventListener('abort', () => {
          seen.aborted = true;
        });
        await ended;
        return { order: seen.runs };
      }),
    );
  return { seen, serve };
}

async function queuedAt(node: TestService): Promise<number> {
  const text = await (await fetch(`${node.url}/metrics`)).text();
  return Number(/^svc_calls_queued (\d+)/m.exec(text)?.[1]);
}

async function agentAt(...nodes: TestService[]): Promise<Tools[]> {
  const { key } = await nodes[0]!.keys.create({ kind: 'agent', name: 'agent' });
  return nodes.map(({ url }) => new Tools({ baseUrl: url, apiKey: key }));
}

test('calls that the database could not claim leave their places at the toolkit', async () => {
  const postgres = await startPostgres();
  const service = await startService({ database: await postgres.newDatabase() });
  await service.toolkit('shop', (toolkit) => toolkit.action({ action: 'buy', actionDescription: 'Buys' }, () => 'bought'));
  const tools = await service.tools();
  await tools.invoke('shop__buy', {}, { idempotencyKey: 'before' });
  await postgres.crash();
  try {
    const calls = Array.from({ length: 40 }, (_, n) =>
      tools.invoke('shop__buy', {}, { idempotencyKey: `meanwhile-${n}`, timeoutMs: 1_000 }),
    );
    for (const call of await Promise.allSettled(calls)) expect(call).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  } finally {
    await postgres.startAgain();
  }
  await vi.waitFor(
    async () =>
      expect(await tools.invoke('shop__buy', {}, { idempotencyKey: 'after', timeoutMs: 2_000 })).toMatchObject({ result: 'bought' }),
    { timeout: 30_000 },
  );
});

test('a node that stops cancels nothing that it had another node run: a retry gets the result', async () => {
  const { first, second } = await startThree();
  const { seen, serve } = buyer();
  await serve(second);
  await offeredAt([first], 'shop__buy');
  const [atFirst, atSecond] = await agentAt(first, second);
  const call = atFirst!.invoke('shop__buy', {}, { idempotencyKey: 'order-1' }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(seen.runs).toBe(1));
  await first.close();
  expect(await call).toMatchObject({ retryable: true });
  const retry = atSecond!.invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  seen.end();
  expect(await retry).toMatchObject({ result: { order: 1 } });
  expect(seen).toMatchObject({ runs: 1, aborted: false });
});

test('a retry while the call runs at another node waits for it, also long after the first caller disconnected', async () => {
  const { first, second } = await startThree({ limits: { reconnectGraceMs: 300 } });
  const { seen, serve } = buyer();
  await serve(second);
  await offeredAt([first], 'shop__buy');
  const [tools] = await agentAt(first);
  const leaving = new AbortController();
  const call = tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-1', signal: leaving.signal }).catch(() => {});
  await vi.waitFor(() => expect(seen.runs).toBe(1));
  const other = tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-2' });
  await vi.waitFor(() => expect(seen.runs).toBe(2));
  leaving.abort();
  await call;
  await vi.waitFor(() => expect(seen.aborted).toBe(true));
  const again = tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  const early = await Promise.race([again.catch((error: unknown) => error), new Promise((resolve) => setTimeout(resolve, 1_000, 'waits'))]);
  expect(early).toBe('waits');
  seen.end();
  expect(await again).toMatchObject({ result: { order: 2 } });
  await other;
});

test('a caller that retries before its first call was claimed gets no cancellation', async () => {
  const codes: unknown[] = [];
  const logger = { info: ({ code }: { code?: unknown }) => void codes.push(code), warn: () => {}, error: () => {} };
  const postgres = await startPostgres();
  const service = await startService({ database: await postgres.newDatabase(), logger });
  const { seen, serve } = buyer();
  await serve(service);
  seen.end();
  const [tools] = await agentAt(service);
  await tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-0' });
  const leaving = new AbortController();
  postgres.freeze();
  const call = tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-1', signal: leaving.signal }).catch(() => {});
  // The node that answers this has the call too.
  await fetch(`${service.url}/healthz`);
  leaving.abort();
  await call;
  await vi.waitFor(() => expect(codes).toContain('INVOCATION_CANCELLED'));
  const again = tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  await fetch(`${service.url}/healthz`);
  postgres.thaw();
  expect(await again).toMatchObject({ result: { order: 2 } });
});

test('a call waits for the calls of other nodes under the limit of its toolkit, and no longer', async () => {
  const { first, second } = await startThree({ limits: { invocationsPerToolkit: 1 }, metrics: true });
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'shop' });
  const here = await RawToolkit.connect(first, key);
  await here.register([buy], { instance: 'instance-one' });
  const there = await RawToolkit.connect(second, key);
  await there.register([buy], { instance: 'instance-two' });
  const [atFirst, atSecond] = await agentAt(first, second);
  const running = atFirst!.invoke('shop__buy', {});
  const { id } = await here.invoked();
  let sent = 0;
  const calls: Promise<unknown>[] = [];
  // Waits until the second node counts the first node's call, and so queues its own.
  await vi.waitFor(
    async () => {
      if (there.received.filter(({ method }) => method === 'invoke').length === sent) {
        calls.push(atSecond!.invoke('shop__buy', {}));
        await Promise.race([there.invoked(sent).catch(() => {}), new Promise((resolve) => setTimeout(resolve, 50))]);
      }
      const invoked = there.received.filter(({ method }) => method === 'invoke');
      if (invoked.length > sent) there.send({ jsonrpc: '2.0', id: invoked[sent++]?.id, result: 1 });
      expect(await queuedAt(second)).toBeGreaterThan(0);
    },
    { timeout: 30_000 },
  );
  here.send({ jsonrpc: '2.0', id, result: 1 });
  await running;
  // More than one call may wait on a busy machine.
  for (; sent < calls.length; sent++) there.send({ jsonrpc: '2.0', id: (await there.invoked(sent)).id, result: 'came' });
  expect(await calls.at(-1)).toMatchObject({ result: 'came' });
});

test('a call without an idempotency key that is queued at another node is not abandoned when a third node stops', async () => {
  const { database, first, second, third } = await startThree();
  const toolkit = await RawToolkit.connect(second, (await first.keys.create({ kind: 'toolkit', name: 'shop' })).key);
  await toolkit.register([buy], { concurrency: 1 });
  await offeredAt([first], 'shop__buy');
  const call = async () => (await first.request('/v1/invoke', { method: 'POST', body: JSON.stringify({ action: 'shop__buy' }) })).json();
  const calls = [call()];
  const running = await toolkit.invoked();
  calls.push(call());
  await vi.waitFor(async () => {
    const [{ count }] = (await execute('SELECT count(*)::int FROM invocations WHERE code IS NULL', database)) as [{ count: number }];
    expect(count).toBe(2);
  });
  await third.close();
  toolkit.send({ jsonrpc: '2.0', id: running.id, result: 1 });
  const waiting = await toolkit.invoked(1);
  toolkit.send({ jsonrpc: '2.0', id: waiting.id, result: 2 });
  expect(await Promise.all(calls)).toMatchObject([{ result: 1 }, { result: 2 }]);
});

test('a result that is too large for the bus is read from the database', async () => {
  const { first, second } = await startThree({ limits: { resultBytes: 24_000_000, frameBytes: 32_000_000 } });
  const text = 'x'.repeat(17_000_000);
  const toolkit = await RawToolkit.connect(second, (await first.keys.create({ kind: 'toolkit', name: 'texts' })).key);
  await toolkit.register([{ action: 'long', actionDescription: 'A long text' }]);
  await offeredAt([first], 'texts__long');
  const [tools] = await agentAt(first);
  const call = tools!.invoke('texts__long', {}, { idempotencyKey: 'one' });
  const { id } = await toolkit.invoked();
  toolkit.send({ jsonrpc: '2.0', id, result: text });
  const { result } = await call;
  expect(result === text).toBe(true);
});

test('running calls of another node are found through the database while NATS is down', async () => {
  const { nats, first, second } = await startThree();
  const { seen, serve } = buyer();
  await serve(second);
  await offeredAt([first], 'shop__buy');
  const [tools] = await agentAt(first);
  const call = tools!.invoke('shop__buy', {}, { idempotencyKey: 'order-1' });
  await vi.waitFor(() => expect(seen.runs).toBe(1));
  await nats.stop('SIGKILL');
  seen.end();
  expect(await call).toMatchObject({ result: { order: 1 } });
});
