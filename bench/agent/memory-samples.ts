/** The memory of a process after garbage collections, sampled during a run: does it grow? */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from '../common/gauge.ts';
import type { MeasuredProcess } from '../common/measured-process.ts';

const SAMPLES = 60;
const MIN_PAUSE_MS = 500;
const BYTES_PER_MB = 1_000_000;

/** Means of the first and of the last third of the samples, in megabytes. */
export interface MemoryGrowth {
  samples: number;
  rssMb: [first: number, last: number];
  heapMb: [first: number, last: number];
}

export class MemorySamples {
  readonly #samples: Usage[] = [];
  readonly #ended = new AbortController();
  readonly #sampling: Promise<void>;

  constructor(process: MeasuredProcess, runMs: number) {
    this.#sampling = this.#sample(process, Math.max(MIN_PAUSE_MS, runMs / SAMPLES));
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#sampling;
  }

  get growth(): MemoryGrowth {
    return { samples: this.#samples.length, rssMb: this.#thirds('rssBytes'), heapMb: this.#thirds('heapBytes') };
  }

  async #sample(process: MeasuredProcess, pauseMs: number): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted && process.isAlive()) {
      this.#samples.push(await process.usage({ collect: true }));
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  #thirds(name: 'rssBytes' | 'heapBytes'): [number, number] {
    const size = Math.ceil(this.#samples.length / 3);
    return [toMb(this.#samples.slice(0, size), name), toMb(this.#samples.slice(-size), name)];
  }
}

function toMb(samples: readonly Usage[], name: 'rssBytes' | 'heapBytes'): number {
  const mean = samples.reduce((sum, sample) => sum + sample[name], 0) / samples.length;
  return Number((mean / BYTES_PER_MB).toFixed(1));
}
