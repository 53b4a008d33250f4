/**
 * What building the index takes, in a process that holds nothing else: neither the files nor other systems.
 *
 * Units:  MB are 10^6 bytes. `heapMb` is what the index keeps after a garbage collection, with its typed arrays, which V8 holds outside of its
 *         heap; `peakRssMb` is the highest resident memory of the whole process, with Node itself.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Catalogue } from './questions.ts';

export interface Footprint {
  build: { ms: number; actions: number };
  memory: { heapMb: number; peakRssMb: number };
}

const CHILD = fileURLToPath(new URL('footprint-child.ts', import.meta.url));

export async function footprintOf(catalogues: readonly Catalogue[]): Promise<Footprint> {
  const child = spawn(process.execPath, ['--expose-gc', ...process.execArgv, CHILD], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output = Readable.toWeb(child.stdout);
  const [text, , [code]] = await Promise.all([
    new Response(output as ReadableStream).text(),
    pipeline(Readable.from(linesOf(catalogues)), child.stdin),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`The process that measures memory ended with ${code}`);
  return JSON.parse(text);
}

function* linesOf(catalogues: readonly Catalogue[]): Generator<string> {
  for (const [number, { documents }] of catalogues.entries()) {
    for (const document of documents) yield `${JSON.stringify({ number, document })}\n`;
  }
}
