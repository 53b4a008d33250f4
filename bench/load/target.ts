/** A target of load: a service and its toolkit, each a process, with an action that echoes its payload. */
import type { LoadJob } from './job.ts';

export interface Target {
  name: string;
  start(): Promise<RunningTarget>;
}

export interface RunningTarget {
  /** More than one: calls spread over them. */
  origins: readonly string[];
  /** Id of the echo action. */
  actionId: string;
  agentKey: string;
  /** Calls carry a fresh idempotency key each. */
  keyed: boolean;
  /** Default: a call of the echo action. */
  request?: TargetRequest;
  /** User and system time that the relay, not caller nor toolkit, has taken so far. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

export interface TargetRequest extends Pick<LoadJob, 'path' | 'status' | 'echo'> {
  /** Serialized as JSON. */
  body: unknown;
}
