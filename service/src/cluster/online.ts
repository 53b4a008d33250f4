/** The toolkits and actions that are callable now, at this node or another node. */
import { parseActionId } from '#sdk/protocol/ids';
import type { Hub } from '../hub/hub';
import type { Cluster } from './cluster';

export class Online {
  readonly #hub: Hub;
  readonly #cluster: Cluster;

  constructor(hub: Hub, cluster: Cluster) {
    this.#hub = hub;
    this.#cluster = cluster;
  }

  has(actionId: string): boolean {
    if (this.#hub.isOnline(actionId)) return true;
    const id = this.#cluster.size > 0 ? parseActionId(actionId) : undefined;
    return id !== undefined && this.#cluster.offers(id.toolkitId, id.actionName);
  }

  /** Processes that serve the toolkit. */
  replicas(toolkitId: string): number {
    return this.#hub.replicas.count(toolkitId) + this.#cluster.replicas(toolkitId);
  }
}
