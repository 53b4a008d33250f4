/**
 * Calls on their way into the tables, on any engine.
 *
 * Way:    the start and the end of a call with an idempotency key are committed, together with all others of the event-loop turn, before the
 *         caller hears of them. Everything else is saved soon, in batches: most calls as one finished row.
 * Errors: while the database cannot be reached, calls with an idempotency key are refused and those without go on. Outcomes stay in memory, and
 *         are told to nobody, until they are committed.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '../../protocol/errors';
import { CallBatches } from './batches';
import { type CallEngine, type CallQueries, type CallWrite, isSaidByHandler } from './call-engine';
import type { InvocationDetails } from './console-store';
import { GroupCommit, RETRY_MS } from './group-commit';
import { idempotencyScope, scopeOf } from './idempotency-scope';
import type { ListQuery } from './sql/invocation-list';
import type { Callback, InvocationOutcome, InvocationRecord, InvocationStart, InvocationStore } from './store';
import type { UnsavedCall, UnsavedCalls } from './unsaved';

/** For the database to come back when this node closes. */
const CLOSE_MS = 5_000;
/** Records in memory while the database is away: then calls without an idempotency key are refused too. */
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
  /** Outcomes that are being committed of calls that are not in memory, by id. */
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
      onError,
    });
    this.#batches = new CallBatches({ engine, groups: this.#groups, onError });
  }

  get #calls(): UnsavedCalls {
    return this.#batches.calls;
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

  refused(call: InvocationStart, { code, endedAt }: InvocationOutcome): void {
    if (call.idempotencyKey === null && this.#calls.size >= MAX_UNSAVED) {
      this.#calls.leftOut++;
      return;
    }
    const record = this.#recordOf({ ...call, idempotencyKey: null }, { code, body: null, endedAt });
    const former = this.#calls.get(call.id);
    const freedScope = scopeOf(call);
    const unsaved = this.#put(record, { freedScope, isCommitted: freedScope === undefined });
    if (freedScope === undefined) return this.#batches.saveSoon();
    this.#commit(unsaved, {
      op: 'refused',
      record,
      done: (error) => {
        unsaved.isCommitted = true;
        if (error !== undefined && !this.#engine.isShared) {
          this.#onError(error);
          if (former) this.#calls.put(former);
          else this.#calls.drop(unsaved);
        } else if (error === undefined && this.#engine.isShared) this.#calls.drop(unsaved);
        this.#committed(unsaved, error);
        this.#batches.saveSoon();
      },
    });
  }

  async take(ids: readonly string[]): Promise<InvocationRecord[]> {
    await Promise.all(ids.map((id) => this.#decided(id)));
    const known = ids.map((id) => this.#calls.get(id)).filter((call) => call !== undefined);
    // Another node may have taken a call since this one has saved it.
    const decided = known.filter(({ record, isSaved }) => record.outcome || !isSaved);
    const taken = decided.map(({ record }) => record).filter(({ outcome }) => !outcome);
    const others = ids.filter((id) => !decided.some(({ record }) => record.id === id));
    return others.length === 0 ? taken : [...taken, ...(await this.#engine.take(others))];
  }

  async takeAbandoned(): Promise<InvocationRecord[]> {
    const abandoned = await this.#engine.takeAbandoned();
    return abandoned.filter(({ id }) => !this.#calls.get(id)?.record.outcome);
  }

  async settled(): Promise<void> {
    await Promise.all([this.#groups.tried(), ...this.#ending.values()]);
    while (this.#engine.isShared && !this.#givenUp.signal.aborted) {
      try {
        return await this.#batches.saveEnded();
      } catch {
        // The next batch tells it.
        await this.#nextTry();
      }
    }
  }

  async list(query: ListQuery): Promise<InvocationRecord[]> {
    await this.#batches.saveAll();
    const records = await this.#queries.list(query);
    // Tables of one process do not say whose a call is.
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

  /** Rejects when something could not be saved: the database has `CLOSE_MS` to come back. What a journal has is for the next process. */
  async close(): Promise<void> {
    this.#batches.close();
    const lastTry = setTimeout(() => this.#givenUp.abort(), CLOSE_MS);
    try {
      await this.settled();
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
      // Whoever has it, it is taken.
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
    }
    const unsaved = this.#put(this.#recordOf(call, null), { scope, isCommitted: false });
    this.#commit(unsaved, { op: 'start', call, done: (error, started = false) => this.#started(unsaved, { error, started }, done) });
  }

  #started(unsaved: UnsavedCall, { error, started }: { error: unknown; started: boolean }, done: Callback<boolean>): void {
    unsaved.isCommitted = true;
    if (error !== undefined || !started || this.#engine.isShared) this.#calls.drop(unsaved);
    else this.#batches.saveSoon();
    // It may have been committed all the same: then its key gets free.
    if (error !== undefined && this.#engine.isShared)
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
    if (record.outcome && !isSaidByHandler(outcome.code)) return done(undefined, record.outcome);
    const { code, body, endedAt } = outcome;
    if (record.idempotencyKey === null) {
      const stands = { code, body: null, endedAt };
      this.#ended(unsaved, stands);
      return done(undefined, stands);
    }
    const stands = { code, body, endedAt };
    this.#commit(unsaved, {
      op: 'end',
      id,
      outcome: stands,
      done: (error) => {
        if (error === undefined) this.#ended(unsaved, stands);
        this.#committed(unsaved, error);
        done(error, stands);
      },
    });
  }

  #ended(unsaved: UnsavedCall, outcome: InvocationOutcome): void {
    this.#calls.change(unsaved, this.#recordOf(unsaved.record, outcome));
    unsaved.hasWaited = true;
    this.#batches.saveSoon();
  }

  /** Only the tables have it, which all nodes change. */
  #endElsewhere(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    if (!this.#engine.isShared) return done(neverStarted(id));
    const former = this.#ending.get(id) ?? Promise.resolve();
    // At once where nothing is before it: what a turn adds is in the group of that turn.
    const ended = this.#ending.has(id) ? former.then(() => this.#endDurably(id, outcome)) : this.#endDurably(id, outcome);
    const told = ended.then(
      (stands) => done(stands ? undefined : neverStarted(id), stands),
      (error: unknown) => done(error),
    );
    this.#ending.set(id, told);
    void told.finally(() => {
      if (this.#ending.get(id) === told) this.#ending.delete(id);
    });
  }

  /** Again and again until it is committed: the handler has run, and nobody else knows what came of it. */
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

  /** A call that runs for longer than a batch takes. */
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

  /** The commit is over, and the call is as it came out of it. */
  #committed(unsaved: UnsavedCall, error: unknown): void {
    const waiting = unsaved.afterCommit ?? [];
    unsaved.afterCommit = undefined;
    for (const then of waiting) then(error);
  }

  /** Resolves when nothing that was asked for before is under way for this call. */
  async #decided(id: string): Promise<void> {
    const unsaved = this.#calls.get(id);
    // A failure is for the caller of the commit.
    if (unsaved) await committed(unsaved).catch(() => {});
    await this.#ending.get(id);
  }

  /** Rejects when the start of this call fails. */
  async #held(call: UnsavedCall): Promise<void> {
    try {
      await committed(call);
    } catch (error) {
      if (this.#calls.get(call.record.id) !== call) throw error;
    }
  }

  /** The tables do not know yet that its key is free. */
  #freesKey({ id }: InvocationRecord): boolean {
    return this.#calls.get(id)?.freedScope !== undefined;
  }

  /** Resolves when the tables know that the key of a refused call is free. */
  async #freed(scope: string): Promise<void> {
    const freeing = this.#calls.freeing(scope);
    if (freeing) await committed(freeing).catch(() => {});
    if (this.#calls.freeing(scope)) await this.#batches.saveEnded();
  }

  /** Everything comes into the tables before their rows are changed; the journal forgets it, such as keys that the tables are about to forget. */
  async #changeRows<T>(change: () => Promise<T>): Promise<T> {
    await this.#batches.saveAll();
    await this.#batches.restartJournal();
    const changed = await change();
    this.#calls.dropSaved();
    if (!this.#engine.isShared) this.#engine.changed();
    return changed;
  }

  #nextTry(): Promise<void> {
    // It ends early when this node closes, which is no failure.
    return delay(RETRY_MS, undefined, { signal: this.#givenUp.signal }).catch(() => {});
  }

  #recordOf(call: InvocationStart, outcome: InvocationOutcome | null): InvocationRecord {
    const { id, agentKeyId, idempotencyKey, requestHash, action, startedAt } = call;
    return { id, agentKeyId, idempotencyKey, requestHash, action, startedAt, node: this.#engine.node, outcome };
  }
}

/** Resolves when no commit of it is under way; rejects when the one that was has failed. */
async function committed({ afterCommit }: UnsavedCall): Promise<void> {
  if (afterCommit) await promised<void>((done) => afterCommit.push((error) => done(error)));
}

function promised<T>(work: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) =>
    work((error, value) => {
      if (error === undefined) resolve(value as T);
      else reject(error);
    }),
  );
}

function neverStarted(id: string): SvcError {
  return new SvcError('INTERNAL', `Invocation ${id} ended, but it was never started`);
}
