/** How long the store waits for PostgreSQL and for other nodes, in milliseconds. */

/** Time between two heartbeats. */
export const BEAT_MS = 2_000;
/** A node that did not beat for so long is dead. */
export const DEAD_AFTER_MS = 10_000;
/** How long a node waits for the lock of another node that is shutting down. */
export const LOCK_MS = 2_000;
/** A statement only takes longer when the server is stuck. */
export const STATEMENT_MS = 8_000;
/** Longer than `STATEMENT_MS`, so that the server cancels first, and the connection is closed only when no answer arrives at all. */
export const QUERY_MS = 10_000;
