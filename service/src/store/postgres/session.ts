/**
 * A permanent connection that holds the service's lock, receives notifications and sends this node's heartbeat. A lost connection is opened
 * again, with unlimited retries.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client, ClientBase } from 'pg';
import { BEAT_MS, DEAD_AFTER_MS } from './times';

/** A larger change of the difference between the database's clock and this node's counts as a jump. */
const JUMP_MS = 2_000;

const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const STARTED = '(extract(epoch FROM pg_postmaster_start_time()) * 1000)::bigint';

const BEAT = `
INSERT INTO nodes (id, seen_at) VALUES ($1, ${NOW})
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
RETURNING seen_at`;

/** Condition on `nodes` for live nodes. A time in the future is from before a jump of the clock. */
export const IS_ALIVE = `
(abs(seen_at - ${NOW}) < ${DEAD_AFTER_MS} OR ${NOW} - ${STARTED} < ${DEAD_AFTER_MS})`;

/** Condition on `nodes` for nodes that own no calls any more. */
export const LONG_DEAD = `seen_at < ${NOW} - ${24 * 60 * 60 * 1_000}`;

/** Delay before the next try when the database is unreachable. */
const RETRY_MS = 500;

export interface SessionDeps {
  connect(): Promise<Client>;
  /** Runs first on every new connection. */
  begin(client: Client): Promise<void>;
  /** Runs every `BEAT_MS`. An error ends the connection. */
  beat(client: Client): Promise<void>;
  /** Called when a lost connection is open again. */
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

  /** @param last runs before an open connection is closed */
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

  /** Keeps a connection open until `close`. Never rejects. Leaves the last connection open. */
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

  /** Sends heartbeats. Resolves when the connection is lost or `close` is called. */
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
    // An abort is not an error.
    await delay(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}

/**
 * Decides which nodes are alive. Each writes a heartbeat every `BEAT_MS` into its row of `nodes`, by the database's clock.
 *
 * A node declares no other node dead soon after it reconnected, after a restart of the database, or after a jump of the database's clock, since
 * the others may have had no chance to send a heartbeat.
 */
export class NodeLife {
  readonly #node: string;
  /** The database's clock minus this node's. */
  #offsetMs: number | undefined;
  /** Time by this node's clock. */
  #mayDeclareDeadFrom = 0;

  constructor(node: string) {
    this.#node = node;
  }

  async beat(client: ClientBase): Promise<void> {
    const askedAt = performance.now();
    const { rows } = await client.query<{ seen_at: number }>({ name: 'svc-beat', text: BEAT, values: [this.#node] });
    const now = performance.now();
    const offsetMs = (rows[0]?.seen_at ?? 0) - now;
    const jumped = this.#offsetMs !== undefined && Math.abs(offsetMs - this.#offsetMs) > JUMP_MS;
    // A database that was blocked has blocked the heartbeats of others too.
    if (jumped || now - askedAt > JUMP_MS) this.interrupted();
    this.#offsetMs = offsetMs;
  }

  /** Stops declaring nodes dead for a while, since others may have been disconnected too. */
  interrupted(): void {
    this.#mayDeclareDeadFrom = performance.now() + DEAD_AFTER_MS;
  }

  /** True when this node may declare others dead. */
  get mayDeclareDead(): boolean {
    return performance.now() >= this.#mayDeclareDeadFrom;
  }

  async end(client: ClientBase): Promise<void> {
    await client.query('DELETE FROM nodes WHERE id = $1', [this.#node]);
  }
}
