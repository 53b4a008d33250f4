/**
 * One connection that lasts: it holds the lock of the service, hears of changes and says that this node lives. When it is lost, it is made again,
 * for as long as it takes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, ClientBase } from 'pg';

/** Between two beats. */
const BEAT_MS = 2_000;
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

/** Until the next try, when the database could not be reached. */
const RETRY_MS = 500;

export interface SessionDeps {
  connect(): Promise<Client>;
  /** On every new connection, before anything else. */
  begin(client: Client): Promise<void>;
  /** Every `BEAT_MS`; a failure ends the connection. */
  beat(client: Client): Promise<void>;
  /** The connection was lost, and is there again. */
  onReturn(): void;
  onError(error: unknown): void;
}

export class DatabaseSession {
  readonly #deps: SessionDeps;
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #running: Promise<void> = Promise.resolve();

  private constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  static async open(deps: SessionDeps): Promise<DatabaseSession> {
    const session = new DatabaseSession(deps);
    const client = await session.#connect();
    session.#running = session.#run(client);
    return session;
  }

  /** @param last runs before the connection is closed, if there is one */
  async close(last: (client: Client) => Promise<void>): Promise<void> {
    this.#closing.abort();
    await this.#running;
    const client = this.#client;
    if (!client) return;
    try {
      await last(client);
    } finally {
      await client.end();
    }
  }

  async #connect(): Promise<Client> {
    const client = await this.#deps.connect();
    try {
      await this.#deps.begin(client);
      return client;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** Never rejects. Leaves the last connection open. */
  async #run(first: Client): Promise<void> {
    this.#client = first;
    while (!this.#closing.signal.aborted) {
      const client = this.#client ?? (await this.#again());
      if (client) await this.#stay(client);
    }
  }

  async #again(): Promise<Client | undefined> {
    try {
      this.#client = await this.#connect();
      this.#deps.onReturn();
      return this.#client;
    } catch (error) {
      this.#deps.onError(error);
      await this.#wait(RETRY_MS, this.#closing.signal);
      return undefined;
    }
  }

  /** Resolves when the connection is lost, or to be closed. */
  async #stay(client: Client): Promise<void> {
    const lost = new AbortController();
    const onError = (error: Error) => {
      this.#deps.onError(error);
      lost.abort();
    };
    client.on('error', onError);
    const over = AbortSignal.any([lost.signal, this.#closing.signal]);
    try {
      while (!over.aborted) {
        await this.#wait(BEAT_MS, over);
        if (!over.aborted) await this.#deps.beat(client);
      }
    } catch (error) {
      onError(error as Error);
    }
    if (!lost.signal.aborted) return;
    this.#client = undefined;
    await client.end().catch(this.#deps.onError);
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    // It ends early when the signal comes, which is no failure.
    await delay(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}

/**
 * Which nodes live: each says so every `BEAT_MS` in its row of `nodes`, by the database's clock.
 *
 * Nobody is taken for dead by a node that has just come back to the database itself, after a restart of the database, or after a jump of its
 * clock: others had no chance to beat then.
 */
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
