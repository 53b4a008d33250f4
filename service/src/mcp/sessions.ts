/**
 * The call that a client cancels: before revision 2026-07-28 it does so with a separate message.
 *
 * Shape:  the key, the session and the id of the request -> its server. Clients count from 0, so an id alone is not unique.
 *         A session is no more than a name that a client repeats: none is kept, and none is ever unknown.
 */
import { randomUUID } from 'node:crypto';

export interface Closable {
  close(): Promise<void>;
}

export interface SessionMessage {
  keyId: string;
  /** The session id of the header; null for a client without one. */
  session: string | null;
  body: unknown;
}

export class Sessions {
  readonly #calls = new Map<string, Closable>();

  /** A name for the session that `initialize` begins; undefined for other messages. */
  begin({ body }: SessionMessage): string | undefined {
    return partsOf(body).method === 'initialize' ? randomUUID() : undefined;
  }

  /** Adds the server of a call; returns the function that removes it. */
  add(message: SessionMessage, server: Closable): () => void {
    const { id } = partsOf(message.body);
    const name = nameOf(message, id);
    if (message.session === null || id === undefined) return () => {};
    this.#calls.set(name, server);
    return () => {
      if (this.#calls.get(name) === server) this.#calls.delete(name);
    };
  }

  /** Ends the call that a message cancels, if it is one that does. */
  async cancel(message: SessionMessage): Promise<void> {
    const { method, params } = partsOf(message.body);
    if (method === 'notifications/cancelled') await this.#calls.get(nameOf(message, partsOf(params).requestId))?.close();
  }
}

function nameOf({ keyId, session }: SessionMessage, id: unknown): string {
  return JSON.stringify([keyId, session, id]);
}

function partsOf(body: unknown): { method?: unknown; id?: unknown; params?: unknown; requestId?: unknown } {
  return typeof body === 'object' && body !== null ? body : {};
}
