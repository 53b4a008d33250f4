/**
 * Which search led to a call: the recent searches of each agent key, and what a call of one of the actions that they showed teaches.
 *
 * Shape:  agent key -> its searches, oldest first. Many conversations may share a key, so a call belongs to the newest search that showed its
 *         action and has led to nothing yet.
 * Units:  times are milliseconds since the epoch, passed in. Queries are held for the window and no longer.
 */
import { parseActionId } from '../../protocol/ids';
import { RecentByKey } from '../recent-by-key';

/** A query that an action served, or failed. */
export interface Lesson {
  query: string;
  /** 1, or less when it is less sure that the query meant this. */
  strength: number;
}

interface Search {
  query: string;
  at: number;
  shown: ReadonlySet<string>;
  succeeded: Set<string>;
  failed: Set<string>;
  /** A later search in other words has led to something. */
  reworded: boolean;
}

/** Somebody who searches again in other words does so soon. */
const REWORDING_MS = 2 * 60 * 1000;
const REWORDED_STRENGTH = 0.5;
const BOUNDS = { windowMs: 10 * 60 * 1000, perKey: 200, all: 10_000 };

export class Sessions {
  readonly #termsOf: (query: string) => readonly string[];
  readonly #searches = new RecentByKey<Search>(BOUNDS);

  constructor(termsOf: (query: string) => readonly string[]) {
    this.#termsOf = termsOf;
  }

  searched(keyId: string, query: string, shown: readonly string[], at: number): void {
    // An exact id says nothing that the id does not say.
    if (parseActionId(query.trim())) return;
    this.#searches.add(keyId, { query, at, shown: new Set(shown), succeeded: new Set(), failed: new Set(), reworded: false });
  }

  succeeded(keyId: string, action: string, at: number): Lesson[] {
    const searches = this.#searches.of(keyId, at);
    const search = newestThatShowed(searches, action, ({ succeeded }) => succeeded);
    if (!search) return [];
    search.succeeded.add(action);
    const reworded = this.#rewordedBy(search, searches, action);
    for (const earlier of reworded) earlier.reworded = true;
    return [{ query: search.query, strength: 1 }, ...reworded.map(({ query }) => ({ query, strength: REWORDED_STRENGTH }))];
  }

  failed(keyId: string, action: string, at: number): Lesson[] {
    const search = newestThatShowed(this.#searches.of(keyId, at), action, ({ failed }) => failed);
    search?.failed.add(action);
    return search ? [{ query: search.query, strength: 1 }] : [];
  }

  /** Forgets what is older than the window. */
  sweep(now: number): void {
    this.#searches.sweep(now);
  }

  /** Earlier searches that led to nothing, soon followed by this one, of which they share a term. */
  #rewordedBy(search: Search, searches: readonly Search[], action: string): Search[] {
    const before = searches.slice(0, searches.indexOf(search));
    const earlier = before.filter(
      ({ at, shown, succeeded, failed, reworded }) =>
        search.at - at <= REWORDING_MS && !reworded && succeeded.size + failed.size === 0 && !shown.has(action),
    );
    if (earlier.length === 0) return [];
    const terms = new Set(this.#termsOf(search.query));
    return earlier.filter(({ query }) => this.#termsOf(query).some((term) => terms.has(term)));
  }
}

function newestThatShowed(searches: readonly Search[], action: string, counted: (search: Search) => Set<string>): Search | undefined {
  const candidates = searches.filter((search) => search.shown.has(action) && !counted(search).has(action));
  return candidates.findLast(({ succeeded }) => succeeded.size === 0) ?? candidates.at(-1);
}
