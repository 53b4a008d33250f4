/**
 * Claims of calls on PostgreSQL. Other nodes claim and end calls too, so the tables decide who holds a key, whether a budget covers a price and
 * which outcome is final. A call with an idempotency key is in memory only until its start is committed.
 *
 * Errors: an outcome is committed again until the database has it: its handler has run, and no other process knows the result.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '#sdk/protocol/errors';
import type { CallBuffer } from '../call-buffer';
import type { CallClaims, KeyedCall } from '../call-engine';
import { neverStarted, newOutcome, recordOf, refusedRecord } from '../call-records';
import { promised } from '../callbacks';
import { RETRY_MS } from '../group-commit';
import { idempotencyScope } from '../idempotency-scope';
import type { Callback, InvocationOutcome, InvocationRecord, InvocationStart } from '../store';
import type { UnsavedCall } from '../unsaved';
import type { PostgresEngine } from './engine';

export interface PostgresClaimsDeps {
  engine: PostgresEngine;
  buffer: CallBuffer;
}

export class PostgresClaims implements CallClaims {
  readonly #engine: PostgresEngine;
  readonly #buffer: CallBuffer;
  /** Running commits of outcomes, by the id of their call. */
  readonly #ending = new Map<string, Promise<unknown>>();
  readonly #givenUp = new AbortController();

  constructor({ engine, buffer }: PostgresClaimsDeps) {
    this.#engine = engine;
    this.#buffer = buffer;
  }

  readonly #claimed = (call: UnsavedCall, error: unknown): void => {
    this.#buffer.calls.drop(call);
    // The commit may have succeeded although its answer was lost: free the key.
    if (error !== undefined && !isOverBudget(error))
      this.refuse(call.record, { code: 'SERVICE_UNAVAILABLE', body: null, endedAt: Date.now() });
  };

  async find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    const { calls, commits } = this.#buffer;
    const scope = idempotencyScope(agentKeyId, idempotencyKey);
    if (calls.holder(scope)) await commits.holderDecided(scope);
    const holder = calls.holder(scope);
    if (holder) return holder.record;
    if (calls.freeing(scope)) await this.#freed(scope);
    const saved = await this.#engine.byKey(agentKeyId, idempotencyKey);
    return saved && calls.isFreeing(saved.id) ? undefined : saved;
  }

  claim(call: KeyedCall, done: Callback<boolean>): void {
    const scope = idempotencyScope(call.agentKeyId, call.idempotencyKey);
    if (this.#buffer.commits.answerClaim(scope, done)) return;
    if (!this.#buffer.calls.freeing(scope)) return this.#buffer.start(call, scope, this.#claimed, done);
    this.#freed(scope).then(
      () => this.claim(call, done),
      (error: unknown) => done(error),
    );
  }

  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    const call = this.#buffer.calls.get(id);
    if (!call) return this.#endInTables(id, outcome, done);
    if (call.afterCommit) {
      call.afterCommit.push(() => this.end(id, outcome, done));
      return;
    }
    const final = newOutcome(call.record, outcome);
    if (final) this.#buffer.ended(call, final);
    done(undefined, final ?? call.record.outcome ?? undefined);
  }

  refuse(call: InvocationStart, outcome: InvocationOutcome): void {
    const { node } = this.#engine;
    // The tables decide whether the call holds its price.
    const started = call.hold && recordOf(call, node, null);
    this.#buffer.refuse(call, refusedRecord(call, node, outcome, started), (unsaved, error) => {
      // A batch saves a refusal that was not committed.
      if (error === undefined) this.#buffer.calls.drop(unsaved);
    });
  }

  async release(id: string): Promise<void> {
    await this.decided(id);
    return this.#engine.release(id);
  }

  async decided(id: string): Promise<void> {
    await this.#buffer.commits.decided(id);
    await this.#ending.get(id);
  }

  async settled(): Promise<void> {
    await Promise.all([this.#buffer.groups.tried(), ...this.#ending.values()]);
    while (!this.#givenUp.signal.aborted) {
      try {
        return await this.#buffer.batches.saveEnded();
      } catch {
        // The next batch reports the error.
        await this.#nextTry();
      }
    }
  }

  giveUp(): void {
    this.#givenUp.abort();
  }

  #endInTables(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    const former = this.#ending.get(id);
    // The first outcome is added now, so that it joins the group of this turn.
    const ended = former ? former.then(() => this.#endDurably(id, outcome)) : this.#endDurably(id, outcome);
    const reported = ended.then(
      (final) => done(final ? undefined : neverStarted(id), final),
      (error: unknown) => done(error),
    );
    this.#ending.set(id, reported);
    void reported.finally(() => {
      if (this.#ending.get(id) === reported) this.#ending.delete(id);
    });
  }

  async #endDurably(id: string, outcome: InvocationOutcome): Promise<InvocationOutcome | undefined> {
    for (;;) {
      try {
        return await promised<InvocationOutcome | undefined>((done) => this.#buffer.groups.add({ op: 'end', id, outcome, done }));
      } catch (error) {
        if (this.#givenUp.signal.aborted || !this.#engine.asUnavailable(error)) throw error;
        await this.#nextTry();
      }
    }
  }

  /** Resolves when the tables show that the key of a refused call is free. */
  async #freed(scope: string): Promise<void> {
    const { calls, commits, batches } = this.#buffer;
    const refused = calls.freeing(scope);
    if (refused) await commits.decided(refused.record.id);
    if (calls.freeing(scope)) await batches.saveEnded();
  }

  #nextTry(): Promise<void> {
    // The abort when this node closes is not an error.
    return delay(RETRY_MS, undefined, { signal: this.#givenUp.signal }).catch(() => {});
  }
}

function isOverBudget(error: unknown): boolean {
  return SvcError.is(error) && error.code === 'PAYMENT_REQUIRED';
}
