/**
 * Calls in memory until the tables have them: the part of storing calls that all engines share.
 *
 * Path:   starts, outcomes and refusals of calls with an idempotency key are committed, together with all others of the event-loop turn, before
 *         the caller is notified. Everything else is saved soon, in batches: most calls as one finished row.
 * Errors: while the database is unavailable, calls without an idempotency key continue.
 */
import { SvcError } from '#sdk/protocol/errors';
import { CallBatches } from './batches';
import type { CallEngine } from './call-engine';
import { recordOf } from './call-records';
import { GroupCommit } from './group-commit';
import { scopeOf } from './idempotency-scope';
import { PendingCommits } from './pending-commits';
import type { Callback, InvocationOutcome, InvocationRecord, InvocationStart } from './store';
import type { UnsavedCall, UnsavedCalls } from './unsaved';

/** Limit of the records in memory while the database is unreachable. Above it, calls without an idempotency key are refused too. */
const MAX_UNSAVED = 50_000;

export interface CallBufferDeps {
  engine: CallEngine;
  onError: (error: unknown) => void;
}

export class CallBuffer {
  readonly groups: GroupCommit;
  readonly batches: CallBatches;
  readonly commits: PendingCommits;
  readonly calls: UnsavedCalls;
  readonly #engine: CallEngine;

  constructor({ engine, onError }: CallBufferDeps) {
    this.#engine = engine;
    this.groups = new GroupCommit({
      lanes: engine.lanes,
      commit: (group) => engine.commit(group),
      asUnavailable: (error) => engine.asUnavailable(error),
      probe: () => engine.probe(),
      onError,
    });
    this.batches = new CallBatches({ engine, groups: this.groups, onError });
    this.calls = this.batches.calls;
    this.commits = new PendingCommits(this.groups, this.calls);
  }

  fault(): SvcError | undefined {
    return this.groups.fault ?? this.calls.fault;
  }

  /** @param claimed updates the call in memory, before anyone is notified */
  start(call: InvocationStart, scope: string, claimed: (call: UnsavedCall, error: unknown) => void, done: Callback<boolean>): void {
    const unsaved = this.add(recordOf(call, this.#engine.node, null), { scope, isCommitted: false });
    this.commits.add(unsaved, {
      op: 'start',
      call,
      done: (error, started = false) => {
        this.calls.committed(unsaved);
        claimed(unsaved, error);
        this.commits.notify(unsaved, error);
        done(error, started);
      },
    });
  }

  startUnkeyed(call: InvocationStart, done: Callback<boolean>): void {
    if (this.calls.size >= MAX_UNSAVED)
      return done(
        new SvcError('SERVICE_UNAVAILABLE', 'Too many calls wait to be written into the database; try again', { retryAfterMs: 1_000 }),
      );
    this.add(recordOf(call, this.#engine.node, null), {});
    this.batches.saveSoon();
    done(undefined, true);
  }

  ended(call: UnsavedCall, outcome: InvocationOutcome): void {
    this.calls.change(call, recordOf(call.record, this.#engine.node, outcome));
    call.hasWaited = true;
    this.batches.saveSoon();
  }

  /**
   * Records a refused call and frees its idempotency key.
   *
   * @param refused the record without the key
   * @param freed updates the call in memory when the commit has succeeded or failed, before anyone is notified
   */
  refuse(call: InvocationStart, refused: InvocationRecord, freed: (call: UnsavedCall, error: unknown) => void): void {
    const freedScope = scopeOf(call);
    if (freedScope === undefined) return this.#refuseUnkeyed(refused);
    const unsaved = this.add(refused, { freedScope, isCommitted: false });
    this.commits.add(unsaved, {
      op: 'refused',
      record: refused,
      done: (error) => {
        this.calls.committed(unsaved);
        freed(unsaved, error);
        this.commits.notify(unsaved, error);
        this.batches.saveSoon();
      },
    });
  }

  add(record: InvocationRecord, state: Partial<UnsavedCall>): UnsavedCall {
    const { scope, freedScope, isCommitted = true, isSaved = false } = state;
    const isDurable = scope !== undefined || freedScope !== undefined;
    const unsaved = { record, scope, freedScope, isCommitted, isDurable, isSaved, hasWaited: false, afterCommit: undefined };
    this.calls.put(unsaved);
    return unsaved;
  }

  #refuseUnkeyed(record: InvocationRecord): void {
    if (this.calls.size >= MAX_UNSAVED) {
      this.calls.leftOut++;
      return;
    }
    this.add(record, {});
    this.batches.saveSoon();
  }
}
