/**
 * Stored runs of code. Programs, kept answers and results are sealed; the store sees no key.
 *
 * Terms:  the *driver* of a run is the node that runs its program, or watches the calls for which it waits. A run whose driver has ended is taken over.
 * Units:  times are milliseconds since the epoch, by the database's clock; `deadlineAt` by that of the driver.
 * Errors: as in `store.ts`.
 */
import type { KeptText } from '../lib/kept-texts';

export type RunStatus = 'running' | 'waiting' | 'done' | 'failed';

export interface NewRun {
  /** `run_…`. */
  id: string;
  agentKeyId: string;
  /** The user that may see the run; null: any holder of the key. */
  userId: string | null;
  sessionId: string | null;
  idempotencyKey: string;
  /** SHA-256 of code and user, lower-case hex. */
  requestHash: string;
  code: KeptText;
  /** JSON: with whose rights the program makes its calls, and with which limits. */
  caller: string;
  /** The time that one attempt may take. */
  timeoutMs: number;
  deadlineAt: number;
}

export interface RunRecord extends NewRun {
  status: RunStatus;
  /** How often the program began again. */
  attempt: number;
  calls: number;
  /** The calls that wait, and answers that are given again; null: nothing is kept. */
  state: KeptText | null;
  /** Null before the end. */
  answer: KeptText | null;
  /** The driver; null: none. */
  node: string | null;
  cancelledAt: number | null;
  createdAt: number;
  /** Null while it runs or waits. */
  endedAt: number | null;
}

/** The most runs of one key. */
export interface RunLimits {
  running: number;
  waiting: number;
}

/** `isNew`: false for an earlier run. */
export interface AddedRun {
  run: RunRecord;
  isNew: boolean;
}

export interface RunProgress {
  id: string;
  status: RunStatus;
  isCancelled: boolean;
}

export interface EndedProgram {
  status: 'done' | 'failed';
  answer: KeptText;
  calls: number;
}

export interface RunList {
  /** Undefined: the runs of all keys. */
  agentKeyIds: readonly string[] | undefined;
  /** The conversation. */
  sessionId?: string | undefined;
  limit: number;
  /** Id after which the list goes on. */
  before?: string | undefined;
}

export interface RunStore {
  /**
   * Stores a run that this node drives. Resolves with the earlier run where its key has one with the same idempotency key, and with undefined,
   * storing nothing, while the key has too many.
   */
  add(run: NewRun, limits: RunLimits): Promise<AddedRun | undefined>;
  /** Removes a run that has ended. */
  forget(id: string): Promise<void>;
  get(id: string): Promise<RunRecord | undefined>;
  /** The run with this idempotency key. */
  named(agentKeyId: string, idempotencyKey: string): Promise<RunRecord | undefined>;
  /** Newest first: ids begin with their time. */
  list(query: RunList): Promise<RunRecord[]>;
  states(ids: readonly string[]): Promise<RunProgress[]>;
  /** Makes this node the driver of up to `limit` runs that have none, or one that has ended. */
  takeAbandoned(limit: number): Promise<RunRecord[]>;
  /** Ids of the runs that have not ended whose driver is this node. */
  driven(): Promise<string[]>;
  /** Leaves the runs of this node to other nodes. */
  letGo(): Promise<void>;
  /** The program begins again. Does nothing to a run that has ended. */
  begin(id: string, deadlineAt: number): Promise<void>;
  /** Stores the number of calls so far. */
  report(calls: ReadonlyMap<string, number>): Promise<void>;
  /** Keeps answers for the next attempt. Does nothing to a run that has ended. */
  keep(id: string, state: KeptText): Promise<void>;
  /** The program waits. Does nothing to a run that has ended. */
  suspend(id: string, state: KeptText, calls: number): Promise<void>;
  /** A waiting run is to go on. */
  wake(id: string): Promise<void>;
  /** Does nothing to a run that has ended. */
  cancel(id: string): Promise<void>;
  /** Ends the run and removes its kept answers. Does nothing to a run that has ended. */
  end(id: string, end: EndedProgram): Promise<void>;
  /** Removes runs that ended `ms` ago. */
  removeEnded(ms: number): Promise<void>;
}
