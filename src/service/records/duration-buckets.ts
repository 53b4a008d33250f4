/**
 * Durations of calls in logarithmic steps, so that percentiles of any number of calls can be told from a few counts.
 *
 * Units:  milliseconds, from 0.1 to 600,000; what is shorter or longer counts as those.
 * Shape:  bucket n holds what is at least 0.1 * 1.2^n ms and less than 0.1 * 1.2^(n + 1); its middle, 0.1 * 1.2^(n + 1/2), is at most 9.6 % off.
 */
const SHORTEST_MS = 0.1;
const LONGEST_MS = 600_000;
const STEP = 1.2;

export const LAST_BUCKET = Math.floor(Math.log(LONGEST_MS / SHORTEST_MS) / Math.log(STEP));

interface BucketCount {
  bucket: number;
  calls: number;
}

export function bucketOf(ms: number): number {
  const bucket = Math.floor(Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / Math.log(STEP));
  return Math.min(LAST_BUCKET, bucket);
}

/**
 * The duration that a share `q` (0 to 1) of the calls did not exceed (nearest rank), to within 10 %. Undefined without calls.
 *
 * @param counts in any order; a bucket may come more than once
 */
export function percentile(counts: readonly BucketCount[], q: number): number | undefined {
  const bucket = percentileBucket(
    counts,
    q,
    counts.reduce((sum, { calls }) => sum + calls, 0),
  );
  return bucket === undefined ? undefined : Math.min(LONGEST_MS, SHORTEST_MS * STEP ** (bucket + 0.5));
}

/**
 * The bucket of that duration.
 *
 * @param longest all calls, or those from some bucket on: undefined when that bucket is beyond the one that is asked for
 * @param total how many all calls are
 */
export function percentileBucket(longest: readonly BucketCount[], q: number, total: number): number | undefined {
  if (total === 0) return undefined;
  let left = total - Math.max(1, Math.ceil(q * total));
  for (const { bucket, calls } of longest.toSorted((a, b) => b.bucket - a.bucket)) {
    left -= calls;
    if (left < 0) return bucket;
  }
  return undefined;
}
