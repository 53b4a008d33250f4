import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Toolkit } from 'svc-sdk';
import { createService } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runToolkit, startService } from '../../../test/support/service';

test('an action whose toolkit is offline stays in the catalogue, is left out of what search offers, and fails at once', async () => {
  const service = await startService();
  const toolkit = await service.toolkit('weather', (it) => {
    it.action({ action: 'today', actionDescription: 'Weather today' }, () => 'sunny');
  });
  const tools = await service.tools();
  await toolkit.stop();

  expect(await tools.search('weather')).toEqual({ actions: [], offline: ['weather__today'], hint: expect.any(String) });
  const listed = await (await service.request('/v1/actions')).json();
  expect(listed).toMatchObject({ actions: [{ action: 'weather__today', online: false }] });
  const before = Date.now();
  await expect(tools.invoke('weather__today', {}, { timeoutMs: 900 })).rejects.toMatchObject({ code: 'TOOLKIT_OFFLINE', retryable: true });
  expect(Date.now() - before).toBeLessThan(5_000);
});

test('the catalogue survives a restart of the service, and the toolkit reconnects', async () => {
  const data = await mkdtemp(join(tmpdir(), 'svc-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const first = await createService({ port: 0, data });
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'weather' });
  const agent = await first.keys.create({ kind: 'agent', name: 'test' });
  // Reconnects use exponential backoff with jitter: early ones here.
  vi.spyOn(Math, 'random').mockReturnValue(0.1);
  onTestFinished(() => void vi.restoreAllMocks());
  const toolkit = await runToolkit(first.url, key, (it) => {
    it.action({ action: 'today', actionDescription: 'Weather today' }, () => 'sunny');
  });
  await first.close();

  const second = await startService({ data, port: first.port });
  const { Tools } = await import('svc-sdk');
  const tools = new Tools({ baseUrl: second.url, apiKey: agent.key });
  await vi.waitFor(async () => expect((await tools.invoke('weather__today')).result).toBe('sunny'));
  // The toolkit would wait ten seconds for the confirmation, which a stopped service does not send.
  await toolkit.stop();
});

test('a deadline and a cancel reach the handler', async () => {
  const service = await startService();
  const aborted: string[] = [];
  await service.toolkit('slow', (it) => {
    it.action({ action: 'wait', actionDescription: 'Waits' }, async (ctx) => {
      await sleep(10_000, undefined, { signal: ctx.signal }).catch(() => {});
      aborted.push(ctx.signal.reason instanceof Error ? ctx.signal.reason.name : String(ctx.signal.reason));
    });
  });
  const tools = await service.tools();
  await expect(tools.invoke('slow__wait', {}, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  await vi.waitFor(() => expect(aborted).toHaveLength(1));

  const caller = new AbortController();
  const call = tools.invoke('slow__wait', {}, { signal: caller.signal });
  setTimeout(() => caller.abort(), 100);
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await vi.waitFor(() => expect(aborted).toHaveLength(2));
});

test('progress reaches the caller while the handler works', async () => {
  const service = await startService();
  await service.toolkit('slow', (it) => {
    it.action({ action: 'count', actionDescription: 'Counts' }, (ctx) => {
      ctx.progress({ progress: 1, total: 2, message: 'half' });
      ctx.progress({ progress: 2, total: 2 });
      return 'done';
    });
  });
  const tools = await service.tools();
  const reports: unknown[] = [];
  const { result } = await tools.invoke('slow__count', {}, { onProgress: (progress) => reports.push(progress) });
  expect(result).toBe('done');
  expect(reports).toEqual([
    { progress: 1, total: 2, message: 'half' },
    { progress: 2, total: 2 },
  ]);
});

test('one idempotency key is one run: a retry gets the first result, another payload is refused', async () => {
  const service = await startService();
  let runs = 0;
  await service.toolkit('shop', (it) => {
    it.action({ action: 'order', actionDescription: 'Orders' }, async () => {
      await sleep(50);
      return { order: ++runs };
    });
  });
  const tools = await service.tools();
  const options = { idempotencyKey: 'order-1' };
  const together = await Promise.all([
    tools.invoke('shop__order', { item: 1 }, options),
    tools.invoke('shop__order', { item: 1 }, options),
  ]);
  expect(together.map(({ result }) => result)).toEqual([{ order: 1 }, { order: 1 }]);
  expect(await tools.invoke('shop__order', { item: 1 }, options)).toMatchObject({ result: { order: 1 }, replayed: true });
  await expect(tools.invoke('shop__order', { item: 2 }, options)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect(runs).toBe(1);
});

test('an idempotency key survives a restart: a retry after it gets the result of the handler, which kept running', async () => {
  const data = await mkdtemp(join(tmpdir(), 'svc-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const first = await createService({ port: 0, data });
  const { key } = await first.keys.create({ kind: 'toolkit', name: 'shop' });
  const agent = await first.keys.create({ kind: 'agent', name: 'test' });
  let runs = 0;
  let finish = () => {};
  await runToolkit(first.url, key, (it) => {
    it.action({ action: 'order', actionDescription: 'Orders' }, async () => {
      runs++;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { order: runs };
    });
  });
  const { Tools } = await import('svc-sdk');
  const tools = new Tools({ baseUrl: first.url, apiKey: agent.key });
  // The caller may time out before the service is restarted.
  const call = tools.invoke('shop__order', {}, { idempotencyKey: 'order-1', timeoutMs: 15_000 }).catch(() => undefined);
  await vi.waitFor(() => expect(runs).toBe(1));
  await first.close();
  await startService({ data, port: first.port });
  finish();
  // The client retries with the same key.
  const outcome = (await call) ?? (await tools.invoke('shop__order', {}, { idempotencyKey: 'order-1' }));
  expect(outcome.result).toEqual({ order: 1 });
  expect(runs).toBe(1);
});

test('when the process of a call is lost, every retry gets OUTCOME_UNKNOWN', async () => {
  const service = await startService({ limits: { reconnectGraceMs: 200 } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const { spawnToolkit } = await import('../support/toolkit-process');
  const process = await spawnToolkit({ baseUrl: service.url, apiKey: key });
  const tools = await service.tools();
  const call = tools.invoke('shop__hang', {}, { idempotencyKey: 'order-1', timeoutMs: 10_000 });
  const failed = expect(call).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await process.printed('hanging');
  process.kill();
  await failed;
  await expect(tools.invoke('shop__hang', {}, { idempotencyKey: 'order-1' })).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});

test('a refused key closes its sockets and fails its calls within a second', async () => {
  const service = await startService();
  const toolkitKey = await service.keys.create({ kind: 'toolkit', name: 'slow' });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: toolkitKey.key });
  toolkit.action({ action: 'wait', actionDescription: 'Waits' }, (ctx) => sleep(20_000, undefined, { signal: ctx.signal }));
  const run = toolkit.run();
  await toolkit.ready;
  const agent = await service.keys.create({ kind: 'agent', name: 'test' });
  const { Tools } = await import('svc-sdk');
  const tools = new Tools({ baseUrl: service.url, apiKey: agent.key });

  const call = tools.invoke('slow__wait');
  const callFailed = expect(call).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  await sleep(100);
  const before = performance.now();
  await service.keys.revoke(agent.id);
  await callFailed;
  await expect(tools.search('x')).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  const runFailed = expect(run).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  await service.keys.revoke(toolkitKey.id);
  await runFailed;
  expect(performance.now() - before).toBeLessThan(1_000);
});

test('a full queue and a spent rate limit are reported', async () => {
  const service = await startService({ limits: { queueLength: 1 } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'slow' });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key, concurrency: 1 });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  toolkit.action({ action: 'wait', actionDescription: 'Waits' }, () => released);
  void toolkit.run();
  onTestFinished(() => toolkit.stop());
  await toolkit.ready;
  const tools = await service.tools();
  const calls = [tools.invoke('slow__wait'), tools.invoke('slow__wait')];
  await sleep(100);
  await expect(tools.invoke('slow__wait', {}, { timeoutMs: 500 })).rejects.toMatchObject({ code: 'QUEUE_FULL', retryable: true });
  release();
  await Promise.all(calls);

  // A client with more time would wait for the next minute.
  const limited = await service.tools({ timeoutMs: 5_000 }, { callsPerMinute: 1 });
  await limited.search('x');
  await expect(limited.search('x')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('a result that is too large is cut, with a note', async () => {
  const service = await startService({ limits: { resultBytes: 1_000 } });
  await service.toolkit('big', (it) => {
    it.action({ action: 'text', actionDescription: 'A long text' }, () => 'é'.repeat(10_000));
  });
  const tools = await service.tools();
  const { result, cut } = await tools.invoke('big__text');
  expect(cut).toEqual({ totalBytes: 20_002, keptBytes: 1_000 });
  expect(result).toBe('é'.repeat(500));
});
