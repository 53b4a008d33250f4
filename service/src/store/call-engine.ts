/** The interfaces of an engine: it stores calls, and decides which call holds a key. `call-buffer.ts` has the part that all engines share. */
import { randomUUID } from 'node:crypto';
import type { ModelError, SvcError } from '#sdk/protocol/errors';
import type { CallerQuery, ToolkitCallerSums } from './caller-store';
import type { InvocationDetails } from './console-store';
import type { ListQuery } from './sql/invocation-list';
import type {
  Callback,
  ForgottenResults,
  InvocationOutcome,
  InvocationRecord,
  InvocationStart,
  ResultSum,
  ResultsToForget,
  ToolkitErrorCount,
} from './store';

/** A change of a call that must be durable before anyone sees it. `done` receives an error, or undefined and the result. */
export type CallWrite = StartWrite | EndWrite | RefusalWrite;

/** A call with an idempotency key. */
export interface StartWrite {
  op: 'start';
  call: InvocationStart;
  /** `started` is false when the key is taken. PAYMENT_REQUIRED when the budget of the day does not cover the call. */
  done(error: unknown, started?: boolean): void;
}

export interface EndWrite {
  op: 'end';
  id: string;
  outcome: InvocationOutcome;
  /** Called each time when the database is unavailable and the commit will be tried again. Without it, `done` receives the error. */
  delayed?(error: SvcError): void;
  /** `final` is the recorded outcome; undefined when there is no such call. */
  done(error: unknown, final?: InvocationOutcome): void;
}

/** Frees the idempotency key of a call that ended before it reached a handler. */
export interface RefusalWrite {
  op: 'refused';
  /** The record, without its idempotency key. */
  record: InvocationRecord;
  done(error: unknown): void;
}

/** A unique name for this process among the nodes. It is also a token in subjects on the bus. */
export function newNodeId(): string {
  return `node_${randomUUID().replaceAll('-', '')}`;
}

/** Outcomes that come from a handler. Any other code explains why no handler answered, and never replaces a recorded outcome. */
export const SAID_BY_HANDLER = ['OK', 'ACTION_FAILED'] as const;

export function isSaidByHandler(code: string): boolean {
  return (SAID_BY_HANDLER as readonly string[]).includes(code);
}

/** An outcome that its handler calls retryable says that the attempt had no effect: the next call with the idempotency key runs. */
export function isRetryable({ code, body }: Pick<InvocationOutcome, 'code' | 'body'>): boolean {
  return code === 'ACTION_FAILED' && body !== null && (JSON.parse(body) as ModelError).retryable === true;
}

/** Stores calls. */
export interface CallEngine {
  readonly node: string;
  /** How many groups it commits concurrently. */
  readonly lanes: number;
  /** The commits that the tables lack. Undefined when commits go into the tables, or into memory. */
  readonly journal: CallJournal | undefined;
  /** Makes the writes durable, then calls `done` of each. If it throws or rejects, no write of the group is durable. */
  commit(group: readonly CallWrite[]): void | Promise<void>;
  /** Adds or replaces rows. A row that the database rejects for good is reported to `onError` and counts as saved. */
  save(records: readonly InvocationRecord[], details: readonly InvocationDetails[]): Promise<void>;
  byId(id: string): InvocationRecord | undefined | Promise<InvocationRecord | undefined>;
  /** Makes this node the owner of these calls, where they have no outcome. */
  take(ids: readonly string[]): Promise<InvocationRecord[]>;
  /** Makes this node the owner of the unfinished calls of dead nodes; returns them, oldest first. */
  takeAbandoned(): Promise<InvocationRecord[]>;
  /** Calls of this node without an outcome that started before. Empty where no answer of the database can be lost. */
  open(before: number): Promise<InvocationRecord[]>;
  /** SERVICE_UNAVAILABLE for a transient fault; undefined for any other. */
  asUnavailable(error: unknown): SvcError | undefined;
  /** Throws while nothing can be committed, if that can be found out without a commit. */
  probe(): void;
  /** Must be called after rows were changed by anything but `save`. */
  rowsChanged(): void;
  close(): Promise<void>;
}

export type KeyedCall = InvocationStart & { idempotencyKey: string };

/**
 * Claims of idempotency keys, holds of prices, and final outcomes. Each engine decides them: SQLite in this process, PostgreSQL in its tables,
 * because other nodes claim and end calls too.
 */
export interface CallClaims {
  /** The call that holds this idempotency key. Waits for a pending write of it. */
  find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined>;
  /**
   * Claims the key and holds the price of a paid call. `done` receives false when the key is taken, PAYMENT_REQUIRED when the budget of the day
   * does not cover the call.
   */
  claim(call: KeyedCall, done: Callback<boolean>): void;
  /** Records the outcome, books the charge of a paid call, and passes on the outcome that is final. */
  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void;
  /** Records a call that ended before it reached a handler, frees its key and releases its price. */
  refuse(call: InvocationStart, outcome: InvocationOutcome): void;
  /** Frees the key of a call that ended with ACTION_FAILED. */
  release(id: string): Promise<void>;
  /** Resolves when no earlier write of this call is pending. */
  decided(id: string): Promise<void>;
  /** Resolves when the outcomes of all earlier `end` calls are durable. */
  settled(): Promise<void>;
  /** Stops waiting for an unavailable database: the store is being closed. */
  giveUp(): void;
}

export interface CallJournal {
  /** True when the journal is long enough to be worth a new file. */
  readonly isLong: boolean;
  /** Atomically replaces the journal by one with these calls only. Must not run during a commit. */
  restart(records: () => Iterable<InvocationRecord>): void | Promise<void>;
}

/** Queries off the hot path: the same SQL for all engines. */
export interface CallQueries {
  list(query: ListQuery): Promise<InvocationRecord[]>;
  callers(query: CallerQuery): Promise<ToolkitCallerSums>;
  lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>>;
  details(id: string): Promise<InvocationDetails | undefined>;
  payloads(ids: readonly string[]): Promise<Map<string, string>>;
  results(ids: readonly string[]): Promise<Map<string, string>>;
  toolkitErrors(toolkitId: string, from: number): Promise<ToolkitErrorCount[]>;
  remove(before: number): Promise<number>;
  forgetContent(): Promise<void>;
  forgetKeys(before: number): Promise<number>;
  keptResults(agentKeyId: string): Promise<ResultSum>;
  forgetResults(agentKeyId: string, results: ResultsToForget): Promise<ForgottenResults>;
}
