import type { DatabaseSync } from 'node:sqlite';

/** Runs `write` in one transaction. */
export function transaction<T>(database: DatabaseSync, write: () => T): T {
  // IMMEDIATE takes the write lock at once: a transaction that begins as a reader cannot wait for another writer, it fails.
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = write();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // On a full disk SQLite has rolled back by itself, and complains only that no transaction is active.
  }
}
