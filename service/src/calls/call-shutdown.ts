/** The shutdown state of this node. A draining node refuses new calls from callers; a stopping node also refuses those from other nodes. */
import { SvcError } from '#sdk/protocol/errors';
import type { Cluster } from '../cluster/cluster';

export class CallShutdown {
  readonly #cluster: Pick<Cluster, 'size'>;
  isDraining = false;
  isStopping = false;

  constructor(cluster: Pick<Cluster, 'size'>) {
    this.#cluster = cluster;
  }

  drain(): void {
    this.isDraining = true;
  }

  stop(): void {
    this.isDraining = true;
    this.isStopping = true;
  }

  /** Suggests an immediate retry when another node is up, and a later one when the service has to restart first. */
  error(advice: string): SvcError {
    return new SvcError('SERVICE_STOPPING', `The service is stopping; ${advice}`, { retryAfterMs: this.#cluster.size > 0 ? 50 : 1_000 });
  }
}
