/**
 * The names with the most calls or errors, or the slowest calls, among thousands.
 *
 * Method: the sums of all names are few rows. Durations are many more rows, so they are read only for the names in the list. To find the slowest
 *         names, the longest calls of all names are read: first those above the overall 95th percentile, which at least one name reaches, then
 *         from a lower percentile if too few names do.
 */
import { LRUCache } from 'lru-cache';
import type { CallCounts, StatsTopOrder } from '#sdk/protocol/admin';
import { percentileBucket } from '../../records/duration-buckets';
import type { CallSum, CountQuery, CountStore } from '../../store/console-store';
import { callCounts, sum } from './call-counts';

type TopItem = CallCounts & { id: string };

interface TopListQuery extends CountQuery {
  order: StatsTopOrder;
  limit: number;
  /** True if the principal may see the name. */
  sees: (name: string) => boolean;
}

/** Percentiles above which the longest calls are read, in turn; after the last one, all calls. */
const SHARES = [0.95, 0.75];

const SUMS_TTL_MS = 3_000;

export class TopLists {
  readonly #counts: Pick<CountStore, 'sums' | 'totals'>;
  /** A page requests the same sums in several orders, and so do several people. Concurrent requests share one query. */
  readonly #sums: LRUCache<string, CallSum[], CountQuery>;

  constructor(counts: Pick<CountStore, 'sums' | 'totals'>) {
    this.#counts = counts;
    this.#sums = new LRUCache({ max: 100, ttl: SUMS_TTL_MS, fetchMethod: (_name, _stale, { context }) => counts.sums(context) });
  }

  /** Sorts by `order`, then by the number of calls. */
  async list({ order, limit, sees, ...query }: TopListQuery): Promise<TopItem[]> {
    const sums = await this.#sums.forceFetch(JSON.stringify(query), { context: query });
    const seen = sums.filter(({ name, calls, errors }) => (order === 'errors' ? errors : calls) > 0 && sees(name));
    const names = order === 'slowest' ? await this.#slowest(query, seen, limit) : most(seen, order, limit);
    if (names.length === 0) return [];
    const byName = Map.groupBy(await this.#counts.totals({ ...query, names }), ({ name }) => name);
    const items = names.map((id) => ({ id, ...callCounts(byName.get(id) ?? []) }));
    const weight = { calls: 'calls', errors: 'errors', slowest: 'p95Ms' } as const;
    return items.sort((a, b) => (b[weight[order]] ?? 0) - (a[weight[order]] ?? 0) || b.calls - a.calls || (a.id < b.id ? -1 : 1));
  }

  async #slowest(query: CountQuery, sums: readonly CallSum[], limit: number): Promise<string[]> {
    if (sums.length <= limit) return sums.map(({ name }) => name);
    const overall = await this.#counts.totals({ ...query, dimension: 'all', names: [''] });
    const starts = SHARES.map((share) => percentileBucket(overall, share, sum(overall)) ?? 0);
    for (const fromBucket of [...starts, 0]) {
      const longest = Map.groupBy(await this.#counts.totals({ ...query, fromBucket }), ({ name }) => name);
      const reached = sums.flatMap(({ name, calls }) => {
        const bucket = percentileBucket(longest.get(name) ?? [], 0.95, calls);
        return bucket === undefined ? [] : [{ name, calls, bucket }];
      });
      if (reached.length >= limit || fromBucket === 0) return most(reached, 'bucket', limit);
    }
    return [];
  }
}

function most<Weight extends string>(
  items: readonly ({ name: string; calls: number } & Record<Weight, number>)[],
  weight: Weight,
  limit: number,
) {
  const sorted = items.toSorted((a, b) => b[weight] - a[weight] || b.calls - a.calls || (a.name < b.name ? -1 : 1));
  return sorted.slice(0, limit).map(({ name }) => name);
}
