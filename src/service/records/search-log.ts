/**
 * What agents looked for, and whether they used what they found: counted by day and text, as far as the settings let texts be kept.
 *
 * Terms:  a search is *used* when its key calls an action that it showed, with success, within ten minutes; at any node, which tells the one that
 *         the search came to. A call counts for the newest search that showed its action and was not used yet.
 * Keeps:  `off` nothing, not even in memory; `all` every text; `unmet` those that found nothing at once, and those of which nothing was used when
 *         the ten minutes are over: until then the text is in memory alone, and gone with the process.
 * Errors: what the store does not take is kept and tried again with what comes.
 */
import type { SearchTexts } from '../../protocol/admin';
import { parseActionId } from '../../protocol/ids';
import { RecentByKey } from '../recent-by-key';
import type { SearchCount, SearchCountStore } from '../store/console-store';
import { Turns } from '../turns';
import { searchText } from './search-text';

interface Search {
  agentKeyId: string;
  text: string;
  at: number;
  shown: readonly string[];
  used: boolean;
}

/** At another node. */
interface HeardSearch {
  at: number;
  shown: readonly string[];
  used: boolean;
}

interface WaitingCount extends Omit<SearchCount, 'agentKeyIds'> {
  agentKeyIds?: Set<string>;
}

/** What other nodes are told. */
export interface SearchNews {
  shown(agentKeyId: string, shown: readonly string[]): void;
  used(agentKeyId: string, action: string): void;
}

export interface SearchLogParts {
  store: Pick<SearchCountStore, 'add' | 'clear'>;
  news: SearchNews;
  texts: SearchTexts;
  now?: () => number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const BOUNDS = { windowMs: 10 * 60 * 1000, perKey: 200, all: 10_000 };
/** Counts that wait for the store, at about half a kilobyte each; while there are so many, other texts are not counted. */
const MAX_WAITING = 50_000;

export class SearchLog {
  readonly #store: SearchLogParts['store'];
  readonly #news: SearchNews;
  readonly #now: () => number;
  readonly #searches: RecentByKey<Search>;
  readonly #heard = new RecentByKey<HeardSearch>(BOUNDS);
  #texts: SearchTexts;
  /** By day, text and action. */
  #waiting = new Map<string, WaitingCount>();
  /** What is cleared must not be written after that. */
  readonly #turns = new Turns();

  constructor({ store, news, texts, now = Date.now }: SearchLogParts) {
    this.#store = store;
    this.#news = news;
    this.#texts = texts;
    this.#now = now;
    // One that had to go before its time may still be used: of that nothing is known.
    this.#searches = new RecentByKey(BOUNDS, (search, why) => {
      if (why === 'over' && this.#texts === 'unmet' && !search.used) this.#keep(search);
    });
  }

  searched(agentKeyId: string, query: string, shown: readonly string[]): void {
    if (this.#texts === 'off') return;
    const text = searchText(query);
    // Who asks for an action by its id looks for nothing else.
    if (text === '' || (parseActionId(query.trim()) && shown.includes(query.trim()))) return;
    const search: Search = { agentKeyId, text, at: this.#now(), shown: [...new Set(shown)], used: false };
    if (this.#texts === 'all' || shown.length === 0) this.#keep(search);
    if (shown.length === 0) return;
    this.#searches.add(agentKeyId, search);
    this.#news.shown(agentKeyId, search.shown);
  }

  /** Another node has shown these to the key. */
  heard(agentKeyId: string, shown: readonly string[]): void {
    if (this.#texts !== 'off') this.#heard.add(agentKeyId, { at: this.#now(), shown, used: false });
  }

  /** A call of the key ended with success: here, or at another node. */
  succeeded(agentKeyId: string, action: string, isHere: boolean): void {
    if (this.#texts === 'off') return;
    const search = newestUnused(this.#searches.of(agentKeyId, this.#now()), action);
    if (search) {
      search.used = true;
      if (this.#texts === 'all') this.#keepUse(search, action);
    } else if (isHere) {
      const heard = newestUnused(this.#heard.of(agentKeyId, this.#now()), action);
      if (!heard) return;
      heard.used = true;
      this.#news.used(agentKeyId, action);
    }
  }

  /** What is in memory was searched under another setting, and goes. */
  async change(texts: SearchTexts): Promise<void> {
    if (texts === this.#texts) return;
    this.#texts = texts;
    this.#searches.clear();
    this.#heard.clear();
    if (texts !== 'all') this.#waiting.clear();
    if (texts === 'off') await this.#turns.take(() => this.#store.clear());
  }

  /** Whether there was anything to write. Rejects when the store does not take it; it is kept. */
  write(): Promise<boolean> {
    this.#searches.sweep(this.#now());
    this.#heard.sweep(this.#now());
    return this.#turns.take(() => this.#write());
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

  #keep({ agentKeyId, text, at, shown }: Search): void {
    const of = { day: dayOf(at), query: text, searches: 1, used: 0, lastAt: at };
    this.#wait({ ...of, agentKeyIds: new Set([agentKeyId]), empty: shown.length === 0 ? 1 : 0 });
    for (const action of shown) this.#wait({ ...of, action, empty: 0 });
  }

  #keepUse({ agentKeyId, text, at }: Search, action: string): void {
    const of = { day: dayOf(at), query: text, searches: 0, empty: 0, used: 1, lastAt: at };
    this.#wait({ ...of, agentKeyIds: new Set([agentKeyId]) });
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

function newestUnused<S extends { shown: readonly string[]; used: boolean }>(searches: readonly S[], action: string): S | undefined {
  return searches.findLast(({ shown, used }) => !used && shown.includes(action));
}
