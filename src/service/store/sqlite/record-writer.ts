/** Writes records and details in batches, each in one transaction. */
import type { InvocationDetails } from '../console-store';
import type { InvocationRecord } from '../store';
import type { BatchWriter, Statement } from './batch-writer';

export interface RecordWriter {
  /** Resolves when all of it is committed. */
  write(records: readonly InvocationRecord[], details: readonly InvocationDetails[]): Promise<void>;
  close(): Promise<void>;
}

const SAVE = `
  INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, started_at, code, body, ended_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE
  SET idempotency_key = excluded.idempotency_key, code = excluded.code, body = excluded.body, ended_at = excluded.ended_at`;

const SAVE_DETAILS = `
  INSERT INTO invocation_details (id, timeline, payload, result) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET timeline = excluded.timeline, payload = excluded.payload, result = excluded.result`;

export function recordWriter(batches: BatchWriter): RecordWriter {
  return {
    async write(records, details) {
      await batches.write([
        { sql: SAVE, rows: records.map(toRow) },
        { sql: SAVE_DETAILS, rows: details.map(({ id, timeline, payload, result }) => [id, timeline, payload, result]) },
      ]);
    },
    close: () => batches.close(),
  };
}

/** In the order of the columns. */
function toRow({ id, agentKeyId, idempotencyKey, requestHash, action, startedAt, outcome }: InvocationRecord): Statement['rows'][number] {
  const { code = null, body = null, endedAt = null } = outcome ?? {};
  return [id, agentKeyId, idempotencyKey, requestHash, action, startedAt, code, body, endedAt];
}
