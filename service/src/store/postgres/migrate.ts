import type { Client } from 'pg';
import { SvcError } from '#sdk/protocol/errors';
import { nextMigration } from '../migrations';
import { MIGRATING } from './lock';

/**
 * Matches the type, to add a collation by code points, which is that of SQLite. The server's language would differ between servers and be slower.
 * The migrations write the type in capitals, and the column `text` in lower case.
 */
const TYPE_TEXT = /\bTEXT\b/g;

/** Migrates the data to this program's version. Safe when several processes open the same database at once: each step holds a lock. */
export async function migratePostgresDatabase(client: Client, where: string): Promise<void> {
  while (await applyNext(client, where));
}

async function applyNext(client: Client, where: string): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${MIGRATING})`);
    const applied = await postgresVersion(client, where);
    if (applied === undefined)
      await client.query('CREATE TABLE svc_migrations (number BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)');
    const next = nextMigration(applied ?? 0, where);
    if (next) {
      await client.query(next.sql.replaceAll(TYPE_TEXT, 'TEXT COLLATE "C"'));
      await client.query('INSERT INTO svc_migrations (number, applied_at) VALUES ($1, $2)', [next.number, Date.now()]);
    }
    await client.query('COMMIT');
    return next !== undefined;
  } catch (error) {
    // The server has already rolled back a lost connection.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** The number of the last migration; undefined in an empty database. */
export async function postgresVersion(client: Client, where: string): Promise<number | undefined> {
  const { rows } = await client.query<{ schema: string | null; encoding: string; tables: string[] }>(
    `SELECT current_schema() AS schema, current_setting('server_encoding') AS encoding,
            array(SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()) AS tables`,
  );
  const { schema = null, encoding = '', tables = [] } = rows[0] ?? {};
  if (schema === null) throw unusable(where, 'has no schema that this user may use; grant it one');
  if (encoding !== 'UTF8')
    throw unusable(where, `has the encoding ${encoding}, which cannot store all texts; create one with: createdb -E UTF8`);
  if (tables.length === 0) return undefined;
  if (!tables.includes('svc_migrations'))
    throw unusable(where, 'is the database of another program: create a separate one for svc-sdk, with createdb');
  const applied = await client.query<{ number: number }>('SELECT coalesce(max(number), 0) AS number FROM svc_migrations');
  return applied.rows[0]?.number ?? 0;
}

function unusable(where: string, why: string): SvcError {
  return new SvcError('INVALID_REQUEST', `${where} ${why}`);
}
