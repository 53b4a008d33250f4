/**
 * The requests of sessions: searches whose caller named a session, and calls whose caller named a session or a user.
 *
 * Texts:  the setting `searchTexts` decides which queries are stored: `off` none, `unmet` those of searches without results, `all` every one.
 * Errors: requests that the store does not take are kept and written with the next ones.
 */
import type { SearchTexts } from '#sdk/protocol/admin';
import type { RefusedCall } from '../calls/call-observer';
import { Mutex } from '../lib/mutex';
import type { Search } from '../searches/search';
import type { SearchObserver } from '../searches/searches';
import type { SessionQuery, SessionRequest, SessionRequestStore } from '../store/console-store';
import type { InvocationStart } from '../store/store';

/** Requests not yet written, at about half a kilobyte each. Beyond it, new ones are dropped. */
const MAX_WAITING = 20_000;

export class SessionLog implements SearchObserver {
  readonly #store: SessionRequestStore;
  #texts: SearchTexts;
  #waiting = new Map<string, SessionRequest>();
  /** Serialises writes and the removal of texts: a removed text must not be written again. */
  readonly #storeAccess = new Mutex();

  constructor({ store, texts }: { store: SessionRequestStore; texts: SearchTexts }) {
    this.#store = store;
    this.#texts = texts;
  }

  /** A search of a session is held, so that calls can name it. */
  searched({ id, keyId, at, query, shown, previousId, sessionId, userId, origin }: Search): boolean {
    if (sessionId === undefined) return false;
    const isKept = this.#texts === 'all' || (this.#texts === 'unmet' && shown.size === 0);
    const request = { id, agentKeyId: keyId, sessionId, userId: userId ?? null, at, searchId: previousId ?? null };
    this.#wait({ ...request, query: isKept ? query : null, shown: [...shown], origin });
    return shown.size > 0;
  }

  succeeded(): void {}

  called(
    { id, agentKeyId, startedAt, origin }: InvocationStart,
    { sessionId, userId }: NonNullable<RefusedCall['callerIds']>,
    searchId: string | undefined,
  ): void {
    const request = { id, agentKeyId, sessionId: sessionId ?? null, userId: userId ?? null, at: startedAt };
    this.#wait({ ...request, searchId: searchId ?? null, query: null, shown: null, origin });
  }

  async change(texts: SearchTexts): Promise<void> {
    if (texts === this.#texts) return;
    this.#texts = texts;
    if (texts === 'off') await this.#storeAccess.run(() => this.#forgetQueries());
  }

  /** Resolves with whether there was anything to write. Rejects when the store does not take it; the requests are kept. */
  write(): Promise<boolean> {
    return this.#storeAccess.run(() => this.#write());
  }

  /** Oldest first. The answer has every earlier request of this node. */
  async list(query: SessionQuery): Promise<SessionRequest[]> {
    await this.write();
    return this.#store.list(query);
  }

  /** The requests by the id of their call. */
  async ofCalls(ids: readonly string[]): Promise<Map<string, SessionRequest>> {
    await this.write();
    return this.#store.ofCalls(ids);
  }

  async #write(): Promise<boolean> {
    if (this.#waiting.size === 0) return false;
    const taken = this.#waiting;
    this.#waiting = new Map();
    try {
      await this.#store.add([...taken.values()]);
    } catch (error) {
      this.#waiting = new Map([...taken, ...this.#waiting]);
      throw error;
    }
    return true;
  }

  async #forgetQueries(): Promise<void> {
    for (const [id, request] of this.#waiting) this.#waiting.set(id, { ...request, query: null });
    await this.#store.forgetQueries();
  }

  #wait(request: SessionRequest): void {
    if (this.#waiting.size < MAX_WAITING) this.#waiting.set(request.id, request);
  }
}
