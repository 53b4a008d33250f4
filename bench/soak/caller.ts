/**
 * A caller that never pauses: each call has a number, an idempotency key and a deadline of its own, and everything that came of it is kept.
 *
 * Over plain HTTP and not `Tools`, so that every retry is one that the caller made and noted.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { HEADERS, PATHS } from '../../src/protocol/http.ts';
import type { Attempt, CallRecord, Outcome } from './call-record.ts';

/** Shorter and longer than the 5 s that the service waits for a lost process, so that both kinds of ending happen. */
const DEADLINES_MS = [1_000, 3_000, 8_000];
const MAX_ATTEMPTS = 4;
const PAUSE_BEFORE_RETRY_MS = 200;
/** How long past its deadline a call is waited for: it is late long before, but then we know how late. */
const PATIENCE_MS = 10_000;

export interface Callee {
  pool: Pool;
  actionId: string;
  agentKey: string;
}

/** Calls until `until` (as `performance.now()`), then ends what it began. */
export async function callUntil(until: number, callee: Callee, nextNumber: () => number, retries: boolean): Promise<CallRecord[]> {
  const records: CallRecord[] = [];
  while (performance.now() < until) {
    const deadlineMs = DEADLINES_MS[Math.floor(Math.random() * DEADLINES_MS.length)] ?? 0;
    const record: CallRecord = { number: nextNumber(), deadlineMs, attempts: [] };
    records.push(record);
    await callToTheEnd(record, callee, retries ? MAX_ATTEMPTS : 1);
  }
  return records;
}

async function callToTheEnd(record: CallRecord, callee: Callee, maxAttempts: number): Promise<void> {
  const idempotencyKey = randomUUID();
  for (;;) {
    const attempt = await callOnce(record, callee, idempotencyKey);
    record.attempts.push(attempt);
    if (attempt.outcome.kind === 'result' || record.attempts.length === maxAttempts) return;
    await sleep(PAUSE_BEFORE_RETRY_MS);
  }
}

async function callOnce({ number, deadlineMs }: CallRecord, callee: Callee, idempotencyKey: string): Promise<Attempt> {
  const sentAt = performance.now();
  const outcome = await invoke(callee, { number }, deadlineMs, idempotencyKey);
  return { outcome, elapsedMs: performance.now() - sentAt };
}

async function invoke(
  { pool, actionId, agentKey }: Callee,
  payload: unknown,
  deadlineMs: number,
  idempotencyKey: string,
): Promise<Outcome> {
  try {
    const answer = await pool.request({
      path: PATHS.invoke,
      method: 'POST',
      headers: {
        authorization: `Bearer ${agentKey}`,
        'content-type': 'application/json',
        [HEADERS.idempotencyKey]: idempotencyKey,
        [HEADERS.timeoutMs]: String(deadlineMs),
      },
      body: JSON.stringify({ action: actionId, payload }),
      headersTimeout: deadlineMs + PATIENCE_MS,
    });
    return readOutcome(answer.statusCode, await answer.body.text());
  } catch (error) {
    return { kind: 'broken', what: String(error) };
  }
}

function readOutcome(status: number, text: string): Outcome {
  const body = JSON.parse(text);
  if (status === 200) return { kind: 'result', number: body.result?.number };
  return typeof body.code === 'string' ? { kind: 'error', code: body.code } : { kind: 'broken', what: `HTTP ${status}: ${text}` };
}
