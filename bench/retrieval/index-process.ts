/**
 * An index in a process that holds nothing else: neither the files nor other systems.
 *
 * Units:  MB are 10^6 bytes. `heapMb` is what the index keeps after a garbage collection, with its typed arrays, which V8 holds outside of its
 *         heap; `peakRssMb` is the highest resident memory of the whole process while it built, with Node itself.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { SearchDocument } from '../../service/src/catalog/search/index.ts';
import type { Times } from './stop-watch.ts';

/** Commands to the process, one a line. */
export type IndexOrder =
  /** `index`: where several are built in one process, which. */
  | { index: number; document: SearchDocument }
  /** Queries to run in the first index when all is indexed, and again when it knows the past ones, before actions are changed. Comes first. */
  | { queries: string[]; past: PastQuery[] };

/** A logged query with the id of the action that was called after it. */
export interface PastQuery {
  query: string;
  action: string;
}

export interface IndexFigures {
  build: { ms: number; cpuMs: number; actions: number };
  memory: { heapMb: number; peakRssMb: number };
  /** Times of the queries in their order, after a warm-up. */
  search: Times;
  searchWithUsage: Times;
  /** Times to replace an action in the index; `remove`: to remove one. */
  update: Times;
  remove: Times;
}

const CHILD = fileURLToPath(new URL('index-child.ts', import.meta.url));

export async function indexInProcess(orders: Iterable<IndexOrder>): Promise<IndexFigures> {
  const child = spawn(process.execPath, ['--expose-gc', ...process.execArgv, CHILD], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [output, , [code]] = await Promise.all([
    text(child.stdout),
    pipeline(Readable.from(linesOf(orders)), child.stdin),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`The process with the index ended with ${code}`);
  return JSON.parse(output);
}

function* linesOf(orders: Iterable<IndexOrder>): Generator<string> {
  for (const order of orders) yield `${JSON.stringify(order)}\n`;
}
