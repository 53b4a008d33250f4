/** Messages between the bench and its caller process, over the channel that `fork` opens. */
export interface LoadJob {
  /** Callers spread over them. `nats:` addresses take plain requests, the rest HTTP. */
  origins: readonly string[];
  /** Or the subject, for `nats:`. */
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Status of a good answer over HTTP. */
  status: number;
  /** Text that every answer must contain, byte for byte. */
  echo: string;
  /** A fresh idempotency key with every call. */
  keyed: boolean;
  /** Calls in flight at any time, one connection each. */
  concurrency: number;
  /** The pace of all callers together. Default: each calls as soon as it has its answer. */
  callsPerSecond?: number;
  /** Calls that end within this many milliseconds from the start are not counted. */
  warmUpMs: number;
  measureMs: number;
}

export interface LoadResult {
  /** Good answers, those of the warm-up too. */
  answered: number;
  /** Good answers within the measured time. */
  calls: number;
  perSecond: number;
  /** Milliseconds. */
  p50Ms: number;
  p99Ms: number;
  /** Error -> how often it occurred, also in the warm-up. */
  errors: Record<string, number>;
}
