/**
 * The rate of strangers by network, at this node: reading pages must not cost a write to the database.
 *
 * Memory: at most 10,000 networks. With more, those that have waited longest start anew.
 */
import { clientNetwork } from '../accounts/client-network';
import { rateLimited } from '../lib/consume-rate-limit';
import { TokenBucket } from '../lib/token-bucket';

const MAX_NETWORKS = 10_000;
/** A page has up to 24 icons. */
const RATE = { burst: 240, perSecond: 4 };

export class StrangerLimit {
  readonly #buckets = new Map<string, TokenBucket>();

  /** Rejects with RATE_LIMITED and `retryAfterMs`. */
  consume(address: string): void {
    const network = clientNetwork(address);
    const bucket = this.#buckets.get(network) ?? new TokenBucket(RATE);
    // The end of the Map is the newest.
    this.#buckets.delete(network);
    this.#buckets.set(network, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_NETWORKS && oldest !== undefined) this.#buckets.delete(oldest);
    const { waitMs } = bucket;
    if (waitMs > 0) throw rateLimited('Too many pages', waitMs);
    bucket.take(1);
  }
}
