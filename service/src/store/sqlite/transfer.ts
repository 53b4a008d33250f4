/** A SQLite file as the source of an export and the target of an import. */
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { InvocationRecord } from '../store';
import type { Row } from '../transfer/format';
import type { Source } from '../transfer/source';
import type { Target } from '../transfer/target';
import { beginSnapshot } from './backup';
import { explained, openFile, sqliteKysely } from './connection';
import { readJournal } from './journal/entries';
import { lockData } from './lock';
import { migrateSqliteFile } from './migrate';

/** Opens the file for an export. A service may be running on it. */
export async function openSqliteSource(path: string): Promise<Source> {
  const where = resolve(path);
  const database = await openMigrated(where);
  try {
    const records = beginSnapshot(database, `${where}-calls`);
    records.sort((one, other) => (one.id < other.id ? -1 : 1));
    return {
      db: sqliteKysely(database),
      newerInvocations: records.map(toRow),
      newerLedger: records.flatMap(toLedgerRow),
      close: async () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates the file if it is missing; its directory must exist. Rejects with INVALID_REQUEST when a service runs on it. */
export async function openSqliteTarget(path: string): Promise<Target> {
  const where = resolve(path);
  const release = await lockData(where);
  let database: DatabaseSync | undefined;
  try {
    database = await openMigrated(where);
    const opened = database;
    opened.exec('BEGIN IMMEDIATE');
    return {
      name: where,
      db: sqliteKysely(opened),
      hasMore: readJournal(`${where}-calls`).length > 0,
      async commit() {
        try {
          opened.exec('COMMIT');
        } catch (error) {
          throw explained(error, `Cannot write ${where}`, where);
        }
      },
      async close() {
        opened.close();
        release();
      },
    };
  } catch (error) {
    database?.close();
    release();
    throw error;
  }
}

function openMigrated(where: string): Promise<DatabaseSync> {
  return openFile(where, (database) => migrateSqliteFile(database, where));
}

function toRow({ id, agentKeyId, idempotencyKey, requestHash, action, startedAt, outcome, madeBy, origin }: InvocationRecord): Row {
  return {
    id,
    agent_key_id: agentKeyId,
    idempotency_key: idempotencyKey,
    request_hash: requestHash,
    action,
    started_at: startedAt,
    code: outcome?.code ?? null,
    body: outcome?.body ?? null,
    ended_at: outcome?.endedAt ?? null,
    made_by: madeBy ?? null,
    toolkit_code: outcome?.toolkitCode ?? null,
    took: outcome?.took ?? null,
    origin: origin ?? null,
  };
}

/** A list of one, or of none for a free call. */
function toLedgerRow({ id, agentKeyId, action, startedAt, hold, outcome }: InvocationRecord): Row[] {
  if (!hold) return [];
  const charged = outcome?.charged;
  return [
    {
      invocation_id: id,
      agent_key_id: agentKeyId,
      action,
      currency: hold.currency,
      authorised: `${hold.amount}`,
      charged: charged === undefined ? null : `${charged}`,
      held_at: startedAt,
      booked_at: charged === undefined ? null : (outcome?.endedAt ?? null),
      settled_at: null,
    },
  ];
}
