/**
 * Recent searches of each MCP session. The messages of a session are served one by one and may reach any node.
 *
 * Shape:  agent key and session -> its recent searches; an LRU cache.
 */
import { LRUCache } from 'lru-cache';
import { SearchMemory } from '#sdk/protocol/search-memory';
import type { Cluster } from '../cluster/cluster';

export interface SessionMemory extends Pick<SearchMemory, 'newest' | 'thatShowed'> {
  /** @param shown action ids */
  add(searchId: string, shown: readonly string[]): void;
}

const MAX_SESSIONS = 1_000;
/** A client may send any text as its session. */
const MAX_SESSION_CHARS = 200;

export class SessionSearches {
  readonly #cluster: Pick<Cluster, 'sessionSearched'>;
  readonly #memories = new LRUCache<string, SearchMemory>({ max: MAX_SESSIONS });

  constructor(cluster: Pick<Cluster, 'sessionSearched' | 'onSessionSearched'>) {
    this.#cluster = cluster;
    cluster.onSessionSearched(({ agentKeyId, session, searchId, shown }) => this.#add(nameOf(agentKeyId, session), searchId, shown));
  }

  /** Undefined for a client without a session: its messages look like those of other conversations. */
  of(agentKeyId: string, session: string | undefined): SessionMemory | undefined {
    if (session === undefined || session.length > MAX_SESSION_CHARS) return undefined;
    const name = nameOf(agentKeyId, session);
    const memory = this.#memories.get(name);
    return {
      newest: memory?.newest,
      thatShowed: (action) => memory?.thatShowed(action),
      add: (searchId, shown) => {
        this.#add(name, searchId, shown);
        this.#cluster.sessionSearched({ kind: 'session-searched', agentKeyId, session, searchId, shown: [...shown] });
      },
    };
  }

  #add(name: string, searchId: string, shown: readonly string[]): void {
    const memory = this.#memories.get(name) ?? new SearchMemory();
    memory.add(searchId, shown);
    this.#memories.set(name, memory);
  }
}

function nameOf(agentKeyId: string, session: string): string {
  return JSON.stringify([agentKeyId, session]);
}
