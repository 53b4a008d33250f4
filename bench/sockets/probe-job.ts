/** Messages between the bench and its prober. */
export type ProbeJob = { do: 'start'; origin: string; actionId: string; agentKey: string } | { do: 'stop' };

export interface ProbeResult {
  /** Successful answers; the latencies are of these. */
  calls: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Error code, of the service or of the connection -> how often. */
  failures: Record<string, number>;
}
