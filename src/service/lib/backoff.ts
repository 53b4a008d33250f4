/**
 * Exponential backoff with equal jitter: milliseconds to wait after so many failures in a row.
 *
 * Source: "equal jitter" of https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoffMs(failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  const limitMs = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return Math.ceil((limitMs * (1 + Math.random())) / 2);
}
