/** Who shall look again: listeners of this node, and the other nodes. It says what changed, and nothing of it. */
import type { Changed } from '../cluster/messages';
import type { Logger } from '../logger';
import { Gathered } from './gathered';

export class ChangeFeed {
  readonly #logger: Logger;
  readonly #listeners = new Set<(changed: Changed[]) => void>();
  readonly #here = new Gathered<Changed>((changed) => this.#tellListeners(changed));
  readonly #elsewhere: Gathered<Changed>;

  constructor(tellOthers: (changed: Changed[]) => void, logger: Logger) {
    this.#elsewhere = new Gathered(tellOthers);
    this.#logger = logger;
  }

  changed(what: Changed): void {
    this.#here.add(what);
    this.#elsewhere.add(what);
  }

  /** The other nodes know it themselves. */
  heard(what: Changed): void {
    this.#here.add(what);
  }

  /** Returns the stop function. */
  listen(listener: (changed: Changed[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#here.close();
    this.#elsewhere.close();
    this.#listeners.clear();
  }

  #tellListeners(changed: Changed[]): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener([...changed]);
      } catch (error) {
        this.#logger.error({ error }, 'a listener for changes failed');
      }
    }
  }
}
