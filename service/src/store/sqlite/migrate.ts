import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '#sdk/protocol/errors';
import { nextMigration } from '../migrations';
import { countChange } from './changes';
import { transaction } from './connection';

/**
 * Migrates the data to this program's version in one transaction. Safe when several processes open the same file at once, since it holds the
 * write lock.
 */
export function migrateSqliteFile(database: DatabaseSync, where: string): void {
  transaction(database, () => {
    const applied = sqliteVersion(database, where);
    if (applied === undefined)
      database.exec('CREATE TABLE svc_migrations (number BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)');
    for (let next = nextMigration(applied ?? 0, where); next; next = nextMigration(next.number, where)) {
      database.exec(next.sql);
      database.prepare('INSERT INTO svc_migrations (number, applied_at) VALUES (?, ?)').run(next.number, Date.now());
      countChange(database);
    }
  });
}

/** The number of the last migration; undefined in an empty file. */
export function sqliteVersion(database: DatabaseSync, where: string): number | undefined {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  if (tables.length === 0) return undefined;
  if (!tables.some(({ name }) => name === 'svc_migrations'))
    throw new SvcError('INVALID_REQUEST', `${where} is the database of another program: name a file of its own for svc-sdk`);
  return Number(database.prepare('SELECT coalesce(max(number), 0) AS number FROM svc_migrations').get()?.number);
}
