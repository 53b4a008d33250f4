/**
 * Calls that ended, gathered in memory and added to the store about once a second.
 *
 * Errors: what the store does not take is kept and tried again with what comes. A store that fails after it has added may count twice.
 * Memory: bounded; while the store fails for long, calls beyond that count for the whole alone, not for what has no count yet.
 */
import { parseActionId } from '../../protocol/ids';
import { Mutex } from '../lib/mutex';
import type { CallCount, CountDimension, CountStep, CountStore } from '../store/console-store';
import { bucketOf } from './duration-buckets';

export interface EndedCall {
  agentKeyId: string;
  /** Action id; undefined for a call that meant none that there is. */
  action: string | undefined;
  /** `OK` or an error code. */
  code: string;
  ms: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Of a minute: what is added to hours and days comes of it. */
type MinuteCount = Omit<CallCount, 'step'>;

const MINUTE_MS = 60 * 1000;
const STEPS: readonly CountStep[] = [60, 3_600, 86_400];
/** Of each dimension, at about 200 bytes each. */
const MAX_COUNTS = 50_000;
/** In one transaction, with three rows each: a few milliseconds of this thread, and the thread of the database has calls to write too. */
const COUNTS_AT_ONCE = 1_000;

export class CallTallies {
  readonly #store: Pick<CountStore, 'add'>;
  readonly #max: number;
  #counts: Record<CountDimension, Counts>;
  /** By action id. */
  #toolkits = new Map<string, string | undefined>();
  readonly #writes = new Mutex();

  constructor(store: Pick<CountStore, 'add'>, max = MAX_COUNTS) {
    this.#store = store;
    this.#max = max;
    this.#counts = this.#none();
  }

  count({ agentKeyId, action, code, ms, at }: EndedCall): void {
    const start = at - (at % MINUTE_MS);
    const bucket = bucketOf(ms);
    this.#counts.all.add('', start, code, bucket, 1);
    this.#counts.key.add(agentKeyId, start, code, bucket, 1);
    const toolkitId = action === undefined ? undefined : this.#toolkitOf(action);
    if (action === undefined || toolkitId === undefined) return;
    this.#counts.toolkit.add(toolkitId, start, code, bucket, 1);
    this.#counts.action.add(action, start, code, bucket, 1);
  }

  /** Whether there was anything to write. Rejects when the store does not take it; it is kept. */
  write(): Promise<boolean> {
    return this.#writes.run(() => this.#write());
  }

  async #write(): Promise<boolean> {
    const taken = Object.values(this.#counts).flatMap((counts) => counts.all());
    if (taken.length === 0) return false;
    this.#counts = this.#none();
    this.#toolkits = new Map();
    try {
      while (taken.length > 0) {
        await this.#store.add(taken.slice(-COUNTS_AT_ONCE).flatMap(inSteps));
        taken.length = Math.max(0, taken.length - COUNTS_AT_ONCE);
      }
    } catch (error) {
      for (const { dimension, name, start, code, bucket, calls } of taken) this.#counts[dimension].add(name, start, code, bucket, calls);
      throw error;
    }
    return true;
  }

  #toolkitOf(action: string): string | undefined {
    const known = this.#toolkits.get(action);
    if (known !== undefined || this.#toolkits.has(action)) return known;
    const toolkitId = parseActionId(action)?.toolkitId;
    this.#toolkits.set(action, toolkitId);
    return toolkitId;
  }

  #none(): Record<CountDimension, Counts> {
    return {
      all: new Counts('all', Number.POSITIVE_INFINITY),
      key: new Counts('key', this.#max),
      toolkit: new Counts('toolkit', this.#max),
      action: new Counts('action', this.#max),
    };
  }
}

/** Of one dimension. */
class Counts {
  readonly #dimension: CountDimension;
  readonly #max: number;
  /** A name has few at a time: to look through them costs less than to make a text of all that tells them apart. */
  readonly #byName = new Map<string, MinuteCount[]>();
  #size = 0;

  constructor(dimension: CountDimension, max: number) {
    this.#dimension = dimension;
    this.#max = max;
  }

  /** Not what would be one count too many. */
  add(name: string, start: number, code: string, bucket: number, calls: number): void {
    const counts = this.#byName.get(name);
    // From the end: while the store fails, those of former minutes pile up before it.
    const known = counts?.findLast((count) => count.bucket === bucket && count.code === code && count.start === start);
    if (known) {
      known.calls += calls;
      return;
    }
    if (this.#size >= this.#max) return;
    this.#size++;
    const count = { dimension: this.#dimension, name, start, code, bucket, calls };
    if (counts) counts.push(count);
    else this.#byName.set(name, [count]);
  }

  all(): MinuteCount[] {
    return [...this.#byName.values()].flat();
  }
}

function inSteps(count: MinuteCount): CallCount[] {
  return STEPS.map((step) => ({ ...count, step, start: count.start - (count.start % (step * 1_000)) }));
}
