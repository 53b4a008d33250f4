/** The load generator, a separate process: a closed loop of `concurrency` callers, each with one call in flight. */
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../common/statistics.ts';
import { serveJobs } from '../common/worker-process.ts';
import { openHttp } from './http-call.ts';
import type { LoadJob, LoadResult } from './job.ts';
import type { Line } from './line.ts';
import { openNats } from './nats-call.ts';

/** The pause after a failed call, so that a service that rejects all calls does not get a million of them. */
const PAUSE_AFTER_ERROR_MS = 50;

serveJobs(runLoad);

async function runLoad(job: LoadJob): Promise<LoadResult> {
  const lines = await Promise.all(
    job.origins.map((origin) => (origin.startsWith('nats:') ? openNats(origin, job) : openHttp(origin, job))),
  );
  const latencies: number[] = [];
  const errors: Record<string, number> = {};
  let answered = 0;
  const countFrom = performance.now() + job.warmUpMs;
  const countUntil = countFrom + job.measureMs;

  const everyMs = job.callsPerSecond === undefined ? 0 : (job.concurrency * 1_000) / job.callsPerSecond;
  const callInTurn = async (line: Line, index: number) => {
    // Callers with a pace begin one after the other. A call that is late counts from when it was due: other clients would not have waited.
    let dueAt = performance.now() + (everyMs * index) / job.concurrency;
    for (;;) {
      if (everyMs > 0) await sleep(Math.max(0, dueAt - performance.now()));
      const sentAt = everyMs > 0 ? dueAt : performance.now();
      if (sentAt >= countUntil) return;
      dueAt += everyMs;
      const problem = await line.call();
      const endedAt = performance.now();
      if (problem !== undefined) {
        errors[problem] = (errors[problem] ?? 0) + 1;
        await sleep(PAUSE_AFTER_ERROR_MS);
        continue;
      }
      answered++;
      if (endedAt >= countFrom && endedAt < countUntil) latencies.push(endedAt - sentAt);
    }
  };
  const callers = Array.from({ length: job.concurrency }, (_, index) => lines[index % lines.length]);
  await Promise.all(callers.map((line, index) => line && callInTurn(line, index)));
  await Promise.all(lines.map((line) => line.close()));

  const sorted = Float64Array.from(latencies).sort();
  return {
    answered,
    calls: sorted.length,
    perSecond: (sorted.length * 1_000) / job.measureMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    errors,
  };
}
