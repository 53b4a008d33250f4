/**
 * The quota of results that are kept for retries, per agent key. Results are only counted here; the store removes the oldest ones after each
 * eighth of the quota, so that no call waits for a query. A node exceeds the quota by an eighth and by what it adds while the store removes.
 *
 * Shape: agent key id -> bytes of results since the last removal.
 */
import type { Limits } from '../../protocol/limits';
import type { Logger } from '../lib/logger';
import type { InvocationStore } from '../store/store';

const REMOVALS_PER_QUOTA = 8;

export interface KeptResultsDeps {
  store: Pick<InvocationStore, 'forgetResults'>;
  limits: Pick<Limits, 'keptResultBytesPerKey'>;
  logger: Logger;
}

export class KeptResults {
  readonly #deps: KeptResultsDeps;
  readonly #added = new Map<string, number>();
  readonly #removing = new Set<string>();

  constructor(deps: KeptResultsDeps) {
    this.#deps = deps;
  }

  /** Call it when the result is recorded. */
  add(agentKeyId: string, body: string): void {
    const bytes = (this.#added.get(agentKeyId) ?? 0) + Buffer.byteLength(body);
    this.#added.set(agentKeyId, bytes);
    if (bytes * REMOVALS_PER_QUOTA >= this.#deps.limits.keptResultBytesPerKey && !this.#removing.has(agentKeyId))
      void this.#removeOldest(agentKeyId);
  }

  async #removeOldest(agentKeyId: string): Promise<void> {
    const { store, limits, logger } = this.#deps;
    this.#removing.add(agentKeyId);
    this.#added.delete(agentKeyId);
    try {
      await store.forgetResults(agentKeyId, limits.keptResultBytesPerKey);
    } catch (error) {
      logger.error({ error, key: agentKeyId }, 'cannot remove results above the quota; the next results of the key try again');
    } finally {
      this.#removing.delete(agentKeyId);
    }
  }
}
