/** What can be put under load: a service and its toolkit, each a process, with an action that gives its payload back. */
export interface Target {
  name: string;
  start(): Promise<RunningTarget>;
}

export interface RunningTarget {
  origin: string;
  /** Of the echo action. */
  actionId: string;
  agentKey: string;
  /** Calls carry a fresh idempotency key each. */
  keyed: boolean;
  stop(): Promise<void>;
}
