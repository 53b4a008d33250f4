/** A search that an agent key made lately, and what came of it. Its id says at which node it is remembered. */
import { randomUUID } from 'node:crypto';

export interface Search {
  readonly id: string;
  readonly keyId: string;
  readonly query: string;
  readonly at: number;
  /** Action ids, best first. */
  readonly shown: ReadonlySet<string>;
  /** The search before it in the same conversation. */
  readonly previousId: string | undefined;
  /** Action ids of its calls that ended with success, and of those that failed. */
  readonly succeeded: Set<string>;
  readonly failed: Set<string>;
  /** A later search of the same conversation has led to something. */
  reworded: boolean;
  /** A call of its key that names no search may have come of it. */
  isDoubtful: boolean;
}

const SEPARATOR = '.';

/** Opaque to callers: random, so that nobody can tell how many searches there are. */
export function newSearchId(node: string): string {
  return node + SEPARATOR + randomUUID();
}

/** The node that remembers the search; of a text that is no search id, a text that is no node. */
export function nodeOf(searchId: string): string {
  return searchId.slice(0, Math.max(0, searchId.indexOf(SEPARATOR)));
}
