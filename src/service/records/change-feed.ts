/** Who shall look again: listeners of this node, and the other nodes. It says what changed, and nothing of it. */
import type { Changed } from '../cluster/messages';
import type { Logger } from '../lib/logger';
import { Throttle } from '../lib/throttle';

/** A page asks while its listener is being connected: what it was answered may be as old as this. */
const RECENT_MS = 10_000;

export class ChangeFeed {
  readonly #logger: Logger;
  readonly #listeners = new Set<Throttle<Changed>>();
  readonly #elsewhere: Throttle<Changed>;
  /** When each changed last, by the monotonic clock. */
  readonly #changedAt = new Map<Changed, number>();

  constructor(tellOthers: (changed: Changed[]) => void, logger: Logger) {
    this.#elsewhere = new Throttle(tellOthers);
    this.#logger = logger;
  }

  changed(what: Changed): void {
    this.heard(what);
    this.#elsewhere.add(what);
  }

  /** The other nodes know it themselves. */
  heard(what: Changed): void {
    this.#changedAt.set(what, performance.now());
    for (const listener of this.#listeners) listener.add(what);
  }

  /** Tells first what changed in the last ten seconds. Returns the stop function. */
  listen(listener: (changed: Changed[]) => void): () => void {
    const gathered = new Throttle<Changed>((changed) => {
      try {
        listener(changed);
      } catch (error) {
        this.#logger.error({ error }, 'a listener for changes failed');
      }
    });
    const now = performance.now();
    for (const [what, at] of this.#changedAt) if (now - at < RECENT_MS) gathered.add(what);
    this.#listeners.add(gathered);
    return () => {
      gathered.close();
      this.#listeners.delete(gathered);
    };
  }

  close(): void {
    this.#elsewhere.close();
    for (const listener of this.#listeners) listener.close();
    this.#listeners.clear();
  }
}
