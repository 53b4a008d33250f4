/** Runs one piece of work at a time, in the order of the calls. A failure does not stop the next one. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves when all work so far has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
