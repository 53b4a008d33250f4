import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ReadShare } from '../../../src/hub/read-share';

// Only the clock that measures the frames: on a busy machine a frame of 2 ms may take 20.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

function socket() {
  const it = { isPaused: false, pause: () => set(true), resume: () => set(false) };
  const set = (isPaused: boolean) => {
    it.isPaused = isPaused;
  };
  return it;
}

/** A frame that takes so long. */
const busy =
  (ms: number, isRequest = false) =>
  () => {
    vi.advanceTimersByTime(ms);
    return isRequest;
  };

function twoSockets() {
  const share = new ReadShare();
  const sockets = [socket(), socket()] as const;
  for (const it of sockets) share.add(it);
  return { share, sockets, paused: () => sockets.map(({ isPaused }) => isPaused) };
}

test('frames within the share stop nothing', () => {
  const { share, paused } = twoSockets();
  share.handle(busy(2));
  expect(paused()).toEqual([false, false]);
});

test('a used-up share stops reading all sockets of the key until the next turn', async () => {
  const { share, paused } = twoSockets();
  for (let frame = 0; frame < 5; frame++) share.handle(busy(3));
  expect(paused()).toEqual([true, true]);
  await nextTurn();
  await nextTurn();
  expect(paused()).toEqual([false, false]);
});

test('a request that took long is followed by a longer pause', async () => {
  const { share, paused } = twoSockets();
  share.handle(busy(20, true));
  const begin = Date.now();
  expect(paused()).toEqual([true, true]);
  await share.caughtUp();
  expect(paused()).toEqual([false, false]);
  expect(Date.now() - begin).toBeGreaterThan(70);
});

test('a held socket stays held after the pause of its key, and a new socket waits for the pause', async () => {
  const { share, sockets, paused } = twoSockets();
  share.hold(sockets[0]);
  share.handle(busy(12));
  const late = socket();
  share.add(late);
  expect(late.isPaused).toBe(true);
  await nextTurn();
  await nextTurn();
  expect([...paused(), late.isPaused]).toEqual([true, false, false]);
  share.release(sockets[0]);
  expect(paused()).toEqual([false, false]);
});

test('a closed socket is ignored', async () => {
  const { share, sockets } = twoSockets();
  share.handle(busy(12));
  share.remove(sockets[0]);
  await nextTurn();
  await nextTurn();
  share.release(sockets[0]);
  expect(sockets.map(({ isPaused }) => isPaused)).toEqual([true, false]);
});
