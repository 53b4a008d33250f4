/** Attempts that a former process of the service, or another node, sent: they wait for the instance that has them. */
import { startGracePeriod } from '../lib/grace-period';
import type { Attempt } from './attempt';

interface Orphan {
  attempt: Attempt;
  stopGrace: () => void;
}

export class OrphanedAttempts {
  readonly #orphans = new Map<string, Orphan>();

  /** The attempt is lost when no instance lists it within `graceMs`. */
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

  /** Undefined for an unknown attempt and for one of another toolkit. */
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
