import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The number of rows of every table of a running service on a data directory. */
export function rowsOf(folder: string): Record<string, number> {
  const database = new DatabaseSync(join(folder, 'svc.sqlite'), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return Object.fromEntries(
      tables.map(({ name }) => [name, Number(database.prepare(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows)]),
    );
  } finally {
    database.close();
  }
}
