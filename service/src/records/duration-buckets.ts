/**
 * Durations of calls in logarithmic buckets: a few counts give the percentiles of any number of calls.
 *
 * Units:  milliseconds, from 0.1 to 600,000; shorter and longer ones count as these.
 * Shape:  bucket n holds durations of at least 0.1 * 1.2^n ms and less than 0.1 * 1.2^(n + 1); its middle, 0.1 * 1.2^(n + 1/2), is at most 9.6 % off.
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
 * The bucket of that percentile.
 *
 * @param longest all counts, or those from some bucket on. Undefined when the percentile is below that bucket
 * @param total number of all calls
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
