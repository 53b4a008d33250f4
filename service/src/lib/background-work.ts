/** Work that no request waits for: a failure is logged, and a stop can wait for the end of what has begun. */
import type { Logger } from './logger';

export class BackgroundWork {
  readonly #logger: Logger;
  readonly #running = new Set<Promise<void>>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Resolves with the end of the work. `failure` is the text of the log line if it rejects. */
  run(work: Promise<unknown>, failure: string): Promise<void> {
    const running = work
      .then(
        () => {},
        (error: unknown) => this.#logger.error({ error }, failure),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when nothing is in progress. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
