/** One part of a soak: what its calls took, and what the service holds after it. */
import type { MeasuredProcess } from '../common/measured-process.ts';
import type { LoadResult } from '../load/job.ts';
import { openFilesOf } from './open-files.ts';

export const FIGURES = ['RSS MB', 'heap MB', 'loop p99 ms', 'files', 'sockets', 'CPU µs/call', 'p50 ms', 'p99 ms'] as const;

export type Figure = (typeof FIGURES)[number];

export interface SoakPart {
  answered: number;
  figures: Record<Figure, number>;
  errors: Record<string, number>;
}

const BYTES_PER_MB = 1_000_000;

/** Loads the service by `load`, then looks at it. Both memories are those after a garbage collection, which the delay of the loop leaves out. */
export async function soakPart(node: MeasuredProcess, load: () => Promise<LoadResult[]>): Promise<SoakPart> {
  const before = await node.usage();
  await node.loopDelay();
  const results = await load();
  const { p99Ms: loopP99Ms } = await node.loopDelay();
  const { cpuMs } = await node.usage();
  const { rssBytes, heapBytes } = await node.usage({ collect: true });
  if (node.pid === undefined || loopP99Ms === null) throw new Error('The service is there, and its loop was watched');
  const { files, sockets } = openFilesOf(node.pid);
  const answered = results.reduce((sum, result) => sum + result.answered, 0);
  return {
    answered,
    errors: Object.assign({}, ...results.map(({ errors }) => errors)),
    figures: {
      'RSS MB': rssBytes / BYTES_PER_MB,
      'heap MB': heapBytes / BYTES_PER_MB,
      'loop p99 ms': loopP99Ms,
      files,
      sockets,
      'CPU µs/call': ((cpuMs - before.cpuMs) * 1_000) / answered,
      'p50 ms': Math.max(...results.map(({ p50Ms }) => p50Ms)),
      'p99 ms': Math.max(...results.map(({ p99Ms }) => p99Ms)),
    },
  };
}
