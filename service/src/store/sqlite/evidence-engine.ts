/** Writes of evidence on SQLite: without waiting for another process's lock, and leaving nothing that was removed in the file. */
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { type EvidenceEngine, upsertEvidence } from '../sql/evidence';
import { inPieces } from '../sql/statements';
import type { Atomically, Tables } from '../sql/tables';
import { BUSY_TIMEOUT_MS } from './connection';

export interface EvidenceOnSqlite {
  database: DatabaseSync;
  db: Kysely<Tables>;
  atomically: Atomically;
  /** Nothing of an earlier process is in the write-ahead log. */
  startsWithEmptyLog: boolean;
}

export function sqliteEvidenceEngine({ database, db, atomically, startsWithEmptyLog }: EvidenceOnSqlite): EvidenceEngine {
  // Set before the first write: otherwise each page that SQLite splits or frees keeps a copy of its content.
  database.exec('PRAGMA secure_delete = ON');
  return {
    async removeTexts() {
      // An update may leave parts of a text in the page of its row.
      const rows = await db.selectFrom('evidence').selectAll().execute();
      const withoutTexts = rows.map((row) => ({ ...row, text: null }));
      return [db.deleteFrom('evidence'), ...inPieces(withoutTexts).map((piece) => upsertEvidence(db, piece))];
    },
    async withoutWaiting(queries) {
      // Waiting for another process's lock would block the event loop.
      database.exec('PRAGMA busy_timeout = 0');
      try {
        await atomically(queries);
      } finally {
        database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      }
    },
    async erasing(queries) {
      // Waits for the disk, which a start need not.
      if (queries.length === 0 && startsWithEmptyLog) return;
      await atomically(queries);
      // The write-ahead log still holds older pages.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
