/** The caller process, seen from the bench. One process for the whole run, so that every target meets the same warmed-up caller. */
import { fileURLToPath } from 'node:url';
import { WorkerProcess } from '../common/worker-process.ts';
import type { LoadJob, LoadResult } from './job.ts';

export class LoadGenerator extends WorkerProcess<LoadJob, LoadResult> {
  constructor() {
    super(fileURLToPath(new URL('caller.ts', import.meta.url)));
  }
}
