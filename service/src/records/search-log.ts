/**
 * Counts of searches by day and text, and whether agents used a result. The setting `searchTexts` decides which texts are stored.
 *
 * Terms:  a search is *used* when a call that names it, of an action that it showed, ends with success within ten minutes.
 * Stored: `off` nothing, not even in memory; `all` every text; `unmet` a search without results at once, and an unused search after ten minutes:
 *         until then its text is in memory only and ends with the process.
 * Errors: counts that the store does not take are kept and written with the next ones.
 */
import type { SearchTexts } from '#sdk/protocol/admin';
import { parseActionId } from '#sdk/protocol/ids';
import { Mutex } from '../lib/mutex';
import { DAY_MS } from '../lib/utc-day';
import type { RemovalReason } from '../searches/recent-by-key';
import type { Search } from '../searches/search';
import type { SearchObserver } from '../searches/searches';
import type { SearchCount, SearchCountStore } from '../store/console-store';
import { searchText } from './search-text';

interface WaitingCount extends Omit<SearchCount, 'agentKeyIds'> {
  agentKeyIds?: Set<string>;
}

export interface SearchLogDeps {
  store: Pick<SearchCountStore, 'add' | 'clear'>;
  texts: SearchTexts;
}

/** Counts not yet written, at about half a kilobyte each. Beyond it, new texts are not counted. */
const MAX_WAITING = 50_000;

export class SearchLog implements SearchObserver {
  readonly #store: SearchLogDeps['store'];
  #texts: SearchTexts;
  /** Counts by day, text and action. */
  #waiting = new Map<string, WaitingCount>();
  /** Serialises writes and clearing: cleared texts must not be written again. */
  readonly #storeAccess = new Mutex();

  constructor({ store, texts }: SearchLogDeps) {
    this.#store = store;
    this.#texts = texts;
  }

  searched(search: Search): boolean {
    if (!this.#counts(search)) return false;
    const { shown } = search;
    if (this.#texts === 'all' || shown.size === 0) this.#keep(search);
    return shown.size > 0;
  }

  succeeded(search: Search, action: string): void {
    if (this.#texts === 'all' && search.succeeded.size === 1 && this.#counts(search)) this.#keepUse(search, action);
  }

  /** An evicted search may still be used: it does not count as unmet. */
  removed(search: Search, reason: RemovalReason): void {
    const isUnmet = reason === 'expired' && search.shown.size > 0 && search.succeeded.size === 0 && !search.mayHaveLedToCall;
    if (isUnmet && this.#texts === 'unmet' && this.#counts(search)) this.#keep(search);
  }

  /** Drops counts that the new setting does not allow. */
  async change(texts: SearchTexts): Promise<void> {
    if (texts === this.#texts) return;
    this.#texts = texts;
    if (texts !== 'all') this.#waiting.clear();
    if (texts === 'off') await this.#storeAccess.run(() => this.#store.clear());
  }

  /** Resolves with whether there was anything to write. Rejects when the store does not take it; the counts are kept. */
  write(): Promise<boolean> {
    return this.#storeAccess.run(() => this.#write());
  }

  /** A query that is the id of its result is not a search by words, and a search in the console is not one of an agent. */
  #counts({ query, shown, origin }: Search): boolean {
    if (origin !== undefined || this.#texts === 'off' || searchText(query) === '') return false;
    const exact = query.trim();
    return !(parseActionId(exact) && shown.has(exact));
  }

  async #write(): Promise<boolean> {
    if (this.#waiting.size === 0) return false;
    const [taken, texts] = [this.#waiting, this.#texts];
    this.#waiting = new Map();
    try {
      await this.#store.add(
        Array.from(taken.values(), ({ agentKeyIds, ...count }) => ({ ...count, ...(agentKeyIds && { agentKeyIds: [...agentKeyIds] }) })),
      );
    } catch (error) {
      if (this.#texts === texts) for (const count of taken.values()) this.#wait(count);
      throw error;
    }
    return true;
  }

  #keep({ keyId, query, at, shown }: Search): void {
    const of = { day: dayOf(at), query: searchText(query), searches: 1, used: 0, lastAt: at };
    this.#wait({ ...of, agentKeyIds: new Set([keyId]), empty: shown.size === 0 ? 1 : 0 });
    for (const action of shown) this.#wait({ ...of, action, empty: 0 });
  }

  #keepUse({ keyId, query, at }: Search, action: string): void {
    const of = { day: dayOf(at), query: searchText(query), searches: 0, empty: 0, used: 1, lastAt: at };
    this.#wait({ ...of, agentKeyIds: new Set([keyId]) });
    this.#wait({ ...of, action });
  }

  #wait(count: WaitingCount): void {
    const name = `${count.day} ${count.action ?? ''} ${count.query}`;
    const known = this.#waiting.get(name);
    if (!known) {
      if (this.#waiting.size < MAX_WAITING) this.#waiting.set(name, count);
      return;
    }
    known.searches += count.searches;
    known.empty += count.empty;
    known.used += count.used;
    known.lastAt = Math.max(known.lastAt, count.lastAt);
    for (const keyId of count.agentKeyIds ?? []) known.agentKeyIds?.add(keyId);
  }
}

function dayOf(at: number): number {
  return at - (at % DAY_MS);
}
