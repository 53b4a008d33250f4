/** Wakes the waiters of a row that changed, such as an approval. A ring may be lost between nodes, so waiters also look again after a time. */
export class Doorbell {
  readonly #waiters = new Map<string, Set<() => void>>();

  ring(id: string): void {
    const waiters = this.#waiters.get(id);
    if (!waiters) return;
    this.#waiters.delete(id);
    for (const wake of waiters) wake();
  }

  /** Resolves with the next ring, after `ms`, or when `signal` is aborted. */
  wait(id: string, ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        const waiters = this.#waiters.get(id);
        waiters?.delete(wake);
        if (waiters?.size === 0) this.#waiters.delete(id);
        wake();
      };
      const timer = setTimeout(leave, ms);
      signal?.addEventListener('abort', leave);
      const waiters = this.#waiters.get(id) ?? new Set();
      waiters.add(wake);
      this.#waiters.set(id, waiters);
    });
  }
}
