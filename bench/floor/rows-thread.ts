/** Writes the rows of the durable floor: key and result in turn. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const database = new DatabaseSync(workerData as string);
database.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
database.exec('CREATE TABLE calls (key TEXT PRIMARY KEY, result TEXT)');
const insert = database.prepare('INSERT INTO calls VALUES (?, ?)');

parentPort?.on('message', (batch: string[]) => {
  database.exec('BEGIN');
  for (let at = 0; at < batch.length; at += 2) insert.run(`${batch[at]}`, `${batch[at + 1]}`);
  database.exec('COMMIT');
});
