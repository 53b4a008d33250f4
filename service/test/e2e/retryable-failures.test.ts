/** A failure that its handler calls retryable had no effect: its callers get it, and the next call with its idempotency key runs. */
import { type ActionContext, SvcError, type Toolkit, Tools } from 'svc-sdk';
import type { ServiceOptions, Settle } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { runToolkit, startService, type TestService } from '../../../test/support/service';

/** A kilobyte each. */
const CALLS = 20;
const BUDGET = { perCall: '1', perDay: '1' };

interface Run {
  invocationId: string;
  idempotencyKey: string;
  attempt: number;
}

/** Handlers of `shop__buy`, which fail so many times and then answer with their number. */
function shop({ failures = 1, retryAfterMs = 0, data = {} as unknown } = {}) {
  const seen = { runs: [] as Run[], failures, gate: undefined as Promise<void> | undefined };
  const define = (toolkit: Toolkit) => {
    for (const [action, more] of Object.entries({
      look: { annotations: { readOnly: true } },
      set: { annotations: { idempotent: true } },
      wipe: { annotations: { destructive: true } },
      buy: {},
      sell: { payment: { amount: '1' } },
    }))
      toolkit.action({ action, actionDescription: `The action ${action}`, ...more }, async (ctx) => {
        seen.runs.push({ invocationId: ctx.invocationId, idempotencyKey: ctx.idempotencyKey, attempt: ctx.attempt });
        const run = seen.runs.length;
        await seen.gate;
        return run <= seen.failures ? ctx.error('BUSY', 'later', { retryable: true, retryAfterMs, data }) : { run };
      });
  };
  return { seen, define };
}

async function startShop(options: ServiceOptions = {}, how: Parameters<typeof shop>[0] = {}) {
  const service = await startService({ console: true, ...options });
  const { seen, define } = shop(how);
  const { key: toolkitKey } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const toolkit = await runToolkit(service.url, toolkitKey, define);
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent', budget: BUDGET });
  return {
    service,
    seen,
    define,
    toolkit,
    toolkitKey,
    apiKey: key,
    invoke: callerOf(service, key),
    tools: new Tools({ baseUrl: service.url, apiKey: key }),
  };
}

/** Sends a request without retries. */
function callerOf({ url }: { url: string }, key: string) {
  return async (idempotencyKey: string, action = 'shop__buy', payload: unknown = {}, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/v1/invoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey, ...headers },
      body: JSON.stringify({ action, payload }),
    });
    return { retryAfter: answer.headers.get('retry-after'), ...((await answer.json()) as Record<string, unknown>) };
  };
}

async function asAdmin(service: TestService, path: string): Promise<Record<string, never>> {
  const { key } = await service.keys.create({ kind: 'admin', name: 'admin' });
  return (await (await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })).json()) as Record<string, never>;
}

const ledgerOf = async (service: TestService) =>
  ((await asAdmin(service, '/v1/ledger?limit=100')).entries as unknown as { invocationId: string; state: string }[])
    .map(({ invocationId, state }) => `${invocationId} ${state}`)
    .sort();

test.each(['look', 'set', 'wipe', 'buy', 'sell'])('the own retries of a client reach the handler of "%s"', async (action) => {
  const { tools, seen } = await startShop({}, { failures: 2 });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  expect(await tools.invoke(`shop__${action}`)).toMatchObject({ invocationId: seen.runs[2]?.invocationId, result: { run: 3 } });
});

test('each run has a separate id and record, the key of its caller, and attempt 1', async () => {
  const { service, seen, invoke } = await startShop({}, { failures: 2, retryAfterMs: 1_500 });
  const answers = [await invoke('k'), await invoke('k'), await invoke('k'), await invoke('k')];
  const ids = seen.runs.map(({ invocationId }) => invocationId);
  const failed = { code: 'ACTION_FAILED', retryable: true, retryAfterMs: 1_500, retryAfter: '2' };
  expect(answers).toEqual([
    expect.objectContaining({ ...failed, invocationId: ids[0] }),
    expect.objectContaining({ ...failed, invocationId: ids[1] }),
    { retryAfter: null, invocationId: ids[2], result: { run: 3 } },
    { retryAfter: null, invocationId: ids[2], result: { run: 3 }, replayed: true },
  ]);
  expect(new Set(ids).size).toBe(3);
  expect(seen.runs).toEqual(ids.map((invocationId) => ({ invocationId, idempotencyKey: 'k', attempt: 1 })));
  const { invocations } = (await asAdmin(service, '/v1/invocations')) as unknown as { invocations: { id: string; code: string }[] };
  expect(invocations.map(({ id, code }) => [id, code])).toEqual([
    [ids[2], 'OK'],
    [ids[1], 'ACTION_FAILED'],
    [ids[0], 'ACTION_FAILED'],
  ]);
  for (const id of ids) {
    const { timeline } = (await asAdmin(service, `/v1/invocations/${id}`)) as unknown as { timeline: { what: string }[] };
    expect(timeline.map(({ what }) => what)).toEqual(expect.arrayContaining(['received', 'claimed', 'sent', 'ended']));
  }
});

test('calls that joined while it ran get the same error, and of the calls after it one runs', async () => {
  const { seen, invoke } = await startShop();
  const gate = Promise.withResolvers<void>();
  seen.gate = gate.promise;
  const joined = [invoke('k'), invoke('k'), invoke('k')];
  await vi.waitFor(() => expect(seen.runs).toHaveLength(1));
  const other = await invoke('k', 'shop__buy', { other: true });
  gate.resolve();
  const failed = expect.objectContaining({ code: 'ACTION_FAILED', invocationId: seen.runs[0]?.invocationId });
  expect(await Promise.all(joined)).toEqual([failed, failed, failed]);
  const mismatch = { code: 'IDEMPOTENCY_MISMATCH' };
  expect(other).toMatchObject(mismatch);
  expect(await invoke('k', 'shop__buy', { other: true })).toMatchObject(mismatch);
  expect(await Promise.all([invoke('k'), invoke('k')])).toEqual([
    expect.objectContaining({ result: { run: 2 } }),
    expect.objectContaining({ result: { run: 2 } }),
  ]);
  expect(seen.runs).toHaveLength(2);
});

test.each<[string, (ctx: ActionContext) => unknown]>([
  ['that its handler does not call retryable', (ctx) => ctx.error('SOLD_OUT', 'no', { retryAfterMs: 1 })],
  ['that its handler threw', () => Promise.reject(new Error('no'))],
  // The handler may have had effects before it sent the request.
  ['of a call that its handler made', () => Promise.reject(new SvcError('RATE_LIMITED', 'no', { retryAfterMs: 1 }))],
])('a failure %s keeps its key', async (_, fail) => {
  const service = await startService();
  let runs = 0;
  await service.toolkit('shop', (toolkit) =>
    toolkit.action({ action: 'buy', actionDescription: 'Fails' }, (ctx) => {
      runs++;
      return fail(ctx);
    }),
  );
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const invoke = callerOf(service, key);
  const first = await invoke('k');
  expect(first).toMatchObject({ code: 'ACTION_FAILED', retryable: false });
  expect(await invoke('k')).toEqual(first);
  expect(runs).toBe(1);
});

test('a handler that ends after its caller left frees the key too', async () => {
  const { seen, invoke } = await startShop({ limits: { reconnectGraceMs: 50 } });
  const gate = Promise.withResolvers<void>();
  seen.gate = gate.promise;
  expect(await invoke('soon', 'shop__buy', {}, { 'svc-timeout-ms': '20' })).toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  gate.resolve();
  await vi.waitFor(async () => expect(await invoke('soon')).toMatchObject({ result: { run: 2 } }));

  const late = Promise.withResolvers<void>();
  seen.gate = late.promise;
  seen.failures = 3;
  expect(await invoke('late', 'shop__sell', {}, { 'svc-timeout-ms': '20' })).toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  // The service has given the handler up.
  await vi.waitFor(async () =>
    expect(await invoke('late', 'shop__sell', {}, { 'svc-timeout-ms': '20' })).toMatchObject({
      code: 'INVOCATION_TIMEOUT',
      invocationId: seen.runs[2]?.invocationId,
    }),
  );
  late.resolve();
  await vi.waitFor(async () => expect(await invoke('late', 'shop__sell')).toMatchObject({ result: { run: 4 } }));
});

test('a paid action: the failure costs nothing, and the retry is charged once', async () => {
  const settled: string[] = [];
  const settle: Settle = async ({ invocationId, charged }) => void settled.push(`${invocationId} ${charged}`);
  const { service, seen, tools } = await startShop({ settle }, { failures: 2 });
  // The budget of the day covers one call.
  const answer = await tools.invoke('shop__sell', {}, { idempotencyKey: 'k' });
  expect(answer).toMatchObject({ result: { run: 3 }, payment: { authorised: '1', charged: '1', currency: 'USD' } });
  expect(await tools.invoke('shop__sell', {}, { idempotencyKey: 'k' })).toMatchObject({ replayed: true });
  const [first, second, third] = seen.runs.map(({ invocationId }) => invocationId);
  expect(await ledgerOf(service)).toEqual([`${first} released`, `${second} released`, `${third} charged`].sort());
  await vi.waitFor(() => expect(settled).toEqual([`${third} 1`]), { timeout: 10_000 });
});

test('a retry is paid as a new call: by the present price and budget', async () => {
  const { seen, invoke } = await startShop();
  expect(await invoke('k', 'shop__sell')).toMatchObject({ code: 'ACTION_FAILED' });
  expect(await invoke('k', 'shop__sell', {}, { 'svc-max-payment': '0.5' })).toMatchObject({ code: 'PAYMENT_REQUIRED' });
  expect(await invoke('k', 'shop__sell')).toMatchObject({ result: { run: 2 } });
  expect(await invoke('k', 'shop__sell', {}, { 'svc-max-payment': '0.5' })).toMatchObject({ replayed: true });
  expect(seen.runs).toHaveLength(2);
});

describe('a retry finds the failure in the data', () => {
  const places: [string, () => Promise<ServiceOptions>, object][] = [
    [
      'SQLite',
      async () => {
        const { path, remove } = makeFolder();
        onTestFinished(remove);
        return { data: path };
      },
      {},
    ],
    ['PostgreSQL', async () => ({ database: await newDatabase() }), { tags: 'postgres' }],
  ];
  for (const [name, place, tags] of places) {
    test(`${name}: after a restart of the service and of the toolkit`, tags, async () => {
      const options = await place();
      const first = await startShop(options);
      expect(await first.invoke('k', 'shop__sell')).toMatchObject({ code: 'ACTION_FAILED' });
      await first.toolkit.stop();
      await first.service.close();
      const second = await startService({ console: true, ...options });
      await runToolkit(second.url, first.toolkitKey, first.define);
      expect(await callerOf(second, first.apiKey)('k', 'shop__sell')).toMatchObject({ result: { run: 2 } });
      expect(await callerOf(second, first.apiKey)('k', 'shop__sell')).toMatchObject({ result: { run: 2 }, replayed: true });
      expect((await ledgerOf(second)).map((entry) => entry.split(' ')[1]).sort()).toEqual(['charged', 'released']);
    });

    test(`${name}: after newer results pushed it out of the quota`, tags, async () => {
      const options = { ...(await place()), limits: { keptResultBytesPerKey: 5_000 } };
      const { seen, invoke } = await startShop(options, { failures: CALLS, data: 'x'.repeat(1_000) });
      for (let index = 0; index < CALLS; index++) expect(await invoke(`k${index}`)).toMatchObject({ code: 'ACTION_FAILED' });
      for (let index = 0; index < CALLS; index++) expect(await invoke(`k${index}`)).toMatchObject({ result: { run: CALLS + index + 1 } });
      expect(seen.runs).toHaveLength(2 * CALLS);
    });
  }
});

test('several nodes: a retry at another node runs, and of two at once one runs and the other joins', {
  tags: ['postgres', 'nats'],
}, async () => {
  const [here, there] = (await startNodes(2)) as [TestService, TestService];
  const { seen, define } = shop({ failures: 2 });
  await here.toolkit('shop', define);
  await offeredAt([there], 'shop__buy');
  const { key } = await here.keys.create({ kind: 'agent', name: 'agent', budget: BUDGET });
  const [atHere, atThere] = [callerOf(here, key), callerOf(there, key)];
  const failed = (run: number) => expect.objectContaining({ code: 'ACTION_FAILED', invocationId: seen.runs[run]?.invocationId });
  expect(await atThere('k', 'shop__sell')).toEqual(failed(0));
  expect(await atHere('k', 'shop__sell')).toEqual(failed(1));
  const gate = Promise.withResolvers<void>();
  seen.gate = gate.promise;
  const both = [atHere('k', 'shop__sell'), atThere('k', 'shop__sell')];
  await vi.waitFor(() => expect(seen.runs).toHaveLength(3));
  gate.resolve();
  const { invocationId } = seen.runs[2] as Run;
  for (const answer of await Promise.all(both))
    expect(answer).toMatchObject({ invocationId, result: { run: 3 }, payment: { charged: '1' } });
  expect(seen.runs).toHaveLength(3);
});
