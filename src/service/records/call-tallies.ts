/**
 * Calls that ended, gathered in memory and added to the store about once a second.
 *
 * Errors: what the store does not take is kept and tried again with what comes. A store that fails after it has added may count twice.
 * Memory: bounded; while the store fails for long, calls beyond that count for the whole alone, not for their key and action.
 */
import { parseActionId } from '../../protocol/ids';
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

interface Tally {
  /** The minute, in milliseconds since the epoch. */
  minute: number;
  agentKeyId: string | undefined;
  action: string | undefined;
  code: string;
  bucket: number;
  calls: number;
}

const MINUTE_MS = 60 * 1000;
const STEPS: readonly CountStep[] = [60, 3_600, 86_400];
/** At about 300 bytes each. */
const MAX_TALLIES = 100_000;
/** In one transaction. */
const TALLIES_AT_ONCE = 2_000;

export class CallTallies {
  readonly #store: Pick<CountStore, 'add'>;
  readonly #max: number;
  #tallies = new Map<string, Tally>();
  /** One after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(store: Pick<CountStore, 'add'>, max = MAX_TALLIES) {
    this.#store = store;
    this.#max = max;
  }

  count({ agentKeyId, action, code, ms, at }: EndedCall): void {
    this.#add({ minute: at - (at % MINUTE_MS), agentKeyId, action, code, bucket: bucketOf(ms), calls: 1 });
  }

  /** Whether there was anything to write. Rejects when the store does not take it; it is kept. */
  write(): Promise<boolean> {
    const written = this.#work.then(() => this.#write());
    this.#work = written.then(
      () => {},
      () => {},
    );
    return written;
  }

  async #write(): Promise<boolean> {
    if (this.#tallies.size === 0) return false;
    const taken = [...this.#tallies.values()];
    this.#tallies = new Map();
    try {
      while (taken.length > 0) {
        await this.#store.add(countsOf(taken.slice(-TALLIES_AT_ONCE)));
        taken.length = Math.max(0, taken.length - TALLIES_AT_ONCE);
      }
    } catch (error) {
      for (const tally of taken) this.#add(tally);
      throw error;
    }
    return true;
  }

  #add(tally: Tally): void {
    const { minute, agentKeyId = '', action = '', code, bucket, calls } = tally;
    const name = `${minute} ${agentKeyId} ${action} ${code} ${bucket}`;
    const known = this.#tallies.get(name);
    if (known) known.calls += calls;
    else if (this.#tallies.size < this.#max || tally.agentKeyId === undefined) this.#tallies.set(name, tally);
    else this.#add({ ...tally, agentKeyId: undefined, action: undefined });
  }
}

/** What each tally adds to, for the minute, the hour and the day. */
function countsOf(tallies: Iterable<Tally>): CallCount[] {
  const counts = new Map<string, CallCount>();
  for (const { minute, code, bucket, calls, ...of } of tallies) {
    for (const [dimension, name] of namesOf(of)) {
      for (const step of STEPS) {
        const start = minute - (minute % (step * 1_000));
        const id = `${dimension} ${name} ${step} ${start} ${code} ${bucket}`;
        const known = counts.get(id);
        if (known) known.calls += calls;
        else counts.set(id, { dimension, name, step, start, code, bucket, calls });
      }
    }
  }
  return [...counts.values()];
}

function namesOf({ agentKeyId, action }: Pick<Tally, 'agentKeyId' | 'action'>): [CountDimension, string][] {
  const names: [CountDimension, string][] = [['all', '']];
  if (agentKeyId !== undefined) names.push(['key', agentKeyId]);
  const toolkitId = action === undefined ? undefined : parseActionId(action)?.toolkitId;
  if (action !== undefined && toolkitId !== undefined) names.push(['toolkit', toolkitId], ['action', action]);
  return names;
}
