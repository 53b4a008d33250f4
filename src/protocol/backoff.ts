/**
 * Exponential backoff with jitter: milliseconds to wait after so many failures in a row, counted from 1. The limit doubles with each failure.
 *
 * `toolkit/backoff.ts` is the other one: the limit of a reconnect grows with the time that was waited already.
 * Source: "full jitter" and "equal jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export interface BackoffLimits {
  firstMs: number;
  longestMs: number;
}

/** A random time below the limit. Callers that failed together do not return together. */
export function fullJitterMs(failures: number, limits: BackoffLimits): number {
  return Math.random() * limitMs(failures, limits);
}

/** A random time between half of the limit and the limit: a server that fails gets time to recover. */
export function equalJitterMs(failures: number, limits: BackoffLimits): number {
  return Math.ceil((limitMs(failures, limits) * (1 + Math.random())) / 2);
}

function limitMs(failures: number, { firstMs, longestMs }: BackoffLimits): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
