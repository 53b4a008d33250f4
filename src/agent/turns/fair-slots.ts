/**
 * A semaphore that is fair between keys: keys are served round robin, and within a key first come, first served. A single key never gets
 * the last slot, so that a chat with many slow calls leaves a slot for other chats.
 */
export class FairSlots {
  readonly #limit: number;
  readonly #limitOfKey: number;
  readonly #running = new Map<string, number>();
  /** Keys in round-robin order, the next key first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#limitOfKey = Math.max(1, limit - 1);
  }

  /** @throws the reason of `signal` if it aborts before `work` starts; errors of `work` */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (!this.#isFree(key)) await this.#wait(key, signal);
    else this.#count(key, 1);
    try {
      return await work();
    } finally {
      this.#count(key, -1);
      this.#next();
    }
  }

  #isFree(key: string): boolean {
    return this.#total < this.#limit && (this.#running.get(key) ?? 0) < this.#limitOfKey;
  }

  /** Resolves with the slot counted. */
  #wait(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(key) ?? [];
      const begin = () => {
        signal.removeEventListener('abort', leave);
        this.#count(key, 1);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(begin), 1);
        if (queue.length === 0) this.#waiting.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(begin);
      this.#waiting.set(key, queue);
    });
  }

  #next(): void {
    for (const [key, queue] of this.#waiting) {
      if (!this.#isFree(key)) continue;
      const begin = queue.shift();
      // Round robin: moves the key to the end.
      this.#waiting.delete(key);
      if (queue.length > 0) this.#waiting.set(key, queue);
      begin?.();
      return;
    }
  }

  #count(key: string, change: 1 | -1): void {
    const running = (this.#running.get(key) ?? 0) + change;
    if (running === 0) this.#running.delete(key);
    else this.#running.set(key, running);
    this.#total += change;
  }
}
