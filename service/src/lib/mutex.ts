/** Runs one piece of work at a time, in the order of the calls. Work that rejects does not stop later work. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // The outcome would stay in memory until the next work.
    this.#last = done.then(forget, forget);
    return done;
  }

  /** Resolves when all work that was queued before this call has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}

function forget(): void {}
