/**
 * What the tables do not have, or not as it is now: calls by id and by the idempotency scope that they hold or free, and details of calls.
 *
 * Shape: idempotency scope = agent key id and idempotency key as one text.
 */
import type { InvocationDetails } from './console-store';
import type { InvocationRecord } from './store';

/** UTF-16 units of the texts of all details; while it is reached, new ones are left out, and counted. */
const MAX_DETAIL_CHARS = 32 * 1024 * 1024;

export interface UnsavedCall {
  record: InvocationRecord;
  /** The scope that it holds. */
  readonly scope: string | undefined;
  /** The scope that it held until it was refused. */
  readonly freedScope: string | undefined;
  /** False while its start or its refusal is not durable, and has to be. */
  isCommitted: boolean;
  /** Its record belongs into the journal until it is saved. */
  readonly isDurable: boolean;
  /** It was running at the last save: the next one takes it as it is. */
  hasWaited: boolean;
  /** The tables have its record as it is: it runs. */
  isSaved: boolean;
  /** Called when the commit that is under way is over. Undefined while none is. */
  afterCommit: ((error: unknown) => void)[] | undefined;
}

export class UnsavedCalls {
  readonly #calls = new Map<string, UnsavedCall>();
  readonly #holders = new Map<string, UnsavedCall>();
  readonly #freed = new Map<string, UnsavedCall>();
  /** Calls that ended. */
  ended = 0;
  /** Refused calls that found no room in memory. */
  leftOut = 0;

  get size(): number {
    return this.#calls.size;
  }

  get(id: string): UnsavedCall | undefined {
    return this.#calls.get(id);
  }

  holder(scope: string): UnsavedCall | undefined {
    return this.#holders.get(scope);
  }

  /** The call whose refusal frees this scope, and is not saved yet. */
  freeing(scope: string): UnsavedCall | undefined {
    return this.#freed.get(scope);
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
    if (record.outcome) this.ended++;
  }

  /** Gives it another record. */
  change(call: UnsavedCall, record: InvocationRecord): void {
    if (!call.record.outcome && record.outcome) this.ended++;
    call.record = record;
    call.isSaved = false;
  }

  drop(call: UnsavedCall): void {
    const { record, scope, freedScope } = call;
    if (this.#calls.get(record.id) !== call) return;
    this.#calls.delete(record.id);
    if (record.outcome) this.ended--;
    if (scope !== undefined && this.#holders.get(scope) === call) this.#holders.delete(scope);
    if (freedScope !== undefined && this.#freed.get(freedScope) === call) this.#freed.delete(freedScope);
  }

  /** Calls to save. Without `all`, calls that run only for a moment are left for the next time, when each is one finished row. */
  due({ all }: { all: boolean }): UnsavedCall[] {
    const due: UnsavedCall[] = [];
    for (const call of this.#calls.values()) {
      if (call.isSaved || !call.isCommitted) continue;
      if (all || call.hasWaited || call.record.outcome) due.push(call);
      call.hasWaited = true;
    }
    return due;
  }

  /** The tables have this record now. What has changed meanwhile is to be saved again. */
  saved(call: UnsavedCall, record: InvocationRecord): void {
    if (call.record !== record) return;
    // Another outcome may be on its way.
    if (record.outcome && !call.afterCommit) this.drop(call);
    else call.isSaved = true;
  }

  /** Drops calls that the tables have as they are, for tables that are about to change. */
  dropSaved(): void {
    for (const call of this.#calls.values()) if (call.isSaved && !call.afterCommit) this.drop(call);
  }
}

export class UnsavedDetails {
  readonly #details = new Map<string, InvocationDetails>();
  readonly #onError: (error: unknown) => void;
  #chars = 0;
  #leftOut = 0;

  /** @param onError hears how many were left out, when there is room again */
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

  /** The database has these now; what was replaced meanwhile is still to be saved. */
  saved(details: readonly InvocationDetails[]): void {
    for (const saved of details) if (this.#details.get(saved.id) === saved) this.#drop(saved.id);
    if (this.#leftOut === 0) return;
    this.#onError(new Error(`${this.#leftOut} calls have no details: the database could not take them for too long`));
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
