/**
 * Records that the database does not have, or not as they are now: calls without idempotency key, and refusals. Most calls are short, and get
 * there as one finished row.
 */
import { isSaidByHandler } from '../said-by-handler';
import type { InvocationOutcome, InvocationRecord } from '../store';

interface Unwritten {
  record: InvocationRecord;
  /** It was running at the last save: the next one takes it as it is. */
  waited: boolean;
  /** The database has it as it is: it runs. */
  written: boolean;
}

export class UnwrittenRecords {
  readonly #records = new Map<string, Unwritten>();
  /** `<agent key id> <idempotency key>` -> the call that gives it back. */
  readonly #freedKeys = new Map<string, string>();
  readonly #keysByCall = new Map<string, string>();

  /** Those that are written and still run among them. */
  get size(): number {
    return this.#records.size;
  }

  get(id: string): InvocationRecord | undefined {
    return this.#records.get(id)?.record;
  }

  /** True when the database knows nothing of it yet. */
  isNew(id: string): boolean {
    return this.#records.get(id)?.written === false;
  }

  get hasNew(): boolean {
    for (const { written } of this.#records.values()) if (!written) return true;
    return false;
  }

  /** @param freedKey an idempotency key that this call held until now */
  put(record: InvocationRecord, freedKey?: string): void {
    this.#records.set(record.id, { record, waited: false, written: false });
    if (freedKey === undefined) return;
    this.#freedKeys.set(freedKey, record.id);
    this.#keysByCall.set(record.id, freedKey);
  }

  /** True while the key of a call that gave it back may still be taken in the database. */
  frees(key: string): boolean {
    return this.#freedKeys.has(key);
  }

  /** The outcome that stands. */
  end(id: string, outcome: InvocationOutcome): InvocationOutcome | undefined {
    const known = this.#records.get(id);
    if (!known) return undefined;
    if (known.record.outcome && !isSaidByHandler(outcome.code)) return known.record.outcome;
    const stands = { ...outcome, body: null };
    this.#records.set(id, { record: { ...known.record, outcome: stands }, waited: true, written: false });
    return stands;
  }

  /** All that are to be written; of running ones only those that were running the last time too. */
  due(): InvocationRecord[] {
    const due: InvocationRecord[] = [];
    for (const unwritten of this.#records.values()) {
      if (unwritten.written) continue;
      if (unwritten.record.outcome || unwritten.waited) due.push(unwritten.record);
      unwritten.waited = true;
    }
    return due;
  }

  all(): InvocationRecord[] {
    return Array.from(this.#records.values()).flatMap(({ record, written }) => (written ? [] : [record]));
  }

  /** The database has this record now. What has changed meanwhile is to be written again. */
  wrote(record: InvocationRecord): void {
    const unwritten = this.#records.get(record.id);
    if (unwritten?.record !== record) return;
    if (record.outcome) this.drop(record);
    else unwritten.written = true;
  }

  drop({ id }: InvocationRecord): void {
    this.#records.delete(id);
    const key = this.#keysByCall.get(id);
    if (key === undefined) return;
    this.#keysByCall.delete(id);
    if (this.#freedKeys.get(key) === id) this.#freedKeys.delete(key);
  }
}
