/** The records of calls: their path, their content by the settings, and their counts. */
import { Toolkit } from 'svc-sdk';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Settings } from '#sdk/protocol/admin';
import { type RecordedService, startRecorded } from '../../../test/support/recorded-service';
import { runToolkit } from '../../../test/support/service';

const SOON = { timeout: 30_000 };
/** A change of the settings is read so often, by the clock of the test. */
const REFRESH_MS = 5_000;

function fakeIntervals(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits until the changed settings are applied. */
function untilFollowed(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(async () => {
    vi.advanceTimersByTime(REFRESH_MS);
    await check();
  }, SOON);
}

function shop() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const started = vi.fn();
  const define = (toolkit: Toolkit) => {
    toolkit.action({ action: 'echo', actionDescription: 'Gives back' }, (_ctx, payload) => payload);
    toolkit.action({ action: 'fail', actionDescription: 'Fails' }, () => {
      throw new Error('no stock of kaleidoscopes');
    });
    toolkit.action({ action: 'report', actionDescription: 'Reports' }, (ctx) => {
      ctx.progress({ progress: 1, total: 2, message: 'half of the kaleidoscopes' });
      return 'done';
    });
    toolkit.action({ action: 'wait', actionDescription: 'Waits' }, async (ctx) => {
      started();
      ctx.signal.addEventListener('abort', release);
      await released;
      return 'waited';
    });
  };
  return { define, release: () => release(), started };
}

async function withShop(settings: Partial<Settings> = {}) {
  const service = await startRecorded({ settings });
  const { define, release, started } = shop();
  await service.toolkit('shop', define);
  return { service, tools: await service.tools(), release, started };
}

async function whats(service: RecordedService, id?: string): Promise<string[]> {
  return (await service.timeline(id)).map(({ what }) => what);
}

test('the record of a call has its arrival, its node, its process and its outcome', async () => {
  const { service, tools } = await withShop();
  await tools.invoke('shop__echo', { city: 'Bonn' });
  await vi.waitFor(async () => expect(await whats(service)).toEqual(['received', 'claimed', 'sent', 'ended']), SOON);
  const timeline = await service.timeline();
  expect(timeline[0]).toEqual({ ms: 0, what: 'received', detail: service.store.node });
  expect(timeline[2]?.detail).toMatch(new RegExp(`^process \\S+ at ${service.store.node}$`));
  expect(timeline[3]?.detail).toBe('OK');
  expect(timeline.map(({ ms }) => ms)).toEqual(timeline.map(({ ms }) => ms).sort((a, b) => a - b));
});

test('progress is stored as a number; its message is not', async () => {
  const { service, tools } = await withShop({ content: 'all' });
  await tools.invoke('shop__report', {});
  await vi.waitFor(async () => expect(await whats(service)).toContain('ended'), SOON);
  expect(await service.timeline()).toContainEqual({ ms: expect.any(Number), what: 'progress', detail: '1 of 2' });
  expect(JSON.stringify(await service.details())).not.toContain('half of the kaleidoscopes');
});

test('a queued call is recorded as queued, and an abandoned call as cancelled', async () => {
  const service = await startRecorded({ limits: { invocationsPerToolkit: 1 } });
  const { define, started } = shop();
  await service.toolkit('shop', define);
  const tools = await service.tools();
  const caller = new AbortController();
  const running = tools.invoke('shop__wait', {}, { signal: caller.signal }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(started).toHaveBeenCalled());
  await expect(tools.invoke('shop__echo', {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  const admitted = tools.invoke('shop__report', {});
  caller.abort();
  await Promise.all([running, admitted]);
  await vi.waitFor(async () => {
    const ways = await Promise.all((await service.calls()).map(async ({ id, action }) => [action, ...(await whats(service, id))]));
    expect(ways).toContainEqual(['shop__wait', 'received', 'claimed', 'sent', 'cancelled', 'ended']);
    expect(ways).toContainEqual(['shop__echo', 'received', 'waiting', 'cancelled', 'ended']);
  }, SOON);
});

test('a long call can be read while it runs', async () => {
  const { service, tools, release } = await withShop();
  const call = tools.invoke('shop__wait', {});
  await vi.waitFor(async () => expect(await whats(service)).toEqual(['received', 'claimed', 'sent']), SOON);
  release();
  await call;
  await vi.waitFor(async () => expect(await whats(service)).toEqual(['received', 'claimed', 'sent', 'ended']), SOON);
});

test('the record of an idempotent call whose process is lost has both processes', async () => {
  const service = await startRecorded({ limits: { reconnectGraceMs: 100 } });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'shop' });
  const lost = vi.fn();
  const define = (answer?: string) => (toolkit: Toolkit) =>
    toolkit.action({ action: 'look', actionDescription: 'Looks', annotations: { idempotent: true } }, async () => {
      if (answer !== undefined) return answer;
      lost();
      return new Promise(() => {});
    });
  const first = new Toolkit({ baseUrl: service.url, apiKey: key });
  define()(first);
  first.run().catch(() => {});
  await first.ready;
  const call = (await service.tools()).invoke('shop__look', {});
  await vi.waitFor(() => expect(lost).toHaveBeenCalled());
  await runToolkit(service.url, key, define('found'));
  await first.stop({ timeoutMs: 0 });
  expect(await call).toMatchObject({ result: 'found' });
  await vi.waitFor(async () => expect(await whats(service)).toContain('ended'), SOON);
  expect(await whats(service)).toEqual(['received', 'claimed', 'sent', 'lost', 'sent', 'ended']);
  const [one, other] = (await service.timeline()).filter(({ what }) => what === 'sent');
  expect(one?.detail).not.toBe(other?.detail);
});

test('a retry and a call that joins a running one leave the details of the first alone', async () => {
  const { service, tools, release, started } = await withShop({ content: 'all' });
  const options = { idempotencyKey: 'one' };
  const first = tools.invoke('shop__wait', { n: 1 }, options);
  await vi.waitFor(() => expect(started).toHaveBeenCalledOnce());
  const joined = tools.invoke('shop__wait', { n: 1 }, options);
  release();
  await Promise.all([first, joined]);
  await vi.waitFor(async () => expect(await whats(service)).toContain('ended'), SOON);
  const before = await service.details();
  expect(await tools.invoke('shop__wait', { n: 1 }, options)).toMatchObject({ replayed: true });
  await tools.invoke('shop__echo', {});
  await vi.waitFor(async () => expect(await service.calls()).toHaveLength(2));
  expect(await service.details((await first).invocationId)).toEqual(before);
});

test.each([
  ['off', { ok: [false, false], failed: [false, false], refused: false }],
  ['errors', { ok: [false, false], failed: [true, true], refused: true }],
  ['all', { ok: [true, true], failed: [true, true], refused: true }],
] as const)('with content %s exactly that is stored', async (content, expected) => {
  const service = await startRecorded({ settings: { content, redact: ['pin'] } });
  await service.toolkit('shop', (toolkit) => {
    shop().define(toolkit);
    const payloadDescription = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    toolkit.action({ action: 'strict', actionDescription: 'Wants a number', payloadDescription }, () => 1);
  });
  const tools = await service.tools();
  await tools.invoke('shop__echo', { city: 'Bonn', pin: '1234' });
  await tools.invoke('shop__fail', { city: 'Bonn', pin: '1234' }).catch(() => {});
  await tools.invoke('shop__strict', { id: 'Bonn', pin: '1234' }).catch(() => {});
  const kept = async (action: string) => {
    const call = (await service.calls()).find((it) => it.action === action);
    const details = await service.details(call?.id ?? '');
    expect(details?.timeline).toContain('ended');
    return [details?.payload ?? null, details?.result ?? null] as const;
  };
  const sent = '{"city":"Bonn","pin":"[redacted]"}';
  await vi.waitFor(async () => {
    const [payload, result] = await kept('shop__echo');
    expect([payload, result]).toEqual(expected.ok.map((is) => (is ? sent : null)));
  }, SOON);
  await vi.waitFor(async () => {
    const [payload, error] = await kept('shop__fail');
    expect(payload).toBe(expected.failed[0] ? sent : null);
    if (expected.failed[1]) expect(JSON.parse(error ?? '')).toMatchObject({ code: 'ACTION_FAILED' });
    else expect(error).toBeNull();
  }, SOON);
  await vi.waitFor(async () => {
    const [payload, error] = await kept('shop__strict');
    expect(payload !== null).toBe(expected.refused);
    if (expected.refused) expect([payload, JSON.parse(error ?? '').code]).toEqual(['{"id":"Bonn","pin":"[redacted]"}', 'INVALID_PAYLOAD']);
  }, SOON);
});

test('a call that began before content was turned off leaves none, nor does what ended before', async () => {
  fakeIntervals();
  const { service, tools, release, started } = await withShop({ content: 'all' });
  await tools.invoke('shop__echo', { city: 'Bonn' });
  await vi.waitFor(async () => expect((await service.details())?.payload).toContain('Bonn'), SOON);
  const ended = (await service.calls())[0]?.id ?? '';
  const call = tools.invoke('shop__wait', { city: 'Bonn' });
  await vi.waitFor(() => expect(started).toHaveBeenCalled());
  await service.store.settings.put([{ name: 'content', value: 'off' }], Date.now());
  await untilFollowed(async () => expect(await service.details(ended)).toMatchObject({ payload: null, result: null }));
  release();
  const { invocationId } = await call;
  await vi.waitFor(async () => expect(await whats(service, invocationId)).toContain('ended'), SOON);
  expect(await service.details(invocationId)).toMatchObject({ payload: null, result: null });
});

test('a call that began before content was turned on leaves none', async () => {
  fakeIntervals();
  const { service, tools, release, started } = await withShop({ content: 'off' });
  const call = tools.invoke('shop__wait', { city: 'Bonn' });
  await vi.waitFor(() => expect(started).toHaveBeenCalled());
  await service.store.settings.put([{ name: 'content', value: 'all' }], Date.now());
  await untilFollowed(async () => {
    const { invocationId } = await tools.invoke('shop__echo', { city: 'Bonn' });
    await vi.waitFor(async () => expect((await service.details(invocationId))?.timeline).toContain('ended'));
    expect((await service.details(invocationId))?.payload).toContain('Bonn');
  });
  release();
  const { invocationId } = await call;
  await vi.waitFor(async () => expect(await whats(service, invocationId)).toContain('ended'), SOON);
  expect(await service.details(invocationId)).toMatchObject({ payload: null, result: null });
});

test('calls are counted by minute and hour, for all, their key, toolkit and action; an unknown id makes no row', async () => {
  const { service, tools } = await withShop();
  await tools.invoke('shop__echo', {});
  await tools.invoke('shop__echo', {});
  await tools.invoke('shop__fail', {}).catch(() => {});
  await tools.invoke('shop__made_up', {}).catch(() => {});
  const span = { from: Date.now() - 2 * 3_600_000, to: Date.now() + 60_000 };
  const counted = async (dimension: 'all' | 'key' | 'toolkit' | 'action', step: 60 | 3600) => {
    const sums: Record<string, number> = {};
    for (const { name, code, calls } of await service.store.counts.totals({ dimension, step, ...span })) {
      const at = `${dimension === 'key' ? '' : name} ${code}`.trim();
      sums[at] = (sums[at] ?? 0) + calls;
    }
    return sums;
  };
  const all = { OK: 2, ACTION_FAILED: 1, ACTION_NOT_FOUND: 1 };
  for (const step of [60, 3600] as const) {
    await vi.waitFor(async () => expect(await counted('all', step)).toEqual(all), SOON);
    expect(await counted('key', step)).toEqual(all);
    expect(await counted('toolkit', step)).toEqual({ 'shop OK': 2, 'shop ACTION_FAILED': 1 });
    expect(await counted('action', step)).toEqual({ 'shop__echo OK': 2, 'shop__fail ACTION_FAILED': 1 });
  }
});
