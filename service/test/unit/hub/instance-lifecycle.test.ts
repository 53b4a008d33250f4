import { afterEach, expect, test, vi } from 'vitest';
import { InstanceLifecycle } from '../../../src/hub/instance-lifecycle';
import type { ReplicaDirectory } from '../../../src/hub/replica-directory';
import { newCall } from '../calls/new-call';

afterEach(() => void vi.useRealTimers());

test('a process that registers is asked about calls whose grace period ends meanwhile', async () => {
  vi.useFakeTimers();
  const lifecycle = new InstanceLifecycle({
    directory: { of: () => ({ byInstance: new Map() }) } as unknown as ReplicaDirectory,
    registry: { mayRepeat: () => false },
    limits: { reconnectGraceMs: 1_000, takeoverGraceMs: 1_000 },
  });
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
