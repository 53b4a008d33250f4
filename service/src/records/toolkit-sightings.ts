/**
 * When a process of each toolkit was last connected to this node. It is written when the last process disconnects, when this node stops, and
 * every minute, so that a killed node leaves a time that is nearly right.
 *
 * Errors: times that the store does not take are kept and written with the next ones.
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
  readonly #deps: ToolkitSightingsDeps;
  readonly #connected = new Set<string>();
  /** Not written yet. */
  readonly #due = new Map<string, number>();
  #recordedAt = Date.now();

  constructor(deps: ToolkitSightingsDeps) {
    this.#deps = deps;
  }

  /** A process of the toolkit connected or disconnected. */
  changed(toolkitId: string, now = Date.now()): void {
    if (this.#deps.replicas(toolkitId) > 0) this.#connected.add(toolkitId);
    else if (!this.#connected.delete(toolkitId)) return;
    this.#due.set(toolkitId, now);
  }

  /** Rejects when the store does not take it. */
  async write(now = Date.now()): Promise<void> {
    if (now - this.#recordedAt >= EVERY_MS) this.recordAll(now);
    if (this.#due.size === 0) return;
    const due = Array.from(this.#due, ([toolkitId, at]) => ({ toolkitId, at }));
    await this.#deps.store.put(due);
    for (const { toolkitId, at } of due) if (this.#due.get(toolkitId) === at) this.#due.delete(toolkitId);
  }

  recordAll(now = Date.now()): void {
    this.#recordedAt = now;
    for (const toolkitId of this.#deps.toolkitIds()) if (this.#deps.replicas(toolkitId) > 0) this.#due.set(toolkitId, now);
  }
}
