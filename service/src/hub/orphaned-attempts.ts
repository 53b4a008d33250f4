/** Attempts that an earlier process of the service, or another node, sent, until their instance registers here. */
import { startGracePeriod } from '../lib/grace-period';
import type { Attempt } from './attempt';

interface Orphan {
  attempt: Attempt;
  stopGrace: () => void;
}

export class OrphanedAttempts {
  readonly #orphans = new Map<string, Orphan>();

  /** Settles the attempt as lost when no instance lists it within `graceMs`. */
  add(attempt: Attempt, graceMs: number): void {
    const stopGrace = startGracePeriod(graceMs, () => {
      this.#orphans.delete(attempt.id);
      attempt.settle({ gone: 'lost' });
    });
    this.#orphans.set(attempt.id, { attempt, stopGrace });
  }

  has(invocationId: string): boolean {
    return this.#orphans.has(invocationId);
  }

  /** Undefined for an unknown attempt and for an attempt of another toolkit. */
  take(invocationId: string, toolkitId: string): Attempt | undefined {
    const orphan = this.#orphans.get(invocationId);
    if (orphan?.attempt.request.toolkitId !== toolkitId) return undefined;
    orphan.stopGrace();
    this.#orphans.delete(invocationId);
    return orphan.attempt;
  }

  close(): void {
    for (const { stopGrace } of this.#orphans.values()) stopGrace();
  }
}
