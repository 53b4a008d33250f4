/** Sign-ins of a running service on a data directory, as if they had happened before. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export function ageSignIns(folder: string, minutes: number): void {
  const database = new DatabaseSync(join(folder, 'svc.sqlite'));
  database.exec('PRAGMA busy_timeout = 5000');
  database.prepare('UPDATE sessions SET created_at = ?').run(new Date(Date.now() - minutes * 60_000).toISOString());
  database.close();
}
