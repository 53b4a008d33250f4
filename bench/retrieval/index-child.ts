/** Follows `IndexOrder`s from stdin, a few at a time, and prints `IndexFigures`. */
import { createInterface } from 'node:readline';
import { type SearchDocument, SearchIndex, UsageIndex, usageTerms } from '../../service/src/catalog/search/index.ts';
import type { IndexFigures, IndexOrder, PastQuery } from './index-process.ts';
import { StopWatch, type Times } from './stop-watch.ts';

const BATCH = 500;
const RESULTS = 10;
const WARM_UP_MS = 500;
/** One of so many actions is changed and removed to measure that. */
const CHANGED_EVERY = 97;
const MAX_CHANGED = 1_000;

const indexes: SearchIndex[] = [];
const changed: { index: number; document: SearchDocument }[] = [];
/** The usage that the first index ranks by. */
const usage = new UsageIndex();
const queries: string[] = [];
const past: PastQuery[] = [];
const before = heapBytes();
const building = new StopWatch();
let actions = 0;
let batch: { index: number; document: SearchDocument }[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const order: IndexOrder = JSON.parse(line);
  if ('queries' in order) {
    queries.push(...order.queries);
    past.push(...order.past);
  } else batch.push(order);
  if (batch.length === BATCH) indexBatch();
}
indexBatch();
if (indexes.length === 0) throw new Error('No document came');
const peakRssMb = (process.resourceUsage().maxRSS * 1_024) / 1e6;
const heapMb = (heapBytes() - before) / 1e6;
const build = { ms: sum(building.times.clockMs), cpuMs: sum(building.times.cpuMs), actions };
const search = searchTimes();
for (const [number, { query, action }] of past.entries())
  usage.set({ id: `${number}`, action, terms: usageTerms(query), weight: 1, key: null });
const figures: IndexFigures = { build, memory: { heapMb, peakRssMb }, search, searchWithUsage: searchTimes(), ...changeTimes() };
console.log(JSON.stringify(figures));

/** Only this counts as building. Reading the documents does not. */
function indexBatch(): void {
  building.time(() => {
    for (const { index, document } of batch) {
      indexes[index] ??= new SearchIndex(index === 0 ? usage : undefined);
      indexes[index].upsert(document);
    }
  });
  actions += batch.length;
  if (queries.length > 0 && changed.length < MAX_CHANGED) changed.push(...batch.filter((_, position) => position % CHANGED_EVERY === 0));
  batch = [];
}

function searchTimes(): Times {
  const search = (query: string) => indexes[0]?.search(query, { limit: RESULTS });
  const until = performance.now() + WARM_UP_MS;
  for (const query of queries) if (performance.now() < until) search(query);
  const watch = new StopWatch();
  for (const query of queries) watch.time(() => search(query));
  return watch.times;
}

function changeTimes(): { update: Times; remove: Times } {
  const [updating, removing] = [new StopWatch(), new StopWatch()];
  for (const { index, document } of changed) {
    const other = { ...document, description: `${document.description} Now with updates.` };
    updating.time(() => indexes[index]?.upsert(other));
  }
  for (const { index, document } of changed) removing.time(() => indexes[index]?.remove(document.id));
  return { update: updating.times, remove: removing.times };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('needs --expose-gc');
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
