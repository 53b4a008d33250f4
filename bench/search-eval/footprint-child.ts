/** Reads documents from stdin, a few at a time, indexes them and prints a `Footprint`. */
import { createInterface } from 'node:readline';
import { type SearchDocument, SearchIndex } from '../../src/service/catalog/search/index.ts';
import type { Footprint } from './footprint.ts';

const BATCH = 500;

interface Line {
  /** Of the catalogue. */
  number: number;
  document: SearchDocument;
}

const indexes: SearchIndex[] = [];
const before = heapBytes();
let ms = 0;
let actions = 0;
let batch: Line[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  batch.push(JSON.parse(line));
  if (batch.length === BATCH) indexBatch();
}
indexBatch();
const heapMb = (heapBytes() - before) / 1e6;
const peakRssMb = (process.resourceUsage().maxRSS * 1_024) / 1e6;
if (indexes.length === 0) throw new Error('No document came');
console.log(JSON.stringify({ build: { ms, actions }, memory: { heapMb, peakRssMb } } satisfies Footprint));

/** Only this counts as building: reading is the work of whoever has the documents. */
function indexBatch(): void {
  const startedAt = performance.now();
  for (const { number, document } of batch) {
    indexes[number] ??= new SearchIndex();
    indexes[number].upsert(document);
  }
  ms += performance.now() - startedAt;
  actions += batch.length;
  batch = [];
}

function heapBytes(): number {
  if (!globalThis.gc) throw new Error('needs --expose-gc');
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
