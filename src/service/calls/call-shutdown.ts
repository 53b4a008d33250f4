/** How far the end of this node is: it refuses new calls of callers while it drains, and those of other nodes too when it stops. */
import { SvcError } from '../../protocol/errors';
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

  /** Another node can be asked at once; without one, the next process must start first. */
  error(advice: string): SvcError {
    return new SvcError('SERVICE_STOPPING', `The service is stopping; ${advice}`, { retryAfterMs: this.#cluster.size > 0 ? 50 : 1_000 });
  }
}
