/**
 * Attributes calls to searches: the one place that decides which search led to a call. It holds the recent searches of all agent keys at this
 * node, by id. A call names its search; the node that holds the search gets the outcome of the call and notifies its observers. A call that names
 * no search, or a search that did not show the action to its key, is not attributed.
 *
 * Units:  times are milliseconds since the epoch. A search is held for ten minutes at most, and only if an observer subscribes to it.
 * Errors: none. A message to another node may be lost.
 */
import type { Cluster } from '../cluster/cluster';
import { KIND } from '../cluster/message-kinds';
import type { RewordedMessage } from '../cluster/message-schemas';
import { RecentByKey, type RemovalReason } from './recent-by-key';
import { newSearchId, nodeOf, type Search } from './search';

/** Learning and records observe what searches lead to. */
export interface SearchObserver {
  /** Returns whether the observer subscribes to the further events of this search. */
  searched(search: Search): boolean;
  /** The first call of the action after this search that succeeded. */
  succeeded(search: Search, action: string): void;
  /** The first call of the action after this search whose handler failed. */
  failed?(search: Search, action: string): void;
  /** The first call of one of its actions that names no search. It belongs to this one or to an equal one. */
  ledToCall?(search: Search): void;
  /** This search led to no call, but a later search of the same conversation led to a call of this action. */
  reworded?(search: Search, next: { query: string; action: string }): void;
  removed?(search: Search, reason: RemovalReason): void;
}

/** The outcome of a call that names a search. */
export interface CallAfterSearch {
  searchId: string;
  agentKeyId: string;
  action: string;
  /** `OK` or an error code. */
  code: string;
}

/** The members that this room reads of an `ObservedRequest`. */
interface EndedRequest {
  key: { id: string; origin?: 'console' };
  searchId: string | undefined;
  accepted: { actionId: string } | undefined;
}

type Rewording = Omit<RewordedMessage, 'kind' | 'from'>;

export interface NewSearch {
  keyId: string;
  query: string;
  /** Action ids. */
  shown: readonly string[];
  /** Id of the previous search of the same conversation, as the caller names it. */
  previousId: string | undefined;
  /** The caller's ids of the conversation and of the end user. */
  sessionId?: string | undefined;
  userId?: string | undefined;
  origin?: 'console' | undefined;
}

export interface SearchesDeps {
  cluster: Pick<Cluster, 'reportSearchNews' | 'onSearchNews'>;
  node: string;
  now?: () => number;
}

const BOUNDS = { windowMs: 10 * 60 * 1000, perKey: 200, all: 10_000 };
/** A later search of the same wish follows soon. */
const REWORDING_MS = 2 * 60 * 1000;

export class Searches {
  readonly #cluster: SearchesDeps['cluster'];
  readonly #node: string;
  readonly #now: () => number;
  readonly #observers: SearchObserver[] = [];
  readonly #byId = new Map<string, Search>();
  readonly #recent = new RecentByKey<Search>(BOUNDS, (search, reason) => {
    this.#byId.delete(search.id);
    this.#notify((observer) => observer.removed?.(search, reason));
  });

  constructor({ cluster, node, now = Date.now }: SearchesDeps) {
    this.#cluster = cluster;
    this.#node = node;
    this.#now = now;
    cluster.onSearchNews((message) => (message.kind === KIND.searchCalled ? this.#attribute(message) : this.#reworded(message)));
  }

  observe(observer: SearchObserver): void {
    this.#observers.push(observer);
  }

  /** Returns the id by which calls name the search. Undefined without a subscribed observer: then the search is not held. */
  searched({ keyId, query, shown, previousId, sessionId, userId, origin }: NewSearch): string | undefined {
    const caller = { keyId, previousId, sessionId, userId, origin };
    const of = { id: newSearchId(this.#node), query, at: this.#now(), shown: new Set(shown) };
    const search: Search = { ...caller, ...of, succeeded: new Set(), failed: new Set(), reworded: false, mayHaveLedToCall: false };
    // Every observer gets the event, so `some` would stop too early.
    const isWanted = this.#observers.filter((observer) => observer.searched(search)).length > 0;
    if (!isWanted) return undefined;
    this.#byId.set(search.id, search);
    this.#recent.add(keyId, search);
    return search.id;
  }

  /** An event of `CallObserver`: this node recorded the outcome of a call that names a search. */
  outcomeRecorded(call: CallAfterSearch): void {
    // Other errors are the model's or the system's. They do not show whether the action fits the query.
    if (call.code !== 'OK' && call.code !== 'ACTION_FAILED') return;
    const node = nodeOf(call.searchId);
    if (node === this.#node) this.#attribute(call);
    else this.#cluster.reportSearchNews(node, { kind: KIND.searchCalled, ...call });
  }

  /**
   * An event of `CallObserver`: a caller got its answer. A client without support for search ids names none. Its call is not attributed, but the
   * latest search of its key that showed the action does not count as unused.
   */
  requestEnded({ key, searchId, accepted }: EndedRequest, code: string): void {
    if (code !== 'OK' || searchId !== undefined || accepted === undefined || key.origin !== undefined) return;
    const search = this.#recent.of(key.id, this.#now()).findLast(({ shown }) => shown.has(accepted.actionId));
    if (!search || search.mayHaveLedToCall) return;
    search.mayHaveLedToCall = true;
    this.#notify((observer) => observer.ledToCall?.(search));
  }

  /** Removes searches older than the window. */
  sweep(): void {
    this.#recent.sweep(this.#now());
  }

  /** Removes all searches; observers get no event. */
  clear(): void {
    this.#recent.clear();
    this.#byId.clear();
  }

  #attribute({ searchId, agentKeyId, action, code }: CallAfterSearch): void {
    const search = this.#find(searchId, agentKeyId);
    if (!search?.shown.has(action)) return;
    const ended = code === 'OK' ? search.succeeded : search.failed;
    if (ended.has(action)) return;
    ended.add(action);
    if (code !== 'OK') return this.#notify((observer) => observer.failed?.(search, action));
    this.#notify((observer) => observer.succeeded(search, action));
    this.#rewordPrevious(search, { agentKeyId, action, query: search.query, at: search.at });
  }

  #reworded({ searchId, ...next }: Rewording): void {
    const search = this.#find(searchId, next.agentKeyId);
    if (!search || next.at - search.at > REWORDING_MS) return;
    if (!search.reworded && search.succeeded.size + search.failed.size === 0 && !search.shown.has(next.action)) {
      search.reworded = true;
      this.#notify((observer) => observer.reworded?.(search, next));
    }
    this.#rewordPrevious(search, next);
  }

  #rewordPrevious({ previousId }: Search, next: Omit<Rewording, 'searchId'>): void {
    if (previousId === undefined) return;
    const node = nodeOf(previousId);
    if (node === this.#node) this.#reworded({ searchId: previousId, ...next });
    else this.#cluster.reportSearchNews(node, { kind: KIND.searchReworded, searchId: previousId, ...next });
  }

  /** Only a search of the same key. */
  #find(id: string, keyId: string): Search | undefined {
    const search = this.#byId.get(id);
    return search?.keyId === keyId && this.#now() - search.at <= BOUNDS.windowMs ? search : undefined;
  }

  #notify(event: (observer: SearchObserver) => void): void {
    for (const observer of this.#observers) event(observer);
  }
}
