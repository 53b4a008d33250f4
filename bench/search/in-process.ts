/** One size of catalogue, and one in shards, each index in a separate process. */
import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import { type IndexFigures, type IndexOrder, indexInProcess } from '../retrieval/index-process.ts';
import { type Latency, latencyOf, type Times } from '../retrieval/stop-watch.ts';
import { mergeTimes } from './merge.ts';
import { shardOf } from './synthetic.ts';

export interface SizeFigures extends Pick<IndexFigures, 'build' | 'memory'> {
  search: Latency;
  update: Latency;
  remove: Latency;
}

export async function measureSize(documents: Iterable<SearchDocument>, queries: string[]): Promise<SizeFigures> {
  return summarise(await indexInProcess(ordersOf(documents, queries)));
}

export interface ShardedFigures {
  shards: SizeFigures[];
  /** Latency of the slowest shard of each query: the cost of scattering to parallel shards, without the network. */
  slowest: Latency;
  /** Latency of merging the lists of all shards. */
  merge: Latency;
}

/** The shards are measured one after the other, so that they do not share the processors of one machine. */
export async function measureShards(documents: () => Iterable<SearchDocument>, count: number, queries: string[]): Promise<ShardedFigures> {
  const figures: IndexFigures[] = [];
  for (let shard = 0; shard < count; shard++) {
    // A few toolkits do not reach every shard.
    if (ofShard(documents(), shard, count).next().done) continue;
    figures.push(await indexInProcess(ordersOf(ofShard(documents(), shard, count), queries)));
  }
  const slowestOf = (times: keyof Times) =>
    queries.map((_, query) => Math.max(...figures.map(({ search }) => search[times][query] as number)));
  const slowest = latencyOf({ clockMs: slowestOf('clockMs'), cpuMs: slowestOf('cpuMs') });
  return { shards: figures.map(summarise), slowest, merge: latencyOf(mergeTimes(count, queries.length)) };
}

function* ordersOf(documents: Iterable<SearchDocument>, queries: string[]): Generator<IndexOrder> {
  yield { queries };
  for (const document of documents) yield { index: 0, document };
}

function* ofShard(documents: Iterable<SearchDocument>, shard: number, count: number): Generator<SearchDocument> {
  for (const document of documents) if (shardOf(document.toolkitId, count) === shard) yield document;
}

function summarise({ build, memory, search, update, remove }: IndexFigures): SizeFigures {
  return { build, memory, search: latencyOf(search), update: latencyOf(update), remove: latencyOf(remove) };
}
