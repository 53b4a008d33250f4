/**
 * One connection that lasts: it holds the lock of the service, hears of changes and says that this node lives. When it is lost, it is made again,
 * for as long as it takes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { BEAT_MS } from './node-life';

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

export class Session {
  readonly #parts: SessionDeps;
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #running: Promise<void> = Promise.resolve();

  private constructor(deps: SessionDeps) {
    this.#parts = deps;
  }

  static async open(deps: SessionDeps): Promise<Session> {
    const session = new Session(deps);
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
    const client = await this.#parts.connect();
    try {
      await this.#parts.begin(client);
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
      this.#parts.onReturn();
      return this.#client;
    } catch (error) {
      this.#parts.onError(error);
      await this.#wait(RETRY_MS, this.#closing.signal);
      return undefined;
    }
  }

  /** Resolves when the connection is lost, or to be closed. */
  async #stay(client: Client): Promise<void> {
    const lost = new AbortController();
    const onError = (error: Error) => {
      this.#parts.onError(error);
      lost.abort();
    };
    client.on('error', onError);
    const over = AbortSignal.any([lost.signal, this.#closing.signal]);
    try {
      while (!over.aborted) {
        await this.#wait(BEAT_MS, over);
        if (!over.aborted) await this.#parts.beat(client);
      }
    } catch (error) {
      onError(error as Error);
    }
    if (!lost.signal.aborted) return;
    this.#client = undefined;
    await client.end().catch(this.#parts.onError);
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    // It ends early when the signal comes, which is no failure.
    await delay(ms, undefined, { signal, ref: false }).catch(() => {});
  }
}
