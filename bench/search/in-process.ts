/** One size of catalogue, and one in shards, each index in a separate process. */
import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import { type IndexFigures, type IndexOrder, indexInProcess, type PastQuery } from '../retrieval/index-process.ts';
import { type Latency, latencyOf, type Times } from '../retrieval/stop-watch.ts';
import { mergeTimes } from './merge.ts';
import { shardOf } from './synthetic.ts';

export interface SizeFigures extends Pick<IndexFigures, 'build' | 'memory'> {
  search: Latency;
  /** The same queries once the index knows the past ones. */
  searchWithUsage: Latency;
  update: Latency;
  remove: Latency;
}

export async function measureSize(documents: Iterable<SearchDocument>, queries: string[], past: PastQuery[]): Promise<SizeFigures> {
  return summarise(await indexInProcess(ordersOf(documents, queries, past)));
}

export interface ShardedFigures {
  shards: SizeFigures[];
  /** Latency of the slowest shard of each query: the cost of scattering to parallel shards, without the network. */
  slowest: Latency;
  /** Latency of merging the lists of all shards. */
  merge: Latency;
}

/** The shards are measured one after the other, so that they do not share the processors of one machine. */
export async function measureShards(
  documents: () => Iterable<SearchDocument>,
  count: number,
  queries: string[],
  past: PastQuery[],
): Promise<ShardedFigures> {
  const figures: IndexFigures[] = [];
  for (let shard = 0; shard < count; shard++) {
    // A few toolkits do not reach every shard.
    if (ofShard(documents(), shard, count).next().done) continue;
    figures.push(await indexInProcess(ordersOf(ofShard(documents(), shard, count), queries, past)));
  }
  const slowestOf = (times: keyof Times) =>
    queries.map((_, query) => Math.max(...figures.map(({ search }) => search[times][query] as number)));
  const slowest = latencyOf({ clockMs: slowestOf('clockMs'), cpuMs: slowestOf('cpuMs') });
  return { shards: figures.map(summarise), slowest, merge: latencyOf(mergeTimes(count, queries.length)) };
}

function* ordersOf(documents: Iterable<SearchDocument>, queries: string[], past: PastQuery[]): Generator<IndexOrder> {
  yield { queries, past };
  for (const document of documents) yield { index: 0, document };
}

function* ofShard(documents: Iterable<SearchDocument>, shard: number, count: number): Generator<SearchDocument> {
  for (const document of documents) if (shardOf(document.toolkitId, count) === shard) yield document;
}

function summarise({ build, memory, search, searchWithUsage, update, remove }: IndexFigures): SizeFigures {
  return {
    ...{ build, memory, search: latencyOf(search), searchWithUsage: latencyOf(searchWithUsage) },
    ...{ update: latencyOf(update), remove: latencyOf(remove) },
  };
}
