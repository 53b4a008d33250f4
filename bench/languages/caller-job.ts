/** Messages between the bench and its callers, in all languages. */
export interface CallerJob {
  /** `bare`: the same POST without the SDK. `sync_invoke`: callers in threads, in Python. */
  kind: 'bare' | 'invoke' | 'call_tool' | 'sync_invoke';
  baseUrl: string;
  apiKey: string;
  action: string;
  payload: object;
  /** Calls in flight at any time. */
  concurrency: number;
  /** Calls of the warm-up do not count. */
  warmUpMs: number;
  measureMs: number;
}

export interface CallerResult {
  calls: number;
  perSecond: number;
  /** User and system time of the caller. */
  cpuMsPerCall: number;
}
