/** A recent search of an agent key, and the calls that it led to. Its id names the node that holds it. */
import { randomUUID } from 'node:crypto';

export interface Search {
  readonly id: string;
  readonly keyId: string;
  readonly query: string;
  readonly at: number;
  /** Action ids, best first. */
  readonly shown: ReadonlySet<string>;
  /** The previous search of the same conversation. */
  readonly previousId: string | undefined;
  /** The caller's ids of the conversation and of the end user. */
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  /** A person searched, in the console: not demand of an agent, and nothing to learn from. */
  readonly origin: 'console' | undefined;
  /** Action ids of its calls that ended with success, and of those that failed. */
  readonly succeeded: Set<string>;
  readonly failed: Set<string>;
  /** A later search of the same conversation led to a call. */
  reworded: boolean;
  /** Its key called one of the shown actions and named no search. */
  mayHaveLedToCall: boolean;
}

const SEPARATOR = '.';

/** Random, so that the id does not show how many searches there are. */
export function newSearchId(node: string): string {
  return node + SEPARATOR + randomUUID();
}

/** The node that holds the search. For a text that is not a search id, the result is not a node id. */
export function nodeOf(searchId: string): string {
  return searchId.slice(0, Math.max(0, searchId.indexOf(SEPARATOR)));
}
