/**
 * The write path of calls, on any engine.
 *
 * Path:   the start and the end of a call with an idempotency key are committed, together with all others of the event-loop turn, before
 *         the caller is notified. Everything else is saved soon, in batches: most calls as one finished row.
 * Errors: while the database is unavailable, calls with an idempotency key are refused and calls without one continue. Outcomes stay in
 *         memory and are not returned until they are committed. With one node, a caller is notified at once that its outcome is not
 *         stored yet.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '../../protocol/errors';
import { CallBatches } from './batches';
import { type CallEngine, type CallQueries, type CallWrite, isSaidByHandler } from './call-engine';
import type { InvocationDetails } from './console-store';
import { GroupCommit, RETRY_MS } from './group-commit';
import { idempotencyScope, scopeOf } from './idempotency-scope';
import type { ListQuery } from './sql/invocation-list';
import type {
  Callback,
  ForgottenResults,
  InvocationOutcome,
  InvocationRecord,
  InvocationStart,
  InvocationStore,
  ResultSum,
  ResultsToForget,
} from './store';
import type { UnsavedCall, UnsavedCalls } from './unsaved';

/** Time that a closing node waits for an unavailable database. */
const CLOSE_MS = 5_000;
/** Limit of the records in memory while the database is unreachable. Above it, calls without an idempotency key are refused too. */
const MAX_UNSAVED = 50_000;

export interface BufferedInvocationsDeps {
  engine: CallEngine;
  queries: CallQueries;
  onError: (error: unknown) => void;
}

export class BufferedInvocations implements InvocationStore {
  readonly #engine: CallEngine;
  readonly #queries: CallQueries;
  readonly #onError: (error: unknown) => void;
  readonly #groups: GroupCommit;
  readonly #batches: CallBatches;
  /** Running commits of outcomes whose calls are not in memory, by id. */
  readonly #ending = new Map<string, Promise<unknown>>();
  readonly #givenUp = new AbortController();

  constructor({ engine, queries, onError }: BufferedInvocationsDeps) {
    this.#engine = engine;
    this.#queries = queries;
    this.#onError = onError;
    this.#groups = new GroupCommit({
      lanes: engine.lanes,
      commit: (group) => engine.commit(group),
      asUnavailable: (error) => engine.asUnavailable(error),
      probe: engine.isShared ? undefined : () => engine.probe(),
      onError,
    });
    this.#batches = new CallBatches({ engine, groups: this.#groups, onError });
  }

  get #calls(): UnsavedCalls {
    return this.#batches.calls;
  }

  fault(): SvcError | undefined {
    return this.#groups.fault ?? this.#calls.fault;
  }

  async find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    const scope = idempotencyScope(agentKeyId, idempotencyKey);
    const holder = this.#calls.holder(scope);
    if (holder) await this.#held(holder);
    const now = this.#calls.holder(scope);
    if (now) return now.record;
    if (this.#engine.isShared) await this.#freed(scope);
    const found = await this.#engine.byKey(agentKeyId, idempotencyKey, scope);
    return found && this.#freesKey(found) ? undefined : found;
  }

  async get(id: string): Promise<InvocationRecord | undefined> {
    await this.#decided(id);
    return this.#calls.get(id)?.record ?? this.#engine.byId(id);
  }

  start(call: InvocationStart): Promise<boolean>;
  start(call: InvocationStart, done: Callback<boolean>): void;
  start(call: InvocationStart, done?: Callback<boolean>): Promise<boolean> | undefined {
    if (!done) return promised((then) => this.#start(call, then));
    this.#start(call, done);
    return undefined;
  }

  end(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome>;
  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void;
  end(id: string, outcome: InvocationOutcome, done?: Callback<InvocationOutcome>): Promise<InvocationOutcome> | undefined {
    if (!done) return promised((then) => this.#end(id, outcome, then));
    this.#end(id, outcome, done);
    return undefined;
  }

  refused(call: InvocationStart, outcome: InvocationOutcome): void {
    this.#refuse(call, outcome);
  }

  async release(id: string): Promise<void> {
    await this.#decided(id);
    if (this.#engine.isShared) return this.#engine.release(id);
    const record = this.#calls.get(id)?.record ?? this.#engine.byId(id);
    const { idempotencyKey = null, outcome = null } = record ?? {};
    if (!record || idempotencyKey === null || outcome?.code !== 'ACTION_FAILED') return;
    await promised<void>((done) => this.#refuse(record, outcome, done));
  }

  /** @param done called when the freed key is durable */
  #refuse(call: InvocationStart, { code, endedAt }: InvocationOutcome, done?: (error: unknown) => void): void {
    if (call.idempotencyKey === null && this.#calls.size >= MAX_UNSAVED) {
      this.#calls.leftOut++;
      return;
    }
    const former = this.#calls.get(call.id);
    const started = call.hold && this.#startedCall(call);
    const outcome: InvocationOutcome = { code, body: null, endedAt };
    if (started?.hold) outcome.charged = started.outcome?.charged ?? 0n;
    const record = this.#recordOf({ ...call, idempotencyKey: null, hold: started?.hold }, outcome);
    const freedScope = scopeOf(call);
    const unsaved = this.#put(record, { freedScope, isCommitted: freedScope === undefined });
    if (freedScope === undefined) return this.#batches.saveSoon();
    this.#commit(unsaved, {
      op: 'refused',
      record,
      done: (error) => {
        this.#calls.committed(unsaved);
        if (error === undefined && started) this.#book(started, outcome.charged);
        if (error !== undefined && !this.#engine.isShared) {
          // A group that fails for that is reported once.
          if (!this.#engine.asUnavailable(error)) this.#onError(error);
          if (former) this.#calls.put(former);
          else this.#calls.drop(unsaved);
        } else if (error === undefined && this.#engine.isShared) this.#calls.drop(unsaved);
        this.#committed(unsaved, error);
        this.#batches.saveSoon();
        done?.(error);
      },
    });
  }

  async take(ids: readonly string[]): Promise<InvocationRecord[]> {
    await Promise.all(ids.map((id) => this.#decided(id)));
    const known = ids.map((id) => this.#calls.get(id)).filter((call) => call !== undefined);
    // Another node may have taken over a call that this node has saved.
    const decided = known.filter(({ record, isSaved }) => record.outcome || !isSaved);
    const taken = decided.map(({ record }) => record).filter(({ outcome }) => !outcome);
    const others = ids.filter((id) => !decided.some(({ record }) => record.id === id));
    return others.length === 0 ? taken : [...taken, ...(await this.#engine.take(others))];
  }

  async takeAbandoned(): Promise<InvocationRecord[]> {
    this.#groups.check();
    const abandoned = await this.#engine.takeAbandoned();
    return abandoned.filter(({ id }) => !this.#calls.get(id)?.record.outcome);
  }

  async settled(): Promise<void> {
    await Promise.all([this.#groups.tried(), ...this.#ending.values()]);
    while (this.#engine.isShared && !this.#givenUp.signal.aborted) {
      try {
        return await this.#batches.saveEnded();
      } catch {
        // The next batch reports the error.
        await this.#nextTry();
      }
    }
  }

  /** Resolves when the tables have every earlier call. */
  saved(): Promise<void> {
    return this.#batches.saveAll();
  }

  async list(query: ListQuery): Promise<InvocationRecord[]> {
    await this.#batches.saveAll();
    const records = await this.#queries.list(query);
    // The tables of a single-node engine do not store the owner of a call.
    return this.#engine.isShared ? records : records.map((record) => ({ ...record, node: this.#engine.node }));
  }

  async lastCalls(agentKeyIds: readonly string[]): Promise<Map<string, number>> {
    await this.#batches.saveAll();
    return this.#queries.lastCalls(agentKeyIds);
  }

  keepDetails(details: InvocationDetails): void {
    this.#batches.details.put(details);
    this.#batches.saveSoon();
  }

  async details(id: string): Promise<InvocationDetails | undefined> {
    return this.#batches.details.get(id) ?? this.#queries.details(id);
  }

  remove(before: number): Promise<number> {
    return this.#changeRows(() => this.#queries.remove(before));
  }

  forgetContent(): Promise<void> {
    return this.#changeRows(() => this.#queries.forgetContent());
  }

  forgetKeys(before: number): Promise<number> {
    return this.#changeRows(() => this.#queries.forgetKeys(before));
  }

  async keptResults(agentKeyId: string): Promise<ResultSum> {
    await this.#batches.saveAll();
    return this.#queries.keptResults(agentKeyId);
  }

  forgetResults(agentKeyId: string, results: ResultsToForget): Promise<ForgottenResults> {
    return this.#changeRows(() => this.#queries.forgetResults(agentKeyId, results));
  }

  /** Rejects when a record could not be saved within `CLOSE_MS`. The next process reads what the journal holds. */
  async close(): Promise<void> {
    this.#batches.close();
    const lastTry = setTimeout(() => this.#givenUp.abort(), CLOSE_MS);
    try {
      await this.settled();
      this.#groups.close();
      await this.#batches.saveAll();
      await this.#batches.restartJournal();
    } finally {
      clearTimeout(lastTry);
      this.#givenUp.abort();
      await this.#engine.close();
    }
  }

  #start(call: InvocationStart, done: Callback<boolean>): void {
    const { agentKeyId, idempotencyKey } = call;
    if (idempotencyKey === null) return this.#startUnkeyed(call, done);
    const scope = idempotencyScope(agentKeyId, idempotencyKey);
    const holder = this.#calls.holder(scope);
    if (holder?.afterCommit) {
      // The holder's outcome waits for the database. This call must not wait too, since it holds a slot of a toolkit.
      if (this.#groups.fault) return done(this.#groups.fault);
      // The key belongs to this holder or to a call in the database.
      holder.afterCommit.push((error) => done(error, false));
      return;
    }
    if (holder) return done(undefined, false);
    if (this.#engine.isShared) {
      if (this.#calls.freeing(scope)) {
        this.#freed(scope).then(
          () => this.#start(call, done),
          (error: unknown) => done(error),
        );
        return;
      }
    } else {
      const found = this.#engine.byKey(agentKeyId, idempotencyKey, scope);
      if (found && !this.#freesKey(found)) return done(undefined, false);
      const refusal = this.#engine.spending.hold(call);
      if (refusal) return done(refusal);
    }
    const unsaved = this.#put(this.#recordOf(call, null), { scope, isCommitted: false });
    this.#commit(unsaved, { op: 'start', call, done: (error, started = false) => this.#started(unsaved, { error, started }, done) });
  }

  #started(unsaved: UnsavedCall, { error, started }: { error: unknown; started: boolean }, done: Callback<boolean>): void {
    this.#calls.committed(unsaved);
    if (error !== undefined || !started || this.#engine.isShared) this.#calls.drop(unsaved);
    else this.#batches.saveSoon();
    if (error !== undefined) this.#book(unsaved.record, 0n);
    // The commit may have succeeded although its answer was lost: free the key.
    if (error !== undefined && this.#engine.isShared && !isRefused(error))
      this.refused(unsaved.record, { code: 'SERVICE_UNAVAILABLE', body: null, endedAt: Date.now() });
    this.#committed(unsaved, error);
    done(error, started);
  }

  #startUnkeyed(call: InvocationStart, done: Callback<boolean>): void {
    if (this.#calls.size >= MAX_UNSAVED)
      return done(
        new SvcError('SERVICE_UNAVAILABLE', 'Too many calls wait to be written into the database; try again', { retryAfterMs: 1_000 }),
      );
    this.#put(this.#recordOf(call, null), {});
    this.#batches.saveSoon();
    done(undefined, true);
  }

  #end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    const unsaved = this.#calls.get(id) ?? this.#load(id);
    if (!unsaved) return this.#endElsewhere(id, outcome, done);
    if (unsaved.afterCommit) {
      unsaved.afterCommit.push(() => this.#end(id, outcome, done));
      return;
    }
    const { record } = unsaved;
    // The cost of a call is final, and its answer shows it.
    if (record.outcome && (!isSaidByHandler(outcome.code) || record.outcome.charged !== undefined)) return done(undefined, record.outcome);
    const { code, body, endedAt, charged } = outcome;
    const isKeyed = record.idempotencyKey !== null;
    const final: InvocationOutcome = { code, body: isKeyed ? body : null, endedAt };
    if (charged !== undefined) final.charged = charged;
    if (!isKeyed) {
      this.#ended(unsaved, final);
      return done(undefined, final);
    }
    const answer = once(done);
    this.#commit(unsaved, {
      op: 'end',
      id,
      outcome: final,
      delayed: (error) => answer(error),
      done: (error) => {
        if (error === undefined) this.#ended(unsaved, final);
        this.#committed(unsaved, error);
        answer(error, final);
      },
    });
  }

  #ended(unsaved: UnsavedCall, outcome: InvocationOutcome): void {
    this.#book(unsaved.record, outcome.charged);
    this.#calls.change(unsaved, this.#recordOf(unsaved.record, outcome));
    unsaved.hasWaited = true;
    this.#batches.saveSoon();
  }

  /** The record of a paid call, undefined when it did not start. With a shared engine the tables decide whether it holds an amount. */
  #startedCall(call: InvocationStart): InvocationRecord | undefined {
    return this.#engine.isShared ? this.#recordOf(call, null) : (this.#calls.get(call.id)?.record ?? this.#engine.byId(call.id));
  }

  /** Counts the cost of a call once. A shared engine counts in its tables. */
  #book(record: InvocationRecord, charged: bigint | undefined): void {
    if (this.#engine.isShared || !record.hold || charged === undefined || record.outcome?.charged !== undefined) return;
    this.#engine.spending.book(record, charged);
  }

  /** Ends a call that is not in memory. With a shared engine it may be in the tables, which all nodes change. */
  #endElsewhere(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    if (!this.#engine.isShared) return done(neverStarted(id));
    const former = this.#ending.get(id) ?? Promise.resolve();
    // The first outcome is added now, so that it joins the group of this turn.
    const ended = this.#ending.has(id) ? former.then(() => this.#endDurably(id, outcome)) : this.#endDurably(id, outcome);
    const reported = ended.then(
      (final) => done(final ? undefined : neverStarted(id), final),
      (error: unknown) => done(error),
    );
    this.#ending.set(id, reported);
    void reported.finally(() => {
      if (this.#ending.get(id) === reported) this.#ending.delete(id);
    });
  }

  /** Retries until the outcome is committed: the handler has run, and no other process knows its result. */
  async #endDurably(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome | undefined> {
    for (;;) {
      try {
        return await promised<InvocationOutcome | undefined>((done) => this.#groups.add({ op: 'end', id, outcome, done }));
      } catch (error) {
        if (this.#givenUp.signal.aborted || !this.#engine.asUnavailable(error)) throw error;
        await this.#nextTry();
      }
    }
  }

  /** Reads a call that is already saved and still runs, or has ended, back into memory. */
  #load(id: string): UnsavedCall | undefined {
    if (this.#engine.isShared) return undefined;
    const record = this.#engine.byId(id);
    if (!record) return undefined;
    const scope = scopeOf(record);
    return this.#put(record, { scope, isSaved: true });
  }

  #put(record: InvocationRecord, state: Partial<UnsavedCall>): UnsavedCall {
    const { scope, freedScope, isCommitted = true, isSaved = false } = state;
    const isDurable = scope !== undefined || freedScope !== undefined;
    const unsaved = { record, scope, freedScope, isCommitted, isDurable, isSaved, hasWaited: false, afterCommit: undefined };
    this.#calls.put(unsaved);
    return unsaved;
  }

  #commit(unsaved: UnsavedCall, write: CallWrite): void {
    unsaved.afterCommit = [];
    this.#groups.add(write);
  }

  /** Notifies the waiting callers. Call it when the record shows the result of the commit. */
  #committed(unsaved: UnsavedCall, error: unknown): void {
    const waiting = unsaved.afterCommit ?? [];
    unsaved.afterCommit = undefined;
    for (const then of waiting) then(error);
  }

  /** Resolves when no earlier write of this call is pending. */
  async #decided(id: string): Promise<void> {
    const unsaved = this.#calls.get(id);
    // The caller of the commit handles a failure.
    if (unsaved) await this.#whenCommitted(unsaved).catch(() => {});
    await this.#ending.get(id);
  }

  /** Resolves when no commit of the call is pending; rejects when the pending one fails, or waits for the database. */
  async #whenCommitted({ afterCommit }: UnsavedCall): Promise<void> {
    if (!afterCommit) return;
    if (this.#groups.fault) throw this.#groups.fault;
    await promised<void>((done) => afterCommit.push((error) => done(error)));
  }

  /** Rejects when the start of this call fails. */
  async #held(call: UnsavedCall): Promise<void> {
    try {
      await this.#whenCommitted(call);
    } catch (error) {
      if (this.#calls.get(call.record.id) !== call) throw error;
    }
  }

  /** True when the call was refused and the tables do not show yet that its key is free. */
  #freesKey({ id }: InvocationRecord): boolean {
    return this.#calls.get(id)?.freedScope !== undefined;
  }

  /** Resolves when the tables show that the key of a refused call is free. */
  async #freed(scope: string): Promise<void> {
    const freeing = this.#calls.freeing(scope);
    if (freeing) await this.#whenCommitted(freeing).catch(() => {});
    if (this.#calls.freeing(scope)) await this.#batches.saveEnded();
  }

  /** Saves everything and restarts the journal before rows are changed, so that the journal does not restore what the change removes. */
  async #changeRows<T>(change: () => Promise<T>): Promise<T> {
    await this.#batches.saveAll();
    await this.#batches.restartJournal();
    const changed = await change();
    this.#calls.dropSaved();
    if (!this.#engine.isShared) this.#engine.changed();
    return changed;
  }

  #nextTry(): Promise<void> {
    // The abort when this node closes is not an error.
    return delay(RETRY_MS, undefined, { signal: this.#givenUp.signal }).catch(() => {});
  }

  #recordOf(call: InvocationStart, outcome: InvocationOutcome | null): InvocationRecord {
    const { id, agentKeyId, idempotencyKey, requestHash, action, startedAt, hold } = call;
    const record: InvocationRecord = { id, agentKeyId, idempotencyKey, requestHash, action, startedAt, node: this.#engine.node, outcome };
    if (hold) record.hold = hold;
    return record;
  }
}

function promised<T>(work: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    work((error, value) => {
      if (error === undefined) resolve(value as T);
      else reject(error);
    }),
  );
}

function once<T>(done: Callback<T>): Callback<T> {
  let isDone = false;
  return (error, value) => {
    if (isDone) return;
    isDone = true;
    done(error, value);
  };
}

function isRefused(error: unknown): boolean {
  return SvcError.is(error) && error.code === 'PAYMENT_REQUIRED';
}

function neverStarted(id: string): SvcError {
  return new SvcError('INTERNAL', `Invocation ${id} ended, but it was never started`);
}
