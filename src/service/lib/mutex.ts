/** Work of which one piece is under way at a time: each begins when those before it have ended, however they ended. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
