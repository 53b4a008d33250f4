/**
 * Calls and details that the tables lack or have in an older state. Calls are indexed by id and by the idempotency scope that they hold or free.
 *
 * Shape: idempotency scope = agent key id and idempotency key as one text.
 */
import type { SvcError } from '#sdk/protocol/errors';
import { ChurnMap } from '../lib/churn-map';
import type { InvocationDetails } from './console-store';
import type { InvocationRecord } from './store';

/** Limit of all details, in UTF-16 units. Above it, new details are dropped and counted. */
const MAX_DETAIL_CHARS = 32 * 1024 * 1024;

export interface UnsavedCall {
  readonly record: InvocationRecord;
  /** The scope that the call holds. */
  readonly scope: string | undefined;
  /** The scope that the call held until it was refused. */
  readonly freedScope: string | undefined;
  /** False while a start or refusal that must be durable is not. */
  readonly isCommitted: boolean;
  /** True when the record must be in the journal until it is saved. */
  readonly isDurable: boolean;
  /** True when the call was running at the last save. The next save writes it, even if it still runs. */
  hasWaited: boolean;
  /** True when the tables have the current record, of a call that still runs. */
  readonly isSaved: boolean;
  /** Callbacks for the end of the pending commit. Undefined while there is none. */
  afterCommit: ((error: unknown) => void)[] | undefined;
}

export class UnsavedCalls {
  readonly #calls = new ChurnMap<string, UnsavedCall>();
  readonly #holders = new ChurnMap<string, UnsavedCall>();
  readonly #freed = new ChurnMap<string, UnsavedCall>();
  /** Number of calls that ended and can be saved. Pending commits do not count: a batch cannot save them. */
  ended = 0;
  /** Number of refused calls that were dropped because memory was full. */
  leftOut = 0;
  /** Why the last batch was not saved; undefined after one that was. */
  fault: SvcError | undefined;

  get size(): number {
    return this.#calls.size;
  }

  get(id: string): UnsavedCall | undefined {
    return this.#calls.get(id);
  }

  holder(scope: string): UnsavedCall | undefined {
    return this.#holders.get(scope);
  }

  /** The call whose refusal frees this scope and is not saved yet. */
  freeing(scope: string): UnsavedCall | undefined {
    return this.#freed.get(scope);
  }

  /** True when the call was refused and the tables do not show yet that its key is free. */
  isFreeing(id: string): boolean {
    return this.#calls.get(id)?.freedScope !== undefined;
  }

  values(): IterableIterator<UnsavedCall> {
    return this.#calls.values();
  }

  put(call: UnsavedCall): void {
    const { record, scope, freedScope } = call;
    const former = this.#calls.get(record.id);
    if (former) this.drop(former);
    this.#calls.set(record.id, call);
    if (scope !== undefined) this.#holders.set(scope, call);
    if (freedScope !== undefined) this.#freed.set(freedScope, call);
    if (hasEnded(call)) this.ended++;
  }

  change(call: UnsavedCall, record: InvocationRecord): void {
    this.#update(call, { record, isSaved: false });
  }

  committed(call: UnsavedCall): void {
    this.#update(call, { isCommitted: true });
  }

  drop(call: UnsavedCall): void {
    const { record, scope, freedScope } = call;
    if (this.#calls.get(record.id) !== call) return;
    this.#calls.delete(record.id);
    if (hasEnded(call)) this.ended--;
    if (scope !== undefined && this.#holders.get(scope) === call) this.#holders.delete(scope);
    if (freedScope !== undefined && this.#freed.get(freedScope) === call) this.#freed.delete(freedScope);
  }

  /** Calls to save. Without `all`, a call that just started is left for the next batch, since it is probably one finished row by then. */
  due({ all }: { all: boolean }): UnsavedCall[] {
    const due: UnsavedCall[] = [];
    for (const call of this.#calls.values()) {
      if (call.isSaved || !call.isCommitted) continue;
      if (all || call.hasWaited || call.record.outcome) due.push(call);
      call.hasWaited = true;
    }
    return due;
  }

  /** Marks this record as saved. A call that changed meanwhile stays unsaved. */
  saved(call: UnsavedCall, record: InvocationRecord): void {
    if (call.record !== record) return;
    // A pending commit may replace the outcome.
    if (record.outcome && !call.afterCommit) this.drop(call);
    else this.#update(call, { isSaved: true });
  }

  /** Drops saved calls. Call it when rows of the tables have changed. */
  dropSaved(): void {
    for (const call of this.#calls.values()) if (call.isSaved && !call.afterCommit) this.drop(call);
  }

  #update(call: UnsavedCall, changes: Partial<UnsavedCall>): void {
    const counts = this.#calls.get(call.record.id) === call;
    if (counts && hasEnded(call)) this.ended--;
    Object.assign(call, changes);
    if (counts && hasEnded(call)) this.ended++;
  }
}

function hasEnded({ record, isCommitted, isSaved }: UnsavedCall): boolean {
  return record.outcome !== null && isCommitted && !isSaved;
}

export class UnsavedDetails {
  readonly #details = new ChurnMap<string, InvocationDetails>();
  readonly #onError: (error: unknown) => void;
  #chars = 0;
  #leftOut = 0;

  /** @param onError receives the number of dropped details once there is room again */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#details.size;
  }

  get(id: string): InvocationDetails | undefined {
    return this.#details.get(id);
  }

  put(details: InvocationDetails): void {
    this.#drop(details.id);
    if (this.#chars >= MAX_DETAIL_CHARS) {
      this.#leftOut++;
      return;
    }
    this.#details.set(details.id, details);
    this.#chars += charsOf(details);
  }

  all(): InvocationDetails[] {
    return [...this.#details.values()];
  }

  /** Marks these as saved. Details that were replaced meanwhile stay unsaved. */
  saved(details: readonly InvocationDetails[]): void {
    for (const saved of details) if (this.#details.get(saved.id) === saved) this.#drop(saved.id);
    if (this.#leftOut === 0) return;
    this.#onError(new Error(`${this.#leftOut} calls have no details: the database was unavailable for too long`));
    this.#leftOut = 0;
  }

  #drop(id: string): void {
    const known = this.#details.get(id);
    if (!known) return;
    this.#details.delete(id);
    this.#chars -= charsOf(known);
  }
}

function charsOf({ id, timeline, payload, result }: InvocationDetails): number {
  return id.length + timeline.length + (payload?.length ?? 0) + (result?.length ?? 0);
}
