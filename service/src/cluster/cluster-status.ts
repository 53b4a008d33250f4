/** Current activity of all nodes that answer in time. */
import type { Hub } from '../hub/hub';
import type { Cluster, ClusterActivity, NodeActivity } from './cluster';
import type { ActivityMessage } from './message-schemas';
import { nodeReport } from './node-report';

export type ActivityQuery = Pick<ActivityMessage, 'toolkitIds' | 'processes' | 'state'>;

export class ClusterStatus {
  readonly #hub: Hub;
  readonly #cluster: Cluster;
  readonly #node: string;

  constructor(hub: Hub, cluster: Cluster, node: string) {
    this.#hub = hub;
    this.#cluster = cluster;
    this.#node = node;
  }

  /** Returns the activity at this node and at the other nodes that answer in time. */
  async activity(query: ActivityQuery): Promise<ClusterActivity> {
    const { nodes, silent } = await this.#cluster.activity(query);
    return { nodes: [{ node: this.#node, ...localActivity(this.#hub, query) }, ...nodes], silent };
  }
}

/** Returns the activity at this node. */
export function localActivity(
  { replicas, sockets }: Pick<Hub, 'replicas' | 'sockets'>,
  { toolkitIds, processes, state }: ActivityQuery,
): NodeActivity {
  const open = () => [...sockets.byKey.values()].reduce((sum, count) => sum + count, 0);
  return {
    ...replicas.load(toolkitIds),
    processes: processes ? replicas.processes(toolkitIds ?? replicas.toolkitIds()) : [],
    ...(state && { state: nodeReport(open()) }),
  };
}
