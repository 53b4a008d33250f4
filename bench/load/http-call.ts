/** undici's pool and not `fetch`, which costs more per call than the whole service. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { LoadJob } from './job.ts';
import type { Line } from './line.ts';

const PATIENCE_MS = 10_000;

export async function openHttp(origin: string, job: LoadJob): Promise<Line> {
  const connections = Math.ceil(job.concurrency / job.origins.length);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  return { call: () => call(pool, job), close: () => pool.close() };
}

async function call(pool: Pool, { path, headers, body, status, echo, keyed }: LoadJob): Promise<string | undefined> {
  try {
    const answer = await pool.request({
      path,
      method: 'POST',
      headers: keyed ? { ...headers, 'idempotency-key': randomUUID() } : headers,
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== status) return `HTTP ${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? 'without a code'}`;
    return text.includes(echo) ? undefined : `not the echo: ${text.length} characters for ${echo.length}`;
  } catch (error) {
    return String(error);
  }
}
