/** What an engine does for the calls in it. `invocations.ts` does the rest, once for all engines. */
import { randomUUID } from 'node:crypto';
import type { SvcError } from '../../protocol/errors';
import type { InvocationDetails } from './console-store';
import type { ListQuery } from './sql/invocation-list';
import type { InvocationOutcome, InvocationRecord, InvocationStart } from './store';

/** A change of a call that is durable before anybody hears of it. `done` gets an error, or undefined and what came of it. */
export type CallWrite = StartWrite | EndWrite | RefusalWrite;

/** A call with an idempotency key. */
export interface StartWrite {
  op: 'start';
  call: InvocationStart;
  /** `started` is false when the key is taken. */
  done(error: unknown, started?: boolean): void;
}

export interface EndWrite {
  op: 'end';
  id: string;
  outcome: InvocationOutcome;
  /** The outcome that stands; undefined when there is no such call. */
  done(error: unknown, stands?: InvocationOutcome): void;
}

/** Frees the idempotency key of a call that ended before it reached a handler. */
export interface RefusalWrite {
  op: 'refused';
  /** Without the key. */
  record: InvocationRecord;
  done(error: unknown): void;
}

/** The name of this process among the nodes: also a token of a subject on the bus. */
export function newNodeId(): string {
  return `node_${randomUUID().replaceAll('-', '')}`;
}

/** Outcomes that a handler gave. Any other only tells why nobody waited for one, and replaces none. */
export const SAID_BY_HANDLER = ['OK', 'ACTION_FAILED'] as const;

export function isSaidByHandler(code: string): boolean {
  return (SAID_BY_HANDLER as readonly string[]).includes(code);
}

interface AnyEngine {
  /** This node. */
  readonly node: string;
  /** Groups that it commits at a time. */
  readonly lanes: number;
  /** Makes the writes durable, and calls `done` of each. When it throws or rejects, nothing of the group is durable. */
  commit(group: readonly CallWrite[]): void | Promise<void>;
  /** Adds or replaces rows. A row that the database can never take is reported to `onError`, and counts as saved. */
  save(records: readonly InvocationRecord[], details: readonly InvocationDetails[]): Promise<void>;
  /** Gives calls without an outcome to this node. */
  take(ids: readonly string[]): Promise<InvocationRecord[]>;
  /** Gives the calls of nodes that do not live any more to this node, oldest first. */
  takeAbandoned(): Promise<InvocationRecord[]>;
  /** SERVICE_UNAVAILABLE for a fault that passes; undefined for any other. */
  asUnavailable(error: unknown): SvcError | undefined;
  close(): Promise<void>;
}

/** Only this process writes calls: it knows at once what the tables hold. What was committed is in a journal, until it is saved. */
export interface LocalEngine extends AnyEngine {
  readonly isShared: false;
  byKey(agentKeyId: string, idempotencyKey: string, scope: string): InvocationRecord | undefined;
  byId(id: string): InvocationRecord | undefined;
  /** Undefined for data in memory. */
  readonly journal: CallJournal | undefined;
  /** Rows were changed beside `save`. */
  changed(): void;
}

/** Other nodes write calls too: only a commit tells which start or outcome stands, and what was committed is in the tables. */
export interface SharedEngine extends AnyEngine {
  readonly isShared: true;
  byKey(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined>;
  byId(id: string): Promise<InvocationRecord | undefined>;
}

export type CallEngine = LocalEngine | SharedEngine;

export interface CallJournal {
  /** Long enough to be worth a new file. */
  readonly isLong: boolean;
  /** Leaves nothing but these calls. Atomic. Not while a commit is under way. */
  restart(records: () => Iterable<InvocationRecord>): void | Promise<void>;
}

/** What may take its time: the same SQL for all engines. */
export interface CallQueries {
  list(query: ListQuery): Promise<InvocationRecord[]>;
  lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>>;
  details(id: string): Promise<InvocationDetails | undefined>;
  remove(before: number): Promise<number>;
  forgetContent(): Promise<void>;
  forgetKeys(before: number): Promise<number>;
}
