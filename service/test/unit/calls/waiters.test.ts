import { expect, onTestFinished, test, vi } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import type { Ended } from '../../../src/calls/call-state';
import type { PendingCall } from '../../../src/calls/pending-call';
import { newCall } from './new-call';

interface Caller {
  answers: Ended[];
  leave: () => void;
}

function join(call: PendingCall, { timeoutMs = 1_000, keyId = 'key_a' } = {}): Caller {
  const caller: Caller = { answers: [], leave: () => {} };
  call.join({
    keyId,
    timeoutMs,
    onDisconnect: (listener) => {
      caller.leave = listener;
    },
    onProgress: undefined,
    answer: (ended) => caller.answers.push(ended),
  });
  return caller;
}

const code = ({ answers: [answer] }: Caller) => (answer && 'error' in answer ? answer.error.code : 'OK');

function fakeTime(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test('every caller of a call gets its outcome, also one that joins later', () => {
  const call = newCall();
  const callers = [join(call), join(call), join(call)];
  call.end({ responseJson: '{}' });
  callers.push(join(call));
  expect(callers.map(({ answers }) => answers)).toEqual(Array(4).fill([{ responseJson: '{}' }]));
});

test('each caller has its own deadline; the call is abandoned with the error of the last one', () => {
  fakeTime();
  const call = newCall();
  const abandoned = vi.fn();
  call.whenAbandoned(abandoned);
  const [first, second, third] = [join(call, { timeoutMs: 200 }), join(call, { timeoutMs: 100 }), join(call, { timeoutMs: 200 })];
  vi.advanceTimersByTime(150);
  expect([first.answers, third.answers]).toEqual([[], []]);
  expect(code(second)).toBe('INVOCATION_TIMEOUT');
  first.leave();
  expect(code(first)).toBe('INVOCATION_CANCELLED');
  expect(abandoned).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(code(third)).toBe('INVOCATION_TIMEOUT');
  expect(call.abandoned).toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  expect(abandoned).toHaveBeenCalledExactlyOnceWith(call.abandoned);
});

test('a deadline that was met costs no timer: those of later callers are kept', () => {
  fakeTime();
  const first = newCall();
  join(first, { timeoutMs: 100 });
  const timers = vi.getTimerCount();
  vi.advanceTimersByTime(60);
  const second = newCall();
  const caller = join(first, { timeoutMs: 100 });
  expect(vi.getTimerCount()).toBe(timers);
  first.end({ responseJson: '{}' });
  join(second, { timeoutMs: 100 });
  vi.advanceTimersByTime(99);
  expect(second.abandoned).toBeUndefined();
  vi.advanceTimersByTime(2);
  expect(second.abandoned).toMatchObject({ code: 'INVOCATION_TIMEOUT' });
  expect(caller.answers).toHaveLength(1);
});

test('a caller that joins an abandoned call makes it wanted again', () => {
  const call = newCall();
  const wanted = vi.fn();
  call.whenWanted(wanted);
  join(call).leave();
  expect(call.abandoned).toMatchObject({ code: 'INVOCATION_CANCELLED' });
  expect(wanted).not.toHaveBeenCalled();
  join(call);
  expect(call.abandoned).toBeUndefined();
  expect(wanted).toHaveBeenCalledOnce();
});

test('callers of one key are dismissed, the others stay; one that was answered leaves without effect', () => {
  const call = newCall();
  const [revoked, other] = [join(call, { keyId: 'key_a' }), join(call, { keyId: 'key_b' })];
  call.dismiss(new SvcError('KEY_REVOKED', 'revoked'), ({ keyId }) => keyId === 'key_a');
  expect(code(revoked)).toBe('KEY_REVOKED');
  expect(other.answers).toEqual([]);
  call.end({ responseJson: '{}' });
  other.leave();
  expect(other.answers).toHaveLength(1);
  expect(call.abandoned).toBeUndefined();
});

test('a call without a handler may be tried again after a timeout, one that follows another call may have run', () => {
  fakeTime();
  const waits = newCall();
  const follows = newCall();
  follows.follow();
  const callers = [join(waits, { timeoutMs: 10 }), join(follows, { timeoutMs: 10 })];
  vi.advanceTimersByTime(12);
  expect(callers.map(({ answers: [answer] }) => answer)).toEqual([
    { error: expect.objectContaining({ retryable: true, message: expect.stringContaining('did not run') }) },
    { error: expect.objectContaining({ retryable: false, message: expect.stringContaining('may still have run') }) },
  ]);
});
