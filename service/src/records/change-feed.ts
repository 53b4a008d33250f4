/** Notifies listeners of this node, and other nodes, of what changed. It names the kind of data and holds no data. */
import type { Changed } from '../cluster/message-schemas';
import type { Logger } from '../lib/logger';
import { Throttle } from '../lib/throttle';

/** A page reads its data while its listener connects: the data may be as old as this. */
const RECENT_MS = 10_000;
/** Thousands of calls a second make one change each. */
const CHANGES_EVERY_MS = 100;

export class ChangeFeed {
  readonly #logger: Logger;
  readonly #listeners = new Set<Throttle<Changed>>();
  readonly #changes: Throttle<Changed>;
  readonly #otherNodes: Throttle<Changed>;
  /** When each changed last, by the monotonic clock. */
  readonly #changedAt = new Map<Changed, number>();

  constructor(notifyOtherNodes: (changed: Changed[]) => void, logger: Logger) {
    this.#logger = logger;
    this.#otherNodes = new Throttle(notifyOtherNodes);
    this.#changes = new Throttle((changed) => {
      for (const what of changed) {
        this.changedHere(what);
        this.#otherNodes.add(what);
      }
    }, CHANGES_EVERY_MS);
  }

  changed(what: Changed): void {
    this.#changes.add(what);
  }

  /** Notifies this node's listeners only: the other nodes know of the change. */
  changedHere(what: Changed): void {
    this.#changedAt.set(what, performance.now());
    for (const listener of this.#listeners) listener.add(what);
  }

  /** Notifies the listener first of what changed in the last ten seconds. Returns the stop function. */
  listen(listener: (changed: Changed[]) => void): () => void {
    const throttle = new Throttle<Changed>((changed) => {
      try {
        listener(changed);
      } catch (error) {
        this.#logger.error({ error }, 'a listener for changes failed');
      }
    });
    this.#changes.flush();
    const now = performance.now();
    for (const [what, at] of this.#changedAt) if (now - at < RECENT_MS) throttle.add(what);
    this.#listeners.add(throttle);
    return () => {
      throttle.close();
      this.#listeners.delete(throttle);
    };
  }

  close(): void {
    this.#changes.close();
    this.#otherNodes.close();
    for (const listener of this.#listeners) listener.close();
    this.#listeners.clear();
  }
}
