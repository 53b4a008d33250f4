/** Invocations that a former process of the service sent, until an instance says that it has them. */
import type { Attempt } from './attempt';

export class OrphanedAttempts {
  readonly #adopted = new Map<string, { invocation: Attempt; timer: NodeJS.Timeout }>();

  /** One that nobody has after `graceMs` is lost. */
  add(invocation: Attempt, graceMs: number): void {
    const timer = setTimeout(() => {
      this.#adopted.delete(invocation.id);
      invocation.settle({ gone: 'lost' });
    }, graceMs);
    this.#adopted.set(invocation.id, { invocation, timer });
  }

  has(invocationId: string): boolean {
    return this.#adopted.has(invocationId);
  }

  /** Undefined for one that is not here, or is not the toolkit's. */
  take(invocationId: string, toolkitId: string): Attempt | undefined {
    const adopted = this.#adopted.get(invocationId);
    if (adopted?.invocation.request.toolkitId !== toolkitId) return undefined;
    clearTimeout(adopted.timer);
    this.#adopted.delete(invocationId);
    return adopted.invocation;
  }

  close(): void {
    for (const { timer } of this.#adopted.values()) clearTimeout(timer);
  }
}
