/**
 * The tokens of models, as agents report them with the requests of their sessions. Written in batches, never on the way of a call.
 *
 * Texts:  without `searchTexts`, the name of a model is stored as ''. Its tokens count.
 * Errors: reports that the store does not take are kept and written with the next ones.
 */
import type { SearchTexts } from '#sdk/protocol/admin';
import type { ModelUsage } from '#sdk/protocol/usage';
import { Mutex } from '../lib/mutex';
import type { SessionSumStore, UsageRecord } from '../store/session-store';

/** Reports not yet written, at about a quarter of a kilobyte each. Beyond it, new ones are dropped. */
const MAX_WAITING = 20_000;

export class SessionUsage {
  readonly #store: Pick<SessionSumStore, 'addUsage' | 'forgetModels'>;
  #texts: SearchTexts;
  #waiting = new Map<string, UsageRecord>();
  /** Serialises writes and the removal of names: a removed name must not be written again. */
  readonly #storeAccess = new Mutex();

  constructor({ store, texts }: { store: Pick<SessionSumStore, 'addUsage' | 'forgetModels'>; texts: SearchTexts }) {
    this.#store = store;
    this.#texts = texts;
  }

  /** @param usage a report whose id the key's session has had changes nothing */
  add(agentKeyId: string, sessionId: string, userId: string | undefined, usage: readonly ModelUsage[]): void {
    const at = Date.now();
    for (const { model, id, inputTokens, cachedTokens = 0, outputTokens } of usage) {
      const name = `${agentKeyId} ${id} ${sessionId}`;
      if (this.#waiting.has(name) || this.#waiting.size >= MAX_WAITING) continue;
      const tokens = { input: inputTokens, cached: cachedTokens, output: outputTokens };
      const kept = this.#texts === 'off' ? '' : model;
      this.#waiting.set(name, { agentKeyId, sessionId, userId: userId ?? null, id, model: kept, tokens, at });
    }
  }

  async change(texts: SearchTexts): Promise<void> {
    if (texts === this.#texts) return;
    this.#texts = texts;
    if (texts === 'off') await this.#storeAccess.run(() => this.#forgetModels());
  }

  /** Resolves with whether there was anything to write. Rejects when the store does not take it; the reports are kept. */
  write(): Promise<boolean> {
    return this.#storeAccess.run(() => this.#write());
  }

  async #write(): Promise<boolean> {
    if (this.#waiting.size === 0) return false;
    const taken = this.#waiting;
    this.#waiting = new Map();
    try {
      await this.#store.addUsage([...taken.values()]);
    } catch (error) {
      this.#waiting = new Map([...taken, ...this.#waiting]);
      throw error;
    }
    return true;
  }

  async #forgetModels(): Promise<void> {
    for (const [name, usage] of this.#waiting) this.#waiting.set(name, { ...usage, model: '' });
    await this.#store.forgetModels();
  }
}
