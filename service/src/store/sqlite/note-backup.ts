/** Notes the time of a backup in the data; a service may be running on them. Rejects for data without that table: a backup does not migrate. */
import { openFile } from './connection';

export async function noteBackupInFile(path: string): Promise<void> {
  const database = await openFile(path, () => {});
  try {
    database.prepare('INSERT OR IGNORE INTO backups (at) VALUES (?)').run(Date.now());
  } finally {
    database.close();
  }
}
