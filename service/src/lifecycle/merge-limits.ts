/** Merges the operator's changes into the default limits. */
import { SvcError } from '#sdk/protocol/errors';
import { DEFAULT_LIMITS, type Limits } from '#sdk/protocol/limits';

/** Limits that become timers; the heartbeat timer is 2.5 times its limit. A Node timer above 2^31 ms fires at once. */
const TIMERS: ReadonlySet<string> = new Set<keyof Limits>([
  'defaultTimeoutMs',
  'maxTimeoutMs',
  'longTimeoutMs',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'answerTimeoutMs',
  'handshakeTimeoutMs',
  'heartbeatMs',
  'reconnectGraceMs',
  'takeoverGraceMs',
]);
const MAX_TIMER_MS = 10 * 24 * 60 * 60 * 1000;

/** @throws SvcError INVALID_REQUEST */
export function mergeLimits(changes: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new SvcError('INVALID_REQUEST', `There is no limit "${name}"; there are ${Object.keys(DEFAULT_LIMITS).join(', ')}`);
    if (!Number.isSafeInteger(value) || value < 1)
      throw new SvcError('INVALID_REQUEST', `Limit ${name} must be a whole number above 0, not ${value}`);
    if (TIMERS.has(name) && value > MAX_TIMER_MS)
      throw new SvcError('INVALID_REQUEST', `Limit ${name} must be at most ${MAX_TIMER_MS} ms, ten days, not ${value}`);
  }
  return { ...DEFAULT_LIMITS, ...changes };
}
