/**
 * The quota of results that are kept for retries, per agent key. This counts the bytes that a key adds; after each eighth of the quota it removes
 * the oldest results above the quota, in small steps beside the calls. A node exceeds the quota by an eighth and by what it adds meanwhile.
 *
 * Cost: proportional to what is added. The store counts all results of a key once after the start, and again when the key is above the quota and
 * the last count is an hour old: by then results expired, and other nodes kept some.
 */
import type { Limits } from '../../protocol/limits';
import type { Logger } from '../lib/logger';
import { isSaidByHandler } from '../store/call-engine';
import type { InvocationOutcome, InvocationStore, ResultSum } from '../store/store';

const REMOVALS_PER_QUOTA = 8;
const MAX_COUNT_AGE_MS = 3_600_000;

export interface KeptResultsDeps {
  store: Pick<InvocationStore, 'keptResults' | 'forgetResults'>;
  limits: Pick<Limits, 'keptResultBytesPerKey'>;
  logger: Logger;
}

export class KeptResults {
  readonly #deps: KeptResultsDeps;
  /** Agent key id -> bytes of results since the last removal. */
  readonly #added = new Map<string, number>();
  /** Agent key id -> what was kept after the last removal. */
  readonly #kept = new Map<string, ResultSum & { countedAt: number }>();
  readonly #removing = new Set<string>();

  constructor(deps: KeptResultsDeps) {
    this.#deps = deps;
  }

  /** Call it when the outcome is recorded. Errors of the service do not count. */
  add(agentKeyId: string, { code, body }: InvocationOutcome): void {
    if (body === null || !isSaidByHandler(code)) return;
    const bytes = (this.#added.get(agentKeyId) ?? 0) + Buffer.byteLength(body);
    this.#added.set(agentKeyId, bytes);
    if (bytes * REMOVALS_PER_QUOTA >= this.#deps.limits.keptResultBytesPerKey && !this.#removing.has(agentKeyId))
      void this.#removeOldest(agentKeyId);
  }

  async #removeOldest(agentKeyId: string): Promise<void> {
    const { store, limits, logger } = this.#deps;
    this.#removing.add(agentKeyId);
    try {
      const kept = await this.#count(agentKeyId);
      const bytes = kept.bytes - limits.keptResultBytesPerKey;
      if (bytes <= 0 || kept.oldestId === undefined) return;
      const forgotten = await store.forgetResults(agentKeyId, { fromId: kept.oldestId, bytes });
      kept.bytes -= forgotten.bytes;
      kept.oldestId = forgotten.nextId;
      // Calls that took long left results before the ones that were looked at.
      if (forgotten.bytes < bytes) this.#kept.delete(agentKeyId);
    } catch (error) {
      this.#kept.delete(agentKeyId);
      logger.error({ error, key: agentKeyId }, 'cannot remove results above the quota; the next results of the key try again');
    } finally {
      this.#removing.delete(agentKeyId);
    }
  }

  async #count(agentKeyId: string): Promise<ResultSum> {
    const { store, limits } = this.#deps;
    const before = this.#kept.get(agentKeyId);
    if (before) {
      before.bytes += this.#added.get(agentKeyId) ?? 0;
      this.#added.delete(agentKeyId);
      if (before.bytes <= limits.keptResultBytesPerKey || Date.now() - before.countedAt < MAX_COUNT_AGE_MS) return before;
    }
    const kept = { ...(await store.keptResults(agentKeyId)), countedAt: Date.now() };
    // They are in the count, but for the newest.
    this.#added.delete(agentKeyId);
    this.#kept.set(agentKeyId, kept);
    return kept;
  }
}
