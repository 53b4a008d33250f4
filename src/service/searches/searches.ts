/**
 * Which search led to a call: the recent searches of all agent keys at this node, by id. A call names its search; the node that remembers the search
 * is told how the call ended, and tells those who want to know. A call that names none, or one that did not show its action to its key, says nothing.
 *
 * Units:  times are milliseconds since the epoch. Queries are held for ten minutes and no longer, and only while somebody follows them.
 * Errors: none. What another node is told may be lost.
 */
import type { Cluster } from '../cluster/cluster';
import type { RewordedMessage } from '../cluster/messages';
import { type Forgotten, RecentByKey } from './recent-by-key';
import { newSearchId, nodeOf, type Search } from './search';

/** Wants to know what becomes of searches. */
export interface SearchFollower {
  /** Whether it wants to hear more of this one. */
  searched(search: Search): boolean;
  /** For the first time after this search, a call of the action ended with success. */
  succeeded(search: Search, action: string): void;
  /** For the first time after this search, the handler of the action failed. */
  failed?(search: Search, action: string): void;
  /** It has led to nothing, but a search soon after it in the same conversation has, to this action. */
  reworded?(search: Search, next: { query: string; action: string }): void;
  forgotten?(search: Search, why: Forgotten): void;
}

/** How a call ended that a search has led to. */
export interface CallAfterSearch {
  searchId: string;
  agentKeyId: string;
  action: string;
  /** `OK` or an error code. */
  code: string;
}

type Rewording = Omit<RewordedMessage, 'kind' | 'from'>;

export interface NewSearch {
  keyId: string;
  query: string;
  /** Action ids. */
  shown: readonly string[];
  /** Of the search before it in the same conversation, as the caller says. */
  previousId: string | undefined;
}

export interface SearchesDeps {
  cluster: Pick<Cluster, 'tellOfSearch' | 'onSearchNews'>;
  node: string;
  now?: () => number;
}

const BOUNDS = { windowMs: 10 * 60 * 1000, perKey: 200, all: 10_000 };
/** Somebody who searches again in other words does so soon. */
const REWORDING_MS = 2 * 60 * 1000;

export class Searches {
  readonly #cluster: SearchesDeps['cluster'];
  readonly #node: string;
  readonly #now: () => number;
  readonly #followers: SearchFollower[] = [];
  readonly #byId = new Map<string, Search>();
  readonly #recent = new RecentByKey<Search>(BOUNDS, (search, why) => {
    this.#byId.delete(search.id);
    for (const follower of this.#followers) follower.forgotten?.(search, why);
  });

  constructor({ cluster, node, now = Date.now }: SearchesDeps) {
    this.#cluster = cluster;
    this.#node = node;
    this.#now = now;
    cluster.onSearchNews((message) => (message.kind === 'called' ? this.#called(message) : this.#reworded(message)));
  }

  follow(follower: SearchFollower): void {
    this.#followers.push(follower);
  }

  /** The id of the search, for the caller to name it by. Undefined when nobody follows it: nothing is held then. */
  searched({ keyId, query, shown, previousId }: NewSearch): string | undefined {
    const of = { id: newSearchId(this.#node), keyId, query, at: this.#now(), shown: new Set(shown), previousId };
    const search: Search = { ...of, succeeded: new Set(), failed: new Set(), reworded: false, isDoubtful: false };
    // All of them hear of it.
    const isFollowed = this.#followers.filter((follower) => follower.searched(search)).length > 0;
    if (!isFollowed) return undefined;
    this.#byId.set(search.id, search);
    this.#recent.add(keyId, search);
    return search.id;
  }

  /** A call has ended at this node. */
  called(call: CallAfterSearch): void {
    // Other errors are the model's or the system's: they say nothing about what fits.
    if (call.code !== 'OK' && call.code !== 'ACTION_FAILED') return;
    const node = nodeOf(call.searchId);
    if (node === this.#node) this.#called(call);
    else this.#cluster.tellOfSearch(node, { kind: 'called', ...call });
  }

  /** A call that names no search has ended here with success: its caller may be one that does not know of ids. */
  calledWithoutId(keyId: string, action: string): void {
    const search = this.#recent.of(keyId, this.#now()).findLast(({ shown }) => shown.has(action));
    if (search) search.isDoubtful = true;
  }

  /** Forgets what is older than the window. */
  sweep(): void {
    this.#recent.sweep(this.#now());
  }

  /** Forgets all of it, without a word. */
  clear(): void {
    this.#recent.clear();
    this.#byId.clear();
  }

  #called({ searchId, agentKeyId, action, code }: CallAfterSearch): void {
    const search = this.#find(searchId, agentKeyId);
    if (!search?.shown.has(action)) return;
    const ended = code === 'OK' ? search.succeeded : search.failed;
    if (ended.has(action)) return;
    ended.add(action);
    if (code !== 'OK') return this.#tell((follower) => follower.failed?.(search, action));
    this.#tell((follower) => follower.succeeded(search, action));
    this.#tellPrevious(search, { agentKeyId, action, query: search.query, at: search.at });
  }

  #reworded({ searchId, ...next }: Rewording): void {
    const search = this.#find(searchId, next.agentKeyId);
    if (!search || next.at - search.at > REWORDING_MS) return;
    if (!search.reworded && search.succeeded.size + search.failed.size === 0 && !search.shown.has(next.action)) {
      search.reworded = true;
      this.#tell((follower) => follower.reworded?.(search, next));
    }
    this.#tellPrevious(search, next);
  }

  #tellPrevious({ previousId }: Search, next: Omit<Rewording, 'searchId'>): void {
    if (previousId === undefined) return;
    const node = nodeOf(previousId);
    if (node === this.#node) this.#reworded({ searchId: previousId, ...next });
    else this.#cluster.tellOfSearch(node, { kind: 'reworded', searchId: previousId, ...next });
  }

  /** As far as the key may name it. */
  #find(id: string, keyId: string): Search | undefined {
    const search = this.#byId.get(id);
    return search?.keyId === keyId && this.#now() - search.at <= BOUNDS.windowMs ? search : undefined;
  }

  #tell(what: (follower: SearchFollower) => void): void {
    for (const follower of this.#followers) what(follower);
  }
}
