/**
 * Counts of calls that ended, collected in memory and added to the store about once a second.
 *
 * Shape:  each call adds 1 to one cell: agent key, action, code and duration bucket of this minute. A cell becomes rows of all dimensions and
 *         steps when it is written.
 * Errors: rows that the store does not take are kept and written with the next ones. A store that fails after it has added them counts them twice.
 * Memory: bounded. While the store fails for long, calls beyond the bound count for the whole service, and in no row of their own.
 */
import { parseActionId } from '#sdk/protocol/ids';
import { Mutex } from '../lib/mutex';
import type { CallCount, CountDimension, CountStep, CountStore } from '../store/console-store';
import { bucketOf, LAST_BUCKET } from './duration-buckets';

export interface EndedCall {
  agentKeyId: string;
  /** Action id. Undefined if no such action exists. */
  action: string | undefined;
  /** `OK` or an error code. */
  code: string;
  ms: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Rows of hours and days are made of it. */
type MinuteCount = Omit<CallCount, 'step'>;

const MINUTE_MS = 60 * 1000;
const STEPS: readonly CountStep[] = [60, 3_600, 86_400];
/** Combinations of key, action and code in one second, at about 400 bytes each. */
const MAX_CELLS = 10_000;
/** The maximum in each dimension, at about 200 bytes each. */
const MAX_COUNTS = 50_000;
/** Tallies of one transaction, with three rows each: a few milliseconds of this thread. The thread of the database has calls to write too. */
const COUNTS_AT_ONCE = 1_000;

interface Cell {
  agentKeyId: string;
  /** '' for a call without one. */
  action: string;
  code: string;
  /** Calls by duration bucket. */
  calls: Uint32Array;
}

export class CallTallies {
  readonly #store: Pick<CountStore, 'add'>;
  readonly #max: number;
  /** All of one minute. */
  #cells: Cell[] = [];
  /** Agent key -> action -> code -> cell. */
  readonly #cellIndex = new Map<string, Map<string, Map<string, Cell>>>();
  #minute = 0;
  #counts: Record<CountDimension, Counts>;
  /** Serialises writes: rows that a failed write returns must not be lost. */
  readonly #writes = new Mutex();

  constructor(store: Pick<CountStore, 'add'>, max = MAX_COUNTS) {
    this.#store = store;
    this.#max = max;
    this.#counts = this.#noCounts();
  }

  count({ agentKeyId, action = '', code, ms, at }: EndedCall): void {
    const minute = at - (at % MINUTE_MS);
    if (minute !== this.#minute) {
      this.#emptyCells();
      this.#minute = minute;
    }
    const { calls } = this.#cellIndex.get(agentKeyId)?.get(action)?.get(code) ?? this.#newCell(agentKeyId, action, code);
    (calls[bucketOf(ms)] as number)++;
  }

  /** Resolves with whether there was anything to write. Rejects when the store does not take it; the counts are kept. */
  write(): Promise<boolean> {
    return this.#writes.run(() => this.#write());
  }

  async #write(): Promise<boolean> {
    this.#emptyCells();
    const taken = Object.values(this.#counts).flatMap((counts) => counts.all());
    if (taken.length === 0) return false;
    this.#counts = this.#noCounts();
    try {
      while (taken.length > 0) {
        await this.#store.add(taken.slice(-COUNTS_AT_ONCE).flatMap(inSteps));
        taken.length = Math.max(0, taken.length - COUNTS_AT_ONCE);
      }
    } catch (error) {
      for (const { dimension, ...count } of taken) this.#counts[dimension].add(count);
      throw error;
    }
    return true;
  }

  #newCell(agentKeyId: string, action: string, code: string): Cell {
    if (this.#cells.length >= MAX_CELLS) this.#emptyCells();
    const cell = { agentKeyId, action, code, calls: new Uint32Array(LAST_BUCKET + 1) };
    this.#cells.push(cell);
    const actions = getOrAdd(this.#cellIndex, agentKeyId, () => new Map<string, Map<string, Cell>>());
    getOrAdd(actions, action, () => new Map<string, Cell>()).set(code, cell);
    return cell;
  }

  #emptyCells(): void {
    for (const cell of this.#cells) this.#addRows(cell);
    this.#cells = [];
    this.#cellIndex.clear();
  }

  #addRows({ agentKeyId, action, code, calls: callsByBucket }: Cell): void {
    const toolkitId = parseActionId(action)?.toolkitId;
    for (const [bucket, calls] of callsByBucket.entries()) {
      if (calls === 0) continue;
      const count = { start: this.#minute, code, bucket, calls };
      this.#counts.all.add({ name: '', ...count });
      this.#counts.key.add({ name: agentKeyId, ...count });
      if (toolkitId === undefined) continue;
      this.#counts.toolkit.add({ name: toolkitId, ...count });
      this.#counts.action.add({ name: action, ...count });
    }
  }

  #noCounts(): Record<CountDimension, Counts> {
    return {
      all: new Counts('all', Number.POSITIVE_INFINITY),
      key: new Counts('key', this.#max),
      toolkit: new Counts('toolkit', this.#max),
      action: new Counts('action', this.#max),
    };
  }
}

/** The rows of one dimension. */
class Counts {
  readonly #dimension: CountDimension;
  readonly #max: number;
  /** Name, minute, code and bucket -> row. */
  readonly #rows = new Map<string, MinuteCount>();

  constructor(dimension: CountDimension, max: number) {
    this.#dimension = dimension;
    this.#max = max;
  }

  /** Drops a count that needs one row too many. */
  add(count: Omit<MinuteCount, 'dimension'>): void {
    const id = `${count.name} ${count.start} ${count.code} ${count.bucket}`;
    const row = this.#rows.get(id);
    if (row) row.calls += count.calls;
    else if (this.#rows.size < this.#max) this.#rows.set(id, { dimension: this.#dimension, ...count });
  }

  all(): MinuteCount[] {
    return [...this.#rows.values()];
  }
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function inSteps(count: MinuteCount): CallCount[] {
  return STEPS.map((step) => ({ ...count, step, start: count.start - (count.start % (step * 1_000)) }));
}
