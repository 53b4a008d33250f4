/**
 * The quota of results that are kept for retries, per agent key. This counts the bytes that a key adds; after each eighth of the quota it removes
 * the oldest results above the quota, in small steps beside the calls. A node exceeds the quota by an eighth, and by its results during a removal;
 * it keeps less than the quota by those of a count.
 *
 * Cost: proportional to what is added. The store counts all results of a key once after the start, and again when the key is above the quota and
 * the last count is an hour old: by then results expired, and other nodes kept some.
 */
import type { Limits } from '#sdk/protocol/limits';
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

interface KeyResults {
  /** Bytes since the last removal. */
  addedBytes: number;
  /** The results after the last removal. Undefined: the store has to count. */
  kept: (ResultSum & { countedAt: number }) | undefined;
  isRemoving: boolean;
}

export class KeptResults {
  readonly #deps: KeptResultsDeps;
  /** Agent key id -> its results. */
  readonly #keys = new Map<string, KeyResults>();

  constructor(deps: KeptResultsDeps) {
    this.#deps = deps;
  }

  /** Call it when the outcome is recorded. Errors of the service do not count. */
  add(agentKeyId: string, { code, body }: InvocationOutcome): void {
    if (body === null || !isSaidByHandler(code)) return;
    const key = this.#keyOf(agentKeyId);
    key.addedBytes += Buffer.byteLength(body);
    this.#removeIfDue(agentKeyId, key);
  }

  #removeIfDue(agentKeyId: string, key: KeyResults): void {
    if (key.addedBytes * REMOVALS_PER_QUOTA < this.#deps.limits.keptResultBytesPerKey || key.isRemoving) return;
    key.isRemoving = true;
    void this.#removeOldest(agentKeyId, key);
  }

  #keyOf(agentKeyId: string): KeyResults {
    let key = this.#keys.get(agentKeyId);
    if (!key) {
      key = { addedBytes: 0, kept: undefined, isRemoving: false };
      this.#keys.set(agentKeyId, key);
    }
    return key;
  }

  async #removeOldest(agentKeyId: string, key: KeyResults): Promise<void> {
    try {
      await this.#removeAboveQuota(agentKeyId, key);
    } catch (error) {
      key.kept = undefined;
      key.isRemoving = false;
      this.#deps.logger.error({ error, key: agentKeyId }, 'cannot remove results above the quota; the next results of the key try again');
      return;
    }
    key.isRemoving = false;
    // The calls that ended meanwhile may have been the last of the key.
    this.#removeIfDue(agentKeyId, key);
  }

  async #removeAboveQuota(agentKeyId: string, key: KeyResults): Promise<void> {
    const { store, limits } = this.#deps;
    const kept = await this.#count(agentKeyId, key);
    const bytes = kept.bytes - limits.keptResultBytesPerKey;
    if (bytes <= 0 || kept.oldestId === undefined) return;
    const forgotten = await store.forgetResults(agentKeyId, { fromId: kept.oldestId, bytes });
    kept.bytes -= forgotten.bytes;
    kept.oldestId = forgotten.nextId;
    // Calls that took long left results before the ones that were looked at.
    if (forgotten.bytes < bytes) key.kept = undefined;
  }

  async #count(agentKeyId: string, key: KeyResults): Promise<ResultSum> {
    const { store, limits } = this.#deps;
    const { kept } = key;
    if (kept) {
      kept.bytes += key.addedBytes;
      key.addedBytes = 0;
      if (kept.bytes <= limits.keptResultBytesPerKey || Date.now() - kept.countedAt < MAX_COUNT_AGE_MS) return kept;
    }
    const { addedBytes } = key;
    const counted = { ...(await store.keptResults(agentKeyId)), countedAt: Date.now() };
    // The count may have what was added meanwhile, or not: to count it twice keeps the quota.
    key.addedBytes -= addedBytes;
    key.kept = counted;
    return counted;
  }
}
