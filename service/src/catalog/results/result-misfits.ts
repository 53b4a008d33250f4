/**
 * Results that did not fit the result that their action declares, counted by place: for the developer of the toolkit. The callers have received
 * them.
 *
 * Checks:  the first results of an action on this node, then one of fifty, after their calls were answered.
 * Shape:   counts by action, version of action and shape, and JSON Pointer; no values. In memory on each node, and in the store for all of them.
 * Memory:  bounded. A misfit beyond the bounds counts nowhere.
 * Errors:  counts that the store does not take are kept and written with the next ones.
 */
import type { ResultMisfit } from '#sdk/protocol/http';
import { Mutex } from '../../lib/mutex';
import { ResultChecker } from '../../payload/result-checker';
import type { Misfit, MisfitStore } from '../../store/misfit-store';
import type { ActionRecord } from '../../store/store';
import { shapeVersionOf } from './shape-version';

export interface ResultMisfitsDeps {
  store: MisfitStore;
  /** Undefined for an id that is not in the catalogue. */
  action(id: string): ActionRecord | undefined;
  /** Called when the misfits of an action may have changed. */
  onChange(actionId: string): void;
  now?(): number;
}

const FIRST_RESULTS = 20;
const THEN_ONE_OF = 50;
/** Parsing a longer text would delay other calls. */
const MAX_CHECKED_CHARS = 256 * 1024;
/** Results that wait for their check. */
const MAX_WAITING = 100;
const MAX_PATHS = 20;
const MAX_ACTIONS = 10_000;
/** A shape that has fitted for so long is right again. */
const FORGET_MS = 7 * 24 * 60 * 60 * 1000;
/** Transactions of other nodes may end late, and clocks differ. */
const REREAD_MS = 60_000;

interface Known {
  version: string;
  byPath: Map<string, Misfit>;
}

export class ResultMisfits {
  readonly #deps: ResultMisfitsDeps;
  readonly #now: () => number;
  readonly #checker = new ResultChecker();
  readonly #results = new WeakMap<ActionRecord, number>();
  #waiting = 0;
  readonly #known = new Map<string, Known>();
  /** Not written yet. */
  #due = new Map<string, Misfit>();
  #gone: Pick<Misfit, 'action' | 'version'>[] = [];
  #readTo = 0;
  readonly #access = new Mutex();

  constructor(deps: ResultMisfitsDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
  }

  /** Call this when the caller has its answer. Costs one look-up for an action without a declared result. */
  resultReceived(actionId: string, resultJson: string): void {
    const action = this.#deps.action(actionId);
    if (action?.resultSchema === undefined || !this.#isChosen(action)) return;
    if (resultJson.length > MAX_CHECKED_CHARS || this.#waiting >= MAX_WAITING) return;
    this.#waiting++;
    setImmediate(() => {
      this.#waiting--;
      this.#check(actionId, action, resultJson);
    });
  }

  /** The misfits of the action as it is now, most frequent first. */
  of(actionId: string, action: ActionRecord): ResultMisfit[] {
    const known = this.#known.get(actionId);
    if (!known || known.version !== shapeVersionOf(action)) return [];
    const recent = [...known.byPath.values()].filter(({ lastAt }) => lastAt >= this.#now() - FORGET_MS);
    return recent
      .sort((one, other) => other.results - one.results || (one.path < other.path ? -1 : 1))
      .map(({ path, results }) => ({ path, results }));
  }

  /** The catalogue has another version of the action, or no such action any more. */
  actionChanged(actionId: string): void {
    const known = this.#known.get(actionId);
    if (!known) return;
    const action = this.#deps.action(actionId);
    if (action && shapeVersionOf(action) === known.version) return;
    this.#known.delete(actionId);
    this.#gone.push({ action: actionId, version: known.version });
  }

  /** Writes the counts of this node, then reads those of all nodes. Rejects when the store fails. */
  synchronise(): Promise<void> {
    return this.#access.run(async () => {
      await this.#write();
      await this.#read();
    });
  }

  /** The counts of the last calls are lost when the store fails. */
  async close(): Promise<void> {
    await this.synchronise().catch(() => {});
  }

  prune(): Promise<void> {
    return this.#deps.store.prune(this.#now() - FORGET_MS);
  }

  #isChosen(action: ActionRecord): boolean {
    const before = this.#results.get(action) ?? 0;
    this.#results.set(action, before + 1);
    return before < FIRST_RESULTS || before % THEN_ONE_OF === 0;
  }

  #check(actionId: string, action: ActionRecord, resultJson: string): void {
    const { resultSchema } = action;
    if (resultSchema === undefined) return;
    const version = shapeVersionOf(action);
    for (const path of this.#checker.misfits(resultSchema, JSON.parse(resultJson))) {
      this.#count({ action: actionId, version, path, results: 1, lastAt: this.#now() });
    }
  }

  #count(misfit: Misfit): void {
    const known = this.#knownOf(misfit);
    if (!known) return;
    const key = JSON.stringify([misfit.action, misfit.version, misfit.path]);
    const due = this.#due.get(key);
    this.#due.set(key, { ...misfit, results: (due?.results ?? 0) + 1 });
    const results = known.byPath.get(misfit.path)?.results ?? 0;
    known.byPath.set(misfit.path, { ...misfit, results: results + 1 });
    this.#deps.onChange(misfit.action);
  }

  /** Undefined when one more path would be too many. */
  #knownOf({ action, version, path }: Misfit): Known | undefined {
    let known = this.#known.get(action);
    if (known?.version !== version) {
      if (!known && this.#known.size >= MAX_ACTIONS) return undefined;
      known = { version, byPath: new Map() };
      this.#known.set(action, known);
    }
    return known.byPath.has(path) || known.byPath.size < MAX_PATHS ? known : undefined;
  }

  async #write(): Promise<void> {
    const [due, gone] = [this.#due, this.#gone];
    [this.#due, this.#gone] = [new Map(), []];
    try {
      await this.#deps.store.add([...due.values()]);
      due.clear();
      await this.#deps.store.remove(gone);
    } catch (error) {
      for (const [key, misfit] of due) this.#due.set(key, { ...misfit, results: misfit.results + (this.#due.get(key)?.results ?? 0) });
      this.#gone.push(...gone);
      throw error;
    }
  }

  async #read(): Promise<void> {
    const now = this.#now();
    const rows = await this.#deps.store.since(Math.max(now - FORGET_MS, this.#readTo - REREAD_MS));
    this.#readTo = now;
    for (const row of rows) this.#put(row);
  }

  /** Takes over the number of all nodes, unless this node has counted more since. */
  #put(row: Misfit): void {
    const action = this.#deps.action(row.action);
    if (!action || action.resultSchema === undefined || shapeVersionOf(action) !== row.version) return;
    const known = this.#knownOf(row);
    const before = known?.byPath.get(row.path);
    if (!known || (before && before.results >= row.results)) return;
    known.byPath.set(row.path, row);
    this.#deps.onChange(row.action);
  }
}
