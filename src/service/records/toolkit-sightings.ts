/**
 * When a process of each toolkit was connected to this node last: written when the last one goes, at the end of this node, and every minute between,
 * so that a killed node leaves a time that is nearly right.
 *
 * Errors: what the store does not take is kept, and tried again with what comes.
 */
import type { SightingStore } from '../store/console-store';

export interface ToolkitSightingsDeps {
  store: Pick<SightingStore, 'put'>;
  /** Toolkits that may be connected to this node. */
  toolkitIds: () => Iterable<string>;
  /** How many processes of a toolkit are connected to this node. */
  replicas: (toolkitId: string) => number;
}

const EVERY_MS = 60_000;

export class ToolkitSightings {
  readonly #parts: ToolkitSightingsDeps;
  readonly #connected = new Set<string>();
  /** Not written yet. */
  readonly #due = new Map<string, number>();
  #lookedAt = Date.now();

  constructor(deps: ToolkitSightingsDeps) {
    this.#parts = deps;
  }

  /** A process of the toolkit has come, or has gone. */
  changed(toolkitId: string, now = Date.now()): void {
    if (this.#parts.replicas(toolkitId) > 0) this.#connected.add(toolkitId);
    else if (!this.#connected.delete(toolkitId)) return;
    this.#due.set(toolkitId, now);
  }

  /** Rejects when the store does not take it. */
  async write(now = Date.now()): Promise<void> {
    if (now - this.#lookedAt >= EVERY_MS) this.lookAtAll(now);
    if (this.#due.size === 0) return;
    const due = Array.from(this.#due, ([toolkitId, at]) => ({ toolkitId, at }));
    await this.#parts.store.put(due);
    for (const { toolkitId, at } of due) if (this.#due.get(toolkitId) === at) this.#due.delete(toolkitId);
  }

  lookAtAll(now = Date.now()): void {
    this.#lookedAt = now;
    for (const toolkitId of this.#parts.toolkitIds()) if (this.#parts.replicas(toolkitId) > 0) this.#due.set(toolkitId, now);
  }
}
