import type { DatabaseSync } from 'node:sqlite';
import { SvcError } from '../../../protocol/errors';
import { nextMigration } from '../migrations';
import { countChange } from './foreign-changes';
import { transaction } from './transaction';

/** Brings the data to this program's version. Safe when several processes open the same file at once: each step holds the write lock. */
export function migrate(database: DatabaseSync, where: string): void {
  while (applyNext(database, where));
}

function applyNext(database: DatabaseSync, where: string): boolean {
  return transaction(database, () => {
    const applied = appliedVersion(database, where);
    if (applied === undefined)
      database.exec('CREATE TABLE svc_migrations (number BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)');
    const next = nextMigration(applied ?? 0, where);
    if (!next) return false;
    database.exec(next.sql);
    database.prepare('INSERT INTO svc_migrations (number, applied_at) VALUES (?, ?)').run(next.number, Date.now());
    countChange(database);
    return true;
  });
}

/** The number of the last step; undefined in an empty file. */
export function appliedVersion(database: DatabaseSync, where: string): number | undefined {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  if (tables.length === 0) return undefined;
  if (!tables.some(({ name }) => name === 'svc_migrations'))
    throw new SvcError('INVALID_REQUEST', `${where} is the database of another program: name a file of its own for svc-sdk`);
  return Number(database.prepare('SELECT coalesce(max(number), 0) AS number FROM svc_migrations').get()?.number);
}
