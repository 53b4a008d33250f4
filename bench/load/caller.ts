/**
 * The load generator, a process of its own: a closed loop of `concurrency` callers, each with one call in flight.
 * undici's pool and not `fetch`, which costs more per call than the whole service.
 */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { percentile } from '../common/statistics.ts';
import type { LoadJob, LoadResult } from './job.ts';

const PATIENCE_MS = 10_000;
/** After a failed call, so that a service that refuses everything is not asked a million times. */
const PAUSE_AFTER_ERROR_MS = 50;

process.on('message', async (job: LoadJob) => process.send?.(await runLoad(job)));

async function runLoad(job: LoadJob): Promise<LoadResult> {
  const pool = new Pool(job.origin, { connections: job.concurrency, pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const latencies: number[] = [];
  const errors: Record<string, number> = {};
  const countFrom = performance.now() + job.warmUpMs;
  const countUntil = countFrom + job.measureMs;

  const callInTurn = async () => {
    for (let sentAt = performance.now(); sentAt < countUntil; sentAt = performance.now()) {
      const problem = await call(pool, job);
      const endedAt = performance.now();
      if (problem !== undefined) {
        errors[problem] = (errors[problem] ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_ERROR_MS));
      } else if (endedAt >= countFrom && endedAt < countUntil) latencies.push(endedAt - sentAt);
    }
  };
  await Promise.all(Array.from({ length: job.concurrency }, callInTurn));
  await pool.close();

  const sorted = Float64Array.from(latencies).sort();
  return {
    calls: sorted.length,
    perSecond: (sorted.length * 1_000) / job.measureMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    errors,
  };
}

/** Undefined for a good answer, else what was wrong with it. */
async function call(pool: Pool, { path, headers, body, echo, keyed }: LoadJob): Promise<string | undefined> {
  try {
    const answer = await pool.request({
      path,
      method: 'POST',
      headers: keyed ? { ...headers, 'idempotency-key': randomUUID() } : headers,
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) return `HTTP ${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? 'without a code'}`;
    return text.includes(echo) ? undefined : `not the echo: ${text.length} characters for ${echo.length}`;
  } catch (error) {
    return String(error);
  }
}
