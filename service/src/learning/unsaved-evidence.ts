/** Changes of tallies that the store does not have yet. */
import type { EvidenceId } from '../store/store';
import type { Tally } from './tally';

export interface EvidenceChanges {
  save: readonly Tally[];
  remove: readonly EvidenceId[];
}

export class UnsavedEvidence {
  readonly #save = new Set<Tally>();
  readonly #remove = new Map<string, EvidenceId>();

  save(tally: Tally): void {
    this.#save.add(tally);
  }

  remove(tally: Tally): void {
    this.#save.delete(tally);
    const { action, query, agentKeyId } = tally;
    this.#remove.set(tallyId(tally), { action, query, agentKeyId });
  }

  /** A tally with the same id is there again. */
  keep(tally: Tally): void {
    this.#remove.delete(tallyId(tally));
  }

  /** Changes since the last call. */
  take(): EvidenceChanges {
    const changes = { save: Array.from(this.#save, (tally) => ({ ...tally })), remove: [...this.#remove.values()] };
    this.#save.clear();
    this.#remove.clear();
    return changes;
  }
}

function tallyId({ action, query, agentKeyId }: EvidenceId): string {
  return `${action} ${query} ${agentKeyId}`;
}
