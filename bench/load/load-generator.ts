/** The caller process, seen from the bench. One process for the whole run, so that every target meets the same warmed-up caller. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './job.ts';

export class LoadGenerator {
  readonly #process = fork(fileURLToPath(new URL('caller.ts', import.meta.url)));
  readonly #ended = new AbortController();

  constructor() {
    this.#process.once('exit', (code) => this.#ended.abort(new Error(`The caller process ended with ${code}`)));
  }

  /** One job at a time. */
  async run(job: LoadJob): Promise<LoadResult> {
    this.#process.send(job);
    const [result] = await once(this.#process, 'message', { signal: this.#ended.signal });
    return result;
  }

  /** The caller process ends with its channel. */
  stop(): void {
    this.#process.disconnect();
  }
}
