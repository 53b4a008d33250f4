import type { DatabaseSync } from 'node:sqlite';
import type { EvidenceEngine } from '../sql/evidence';
import type { Atomically } from '../sql/tables';
import { BUSY_TIMEOUT_MS } from './open-file';

export function evidenceEngine(database: DatabaseSync, atomically: Atomically): EvidenceEngine {
  return {
    atomically,
    async withoutWaiting(queries) {
      // Waiting for another process's lock would hold up everything that this one does.
      database.exec('PRAGMA busy_timeout = 0');
      try {
        await atomically(queries);
      } finally {
        database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      }
    },
    async erasing(query) {
      // Otherwise what was removed stays in free pages, and in older pages of the write-ahead log.
      const before = database.prepare('PRAGMA secure_delete').get()?.secure_delete;
      database.exec('PRAGMA secure_delete = ON');
      try {
        await atomically([query]);
      } finally {
        database.exec(`PRAGMA secure_delete = ${before}`);
      }
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
