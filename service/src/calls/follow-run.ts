/** Waits for the end of a call that goes on without its callers, as a caller of it. */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '#sdk/protocol/errors';
import type { Progress, UnfinishedInvocation } from '#sdk/protocol/http';
import { within } from '../lib/within';
import { LATE_MS, whileAway } from '../store/store-unavailable';
import type { CallRequest } from './call-request';
import type { CallShutdown } from './call-shutdown';
import type { DetachedRunner } from './detached/detached-runner';

/** Interval of reading reports, which are stored each second. */
const REPORT_MS = 1_000;

export interface FollowingCaller extends Pick<CallRequest, 'key' | 'onDisconnect' | 'onProgress'> {
  /** The handle. */
  id: string;
  timeoutMs: number;
}

/** Resolves with the JSON text of an `InvokeResponse`. Rejects with the error of the call, or with the one with which the caller leaves. */
export async function followRun(
  { detached, shutdown }: { detached: Pick<DetachedRunner, 'follow'>; shutdown: Pick<CallShutdown, 'error'> },
  { id, key, timeoutMs, onDisconnect, onProgress }: FollowingCaller,
): Promise<string> {
  let isGone = false;
  let leave = () => {};
  onDisconnect(() => {
    isGone = true;
    leave();
  });
  const until = performance.now() + timeoutMs;
  let reported: Progress | undefined;
  for (;;) {
    const lookedAt = performance.now();
    const left = Math.max(0, until - lookedAt);
    const waitMs = onProgress ? Math.min(left, REPORT_MS) : left;
    const onEarlyEnd = (listener: () => void) => {
      leave = listener;
      if (isGone) leave();
    };
    const asked = detached.follow(id, key, { waitMs, onDisconnect: onEarlyEnd });
    const followed = await within(waitMs + LATE_MS, whileAway(asked, undefined), undefined);
    if (!followed && !isGone) {
      // The call goes on, and its caller has the error of its deadline in time.
      if (left === 0) throw tooLate(id, timeoutMs);
      await delay(Math.min(REPORT_MS, Math.max(0, until - performance.now())));
      continue;
    }
    if (followed?.status === 200) return followed.json;
    if (!followed || isGone) throw new SvcError('INVOCATION_CANCELLED', `The caller of ${id} left`, { invocationId: id });
    // The node lets its calls go.
    if (performance.now() < lookedAt + waitMs) throw shutdown.error('try again');
    const { progress } = JSON.parse(followed.json) as UnfinishedInvocation;
    if (progress && !isEqual(progress, reported)) onProgress?.(progress);
    reported = progress;
    if (waitMs === left) throw tooLate(id, timeoutMs);
  }
}

function isEqual(one: Progress, other: Progress | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function tooLate(id: string, timeoutMs: number): SvcError {
  const message = `No result of ${id} in ${timeoutMs} ms: it goes on, and the same call gets its result`;
  return new SvcError('INVOCATION_TIMEOUT', message, { invocationId: id, retryable: false });
}
