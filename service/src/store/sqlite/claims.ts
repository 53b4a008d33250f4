/**
 * Claims of calls on SQLite. Only this process writes calls, so it decides in memory who holds a key, whether a budget covers a price and which
 * outcome is final. Then it commits the decision to the journal.
 *
 * Errors: an outcome that cannot be committed stays in memory, and its caller is notified at once that it is not stored yet.
 */
import type { CallBuffer } from '../call-buffer';
import type { CallClaims, KeyedCall } from '../call-engine';
import { neverStarted, newOutcome, refusedRecord } from '../call-records';
import { once, promised } from '../callbacks';
import { idempotencyScope, scopeOf } from '../idempotency-scope';
import type { Callback, InvocationOutcome, InvocationRecord, InvocationStart } from '../store';
import type { UnsavedCall } from '../unsaved';
import type { SqliteEngine } from './engine';
import type { HeldPrices } from './hold-price';

export interface SqliteClaimsDeps {
  engine: SqliteEngine;
  buffer: CallBuffer;
  prices: HeldPrices;
  onError: (error: unknown) => void;
}

export class SqliteClaims implements CallClaims {
  readonly #engine: SqliteEngine;
  readonly #buffer: CallBuffer;
  readonly #prices: HeldPrices;
  readonly #onError: (error: unknown) => void;

  constructor({ engine, buffer, prices, onError }: SqliteClaimsDeps) {
    this.#engine = engine;
    this.#buffer = buffer;
    this.#prices = prices;
    this.#onError = onError;
  }

  readonly #claimed = (call: UnsavedCall, error: unknown): void => {
    if (error === undefined) return this.#buffer.batches.saveSoon();
    this.#buffer.calls.drop(call);
    this.#prices.bookCharge(call.record, 0n);
  };

  async find(agentKeyId: string, idempotencyKey: string): Promise<InvocationRecord | undefined> {
    const { calls, commits } = this.#buffer;
    const scope = idempotencyScope(agentKeyId, idempotencyKey);
    if (calls.holder(scope)) await commits.holderDecided(scope);
    return calls.holder(scope)?.record ?? this.#savedHolder(agentKeyId, idempotencyKey, scope);
  }

  claim(call: KeyedCall, done: Callback<boolean>): void {
    const { agentKeyId, idempotencyKey } = call;
    const scope = idempotencyScope(agentKeyId, idempotencyKey);
    if (this.#buffer.commits.answerClaim(scope, done)) return;
    if (this.#savedHolder(agentKeyId, idempotencyKey, scope)) return done(undefined, false);
    const refusal = this.#prices.holdPrice(call);
    if (refusal) return done(refusal);
    this.#buffer.start(call, scope, this.#claimed, done);
  }

  end(id: string, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    const call = this.#buffer.calls.get(id) ?? this.#load(id);
    if (!call) return done(neverStarted(id));
    if (call.afterCommit) {
      call.afterCommit.push(() => this.end(id, outcome, done));
      return;
    }
    const final = newOutcome(call.record, outcome);
    if (!final) return done(undefined, call.record.outcome ?? undefined);
    if (call.record.idempotencyKey !== null) return this.#commitEnd(call, final, done);
    this.#ended(call, final);
    done(undefined, final);
  }

  refuse(call: InvocationStart, outcome: InvocationOutcome, done?: Callback<void>): void {
    const { calls } = this.#buffer;
    const former = calls.get(call.id);
    const started = call.hold && this.#known(call.id);
    const refused = refusedRecord(call, this.#engine.node, outcome, started);
    this.#buffer.refuse(call, refused, (unsaved, error) => {
      if (error === undefined) {
        if (started) this.#prices.bookCharge(started, refused.outcome?.charged);
      } else {
        // A group that fails for that is reported once.
        if (!this.#engine.asUnavailable(error)) this.#onError(error);
        if (former) calls.put(former);
        else calls.drop(unsaved);
      }
      done?.(error);
    });
  }

  async release(id: string): Promise<void> {
    await this.decided(id);
    const record = this.#known(id);
    if (!record || record.idempotencyKey === null || record.outcome?.code !== 'ACTION_FAILED') return;
    const { outcome } = record;
    await promised<void>((done) => this.refuse(record, outcome, done));
  }

  decided(id: string): Promise<void> {
    return this.#buffer.commits.decided(id);
  }

  settled(): Promise<void> {
    return this.#buffer.groups.tried();
  }

  giveUp(): void {}

  #commitEnd(call: UnsavedCall, outcome: InvocationOutcome, done: Callback<InvocationOutcome>): void {
    const answer = once(done);
    this.#buffer.commits.add(call, {
      op: 'end',
      id: call.record.id,
      outcome,
      delayed: (error) => answer(error),
      done: (error) => {
        if (error === undefined) this.#ended(call, outcome);
        this.#buffer.commits.notify(call, error);
        answer(error, outcome);
      },
    });
  }

  #ended(call: UnsavedCall, outcome: InvocationOutcome): void {
    this.#prices.bookCharge(call.record, outcome.charged);
    this.#buffer.ended(call, outcome);
  }

  /** The call in the tables that holds this key. */
  #savedHolder(agentKeyId: string, idempotencyKey: string, scope: string): InvocationRecord | undefined {
    const saved = this.#engine.byKey(agentKeyId, idempotencyKey, scope);
    return saved && this.#buffer.calls.isFreeing(saved.id) ? undefined : saved;
  }

  #known(id: string): InvocationRecord | undefined {
    return this.#buffer.calls.get(id)?.record ?? this.#engine.byId(id);
  }

  /** Reads a call that is already saved and still runs, or has ended, back into memory. */
  #load(id: string): UnsavedCall | undefined {
    const record = this.#engine.byId(id);
    return record && this.#buffer.add(record, { scope: scopeOf(record), isSaved: true });
  }
}
