/** `node caller-process.ts JOB`: searches over HTTP, each caller one at a time, and prints the latencies. */
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { PATHS } from '../../src/protocol/http.ts';
import { percentile } from '../common/statistics.ts';
import type { CallerJob } from './over-http.ts';

const WARM_UP_MS = 3_000;

const job: CallerJob = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const pool = new Pool(job.origin, { connections: job.callers, pipelining: 1 });
const headers = { authorization: `Bearer ${job.agentKey}`, 'content-type': 'application/json' };
const bodies = job.queries.map((query) => JSON.stringify({ query }));
const latencies: number[] = [];
const countFrom = performance.now() + WARM_UP_MS;
const countUntil = countFrom + job.seconds * 1_000;
let next = 0;

await Promise.all(Array.from({ length: job.callers }, searchInTurn));
await pool.close();
const sorted = Float64Array.from(latencies).sort();
const figures = { perSecond: sorted.length / job.seconds, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) };
console.log(JSON.stringify(figures));

async function searchInTurn(): Promise<void> {
  for (let sentAt = performance.now(); sentAt < countUntil; sentAt = performance.now()) {
    const body = bodies[next++ % bodies.length] as string;
    const answer = await pool.request({ path: PATHS.search, method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode}: ${text}`);
    if (sentAt >= countFrom) latencies.push(performance.now() - sentAt);
  }
}
