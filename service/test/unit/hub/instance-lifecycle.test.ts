import { afterEach, expect, test, vi } from 'vitest';
import { InstanceLifecycle } from '../../../src/hub/instance-lifecycle';
import type { ReplicaDirectory } from '../../../src/hub/replica-directory';
import { newCall } from '../calls/new-call';

afterEach(() => void vi.useRealTimers());

function setUp() {
  vi.useFakeTimers();
  return new InstanceLifecycle({
    directory: { of: () => ({ byInstance: new Map() }) } as unknown as ReplicaDirectory,
    registry: { mayRepeat: (id) => id === 'shop__read' },
    limits: { reconnectGraceMs: 1_000, takeoverGraceMs: 5_000 },
  });
}

test('a process that registers is asked about calls whose grace period ends meanwhile', async () => {
  const lifecycle = setUp();
  const asked: (readonly string[])[] = [];
  lifecycle.onReturned(async (_, ids) => {
    asked.push(ids);
    await vi.advanceTimersByTimeAsync(2_000);
    return ids.map((id) => newCall(undefined, id).attempt);
  });
  lifecycle.adopt(newCall(undefined, 'inv_1').attempt, 1_000);
  const returned = await lifecycle.returned('shop', { instance: 'one', unfinished: ['inv_1', 'inv_2'] });
  expect(asked).toEqual([['inv_2'], ['inv_1']]);
  expect(returned.map(({ id }) => id)).toEqual(['inv_2', 'inv_1']);
});

test('the attempts of a process that leaves while it registers wait for it, and are lost after the time of a takeover', async () => {
  const lifecycle = setUp();
  const { attempt } = newCall();
  const end = vi.fn();
  attempt.onEnd(end);
  lifecycle.keep([attempt]);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(end).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(end).toHaveBeenCalledWith({ gone: 'lost' });
});

test('a call that was found before the store failed waits for its process', async () => {
  const lifecycle = setUp();
  const found = newCall(undefined, 'inv_2').attempt;
  lifecycle.adopt(newCall(undefined, 'inv_1').attempt, 1_000);
  let asked = 0;
  lifecycle.onReturned(async () => {
    if (++asked > 1) throw new Error('The database is away');
    await vi.advanceTimersByTimeAsync(2_000);
    return [found];
  });
  await expect(lifecycle.returned('shop', { instance: 'one', unfinished: ['inv_1', 'inv_2'] })).rejects.toThrow('The database is away');
  expect(await lifecycle.returned('shop', { instance: 'one', unfinished: ['inv_2'] })).toEqual([]);
});
