/** Follows `IndexOrder`s from stdin, a few at a time, and prints `IndexFigures`. */
import { createInterface } from 'node:readline';
import { type SearchDocument, SearchIndex } from '../../src/service/catalog/search/index.ts';
import type { IndexFigures, IndexOrder } from './index-process.ts';

const BATCH = 500;
const RESULTS = 10;
const WARM_UP_MS = 500;
/** One of so many actions is changed and removed to measure that. */
const CHANGED_EVERY = 97;
const MAX_CHANGED = 1_000;

const indexes: SearchIndex[] = [];
const changed: { index: number; document: SearchDocument }[] = [];
const queries: string[] = [];
const before = heapBytes();
let ms = 0;
let actions = 0;
let batch: { index: number; document: SearchDocument }[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const order: IndexOrder = JSON.parse(line);
  if ('queries' in order) queries.push(...order.queries);
  else batch.push(order);
  if (batch.length === BATCH) indexBatch();
}
indexBatch();
if (indexes.length === 0) throw new Error('No document came');
const peakRssMb = (process.resourceUsage().maxRSS * 1_024) / 1e6;
const heapMb = (heapBytes() - before) / 1e6;
const figures: IndexFigures = { build: { ms, actions }, memory: { heapMb, peakRssMb }, searchMs: searchTimes(), ...changeTimes() };
console.log(JSON.stringify(figures));

/** Only this counts as building: reading is the work of whoever has the documents. */
function indexBatch(): void {
  ms += timeOf(() => {
    for (const { index, document } of batch) {
      indexes[index] ??= new SearchIndex();
      indexes[index].upsert(document);
    }
  });
  actions += batch.length;
  if (queries.length > 0 && changed.length < MAX_CHANGED) changed.push(...batch.filter((_, position) => position % CHANGED_EVERY === 0));
  batch = [];
}

function searchTimes(): number[] {
  const search = (query: string) => timeOf(() => indexes[0]?.search(query, { limit: RESULTS }));
  const until = performance.now() + WARM_UP_MS;
  for (const query of queries) if (performance.now() < until) search(query);
  return queries.map(search);
}

function changeTimes(): { updateMs: number[]; removeMs: number[] } {
  const updateMs = changed.map(({ index, document }) => {
    const other = { ...document, description: `${document.description} Now with updates.` };
    return timeOf(() => indexes[index]?.upsert(other));
  });
  const removeMs = changed.map(({ index, document }) => timeOf(() => indexes[index]?.remove(document.id)));
  return { updateMs, removeMs };
}

/** Milliseconds. */
function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('needs --expose-gc');
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
