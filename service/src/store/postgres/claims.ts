/**
 * Claims of calls on PostgreSQL. Other nodes claim and end calls too, so the tables decide who holds a key, whether a budget covers a price and
 * which outcome is final. A call with an idempotency key is in memory only until its start is committed.
 *
 * Errors: an outcome is committed again until the database has it: its handler has run, and no other process knows the result.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SvcError } from '#sdk/protocol/errors';
import { ChurnMap } from '../../lib/churn-map';
import type { CallBuffer } from '../call-buffer';
import type { CallClaims, KeyedCall } from '../call-engine';
import { neverStarted, newOutcome, recordOf, refusedRecord } from '../call-records';
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
  /** Calls whose outcome is being committed, with what waits for the end of it. */
  readonly #ending = new ChurnMap<string, (() => void)[]>();
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
    await this.#ended(id);
  }

  async settled(): Promise<void> {
    await Promise.all([this.#buffer.groups.tried(), ...[...this.#ending.keys()].map((id) => this.#ended(id))]);
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

  /** Callbacks, not promises: this is on the path of every keyed call. */
  #endInTables(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    const former = this.#ending.get(id);
    if (former) {
      former.push(() => this.#endInTables(id, outcome, done));
      return;
    }
    const waiting: (() => void)[] = [];
    this.#ending.set(id, waiting);
    this.#commitEnd(id, outcome, (error, final) => {
      this.#ending.delete(id);
      done(error ?? (final ? undefined : neverStarted(id)), final);
      for (const proceed of waiting) proceed();
    });
  }

  #commitEnd(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    this.#buffer.groups.add({
      op: 'end',
      id,
      outcome,
      done: (error, final) => {
        if (error === undefined || this.#givenUp.signal.aborted || !this.#engine.asUnavailable(error)) done(error, final);
        else void this.#nextTry().then(() => this.#commitEnd(id, outcome, done));
      },
    });
  }

  /** Resolves when no outcome of this call is being committed. */
  async #ended(id: string): Promise<void> {
    for (let waiting = this.#ending.get(id); waiting; waiting = this.#ending.get(id)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
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
