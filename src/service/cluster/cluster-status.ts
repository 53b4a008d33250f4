/** Current activity at this node and at the others that answer in time. */
import type { Hub } from '../hub/hub';
import type { Cluster, NodeActivity, OthersSeen } from './cluster';
import type { LookMessage } from './messages';

export type LookQuestion = Pick<LookMessage, 'toolkitIds' | 'processes'>;

export class ClusterStatus {
  readonly #hub: Hub;
  readonly #cluster: Cluster;
  readonly #node: string;

  constructor(hub: Hub, cluster: Cluster, node: string) {
    this.#hub = hub;
    this.#cluster = cluster;
    this.#node = node;
  }

  async look(question: LookQuestion): Promise<OthersSeen> {
    const { nodes, silent } = await this.#cluster.look(question);
    return { nodes: [{ node: this.#node, ...lookHere(this.#hub, question) }, ...nodes], silent };
  }
}

export function lookHere({ replicas }: Pick<Hub, 'replicas'>, { toolkitIds, processes }: LookQuestion): NodeActivity {
  return { ...replicas.load(toolkitIds), processes: processes ? replicas.processes(toolkitIds ?? replicas.toolkitIds()) : [] };
}
