/** One size of catalogue, and one in shards, each index in a process of its own. */
import type { SearchDocument } from '../../src/service/catalog/search/index.ts';
import { percentile } from '../common/statistics.ts';
import { type IndexFigures, type IndexOrder, indexInProcess } from '../retrieval/index-process.ts';
import { mergeTimes } from './merge.ts';
import { shardOf } from './synthetic.ts';

export interface Percentiles {
  p50Ms: number;
  p99Ms: number;
}

export interface SizeFigures extends Pick<IndexFigures, 'build' | 'memory'> {
  search: Percentiles;
  update: Percentiles;
  remove: Percentiles;
}

export async function measureSize(documents: Iterable<SearchDocument>, queries: string[]): Promise<SizeFigures> {
  return summarise(await indexInProcess(ordersOf(documents, queries)));
}

export interface ShardedFigures {
  shards: SizeFigures[];
  /** Of each query the slowest shard: what scattering takes when the shards work at once, without the network. */
  slowest: Percentiles;
  /** Making one list of those of all shards. */
  merge: Percentiles;
}

/** The shards are measured one after the other, so that they do not share the processors of one machine. */
export async function measureShards(documents: () => Iterable<SearchDocument>, count: number, queries: string[]): Promise<ShardedFigures> {
  const figures: IndexFigures[] = [];
  for (let shard = 0; shard < count; shard++) {
    figures.push(await indexInProcess(ordersOf(ofShard(documents(), shard, count), queries)));
  }
  const slowest = queries.map((_, query) => Math.max(...figures.map(({ searchMs }) => searchMs[query] as number)));
  return { shards: figures.map(summarise), slowest: percentilesOf(slowest), merge: percentilesOf(mergeTimes(count, queries.length)) };
}

function* ordersOf(documents: Iterable<SearchDocument>, queries: string[]): Generator<IndexOrder> {
  yield { queries };
  for (const document of documents) yield { index: 0, document };
}

function* ofShard(documents: Iterable<SearchDocument>, shard: number, count: number): Generator<SearchDocument> {
  for (const document of documents) if (shardOf(document.toolkitId, count) === shard) yield document;
}

function summarise({ build, memory, searchMs, updateMs, removeMs }: IndexFigures): SizeFigures {
  return { build, memory, search: percentilesOf(searchMs), update: percentilesOf(updateMs), remove: percentilesOf(removeMs) };
}

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = Float64Array.from(times).sort();
  return { p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
}
