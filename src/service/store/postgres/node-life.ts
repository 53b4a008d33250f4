/**
 * Which nodes live: each says so every `BEAT_MS` in its row of `nodes`, by the database's clock.
 *
 * Nobody is taken for dead by a node that has just come back to the database itself, after a restart of the database, or after a jump of its
 * clock: others had no chance to beat then.
 */
import type { ClientBase } from 'pg';

export const BEAT_MS = 2_000;
const DEAD_AFTER_MS = 10_000;
/** Between the clock of the database and ours, since the last beat. */
const JUMP_MS = 2_000;

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const STARTED = '(extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint';

const BEAT = `
INSERT INTO nodes (id, seen_at) VALUES ($1, ${NOW})
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
RETURNING seen_at`;

/** As a condition on `nodes`. A time that lies ahead is from before a jump. */
export const LIVES = `
(abs(seen_at - ${NOW}) < ${DEAD_AFTER_MS} OR ${NOW} - ${STARTED} < ${DEAD_AFTER_MS})`;

/** Nothing belongs to them any more. */
export const LONG_DEAD = `seen_at < ${NOW} - ${24 * 60 * 60 * 1_000}`;

export class NodeLife {
  readonly #node: string;
  /** Of the database, minus ours. */
  #offsetMs: number | undefined;
  /** By our clock. */
  #judgesFrom = 0;

  constructor(node: string) {
    this.#node = node;
  }

  async beat(client: ClientBase): Promise<void> {
    const askedAt = performance.now();
    const { rows } = await client.query<{ seen_at: number }>({ name: 'svc-beat', text: BEAT, values: [this.#node] });
    const now = performance.now();
    const offsetMs = (rows[0]?.seen_at ?? 0) - now;
    const jumped = this.#offsetMs !== undefined && Math.abs(offsetMs - this.#offsetMs) > JUMP_MS;
    // A database that stood still has kept others from their beats too.
    if (jumped || now - askedAt > JUMP_MS) this.interrupted();
    this.#offsetMs = offsetMs;
  }

  /** The others may have been cut off as well. */
  interrupted(): void {
    this.#judgesFrom = performance.now() + DEAD_AFTER_MS;
  }

  /** Whether this node may say who is dead. */
  get judges(): boolean {
    return performance.now() >= this.#judgesFrom;
  }

  async end(client: ClientBase): Promise<void> {
    await client.query('DELETE FROM nodes WHERE id = $1', [this.#node]);
  }
}
