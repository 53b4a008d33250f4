import type { DatabaseSync } from 'node:sqlite';
import type { EvidenceEngine } from '../sql/evidence';
import type { Atomically } from '../sql/tables';
import { BUSY_TIMEOUT_MS } from './open-file';

export function evidenceEngine(database: DatabaseSync, atomically: Atomically): EvidenceEngine {
  // From the first write on: otherwise each page that SQLite splits or frees keeps a copy of what stood in it.
  database.exec('PRAGMA secure_delete = ON');
  return {
    updatesErase: false,
    async withoutWaiting(queries) {
      // Waiting for another process's lock would hold up everything that this one does.
      database.exec('PRAGMA busy_timeout = 0');
      try {
        await atomically(queries);
      } finally {
        database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      }
    },
    async erasing(queries) {
      if (queries.length > 0) await atomically(queries);
      // Older pages are in the write-ahead log.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
