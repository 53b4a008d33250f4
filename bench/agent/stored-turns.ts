/** The store of an agent, read while the agent has it open. */
import { DatabaseSync } from 'node:sqlite';

/** An agent that opens a store after a SIGKILL locks it until the log is read. */
const LOCKED_PATIENCE_MS = 5_000;

export function openStore(store: string): DatabaseSync {
  return new DatabaseSync(store, { timeout: LOCKED_PATIENCE_MS });
}

/** False when every process so far was killed before it made the tables. */
export function hasTables(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'svc_turn'").get() !== undefined;
}

export function doneTurns(store: string): number {
  using database = openStore(store);
  if (!hasTables(database)) return 0;
  return Number(database.prepare("SELECT count(*) AS done FROM svc_turn WHERE state = 'done'").get()?.done);
}

/** Messages of a client that were taken in. */
export function receivedTurns(store: string, clientId: string): number {
  using database = openStore(store);
  return Number(database.prepare('SELECT count(*) AS received FROM svc_turn WHERE client_id = ?').get(clientId)?.received);
}

/** Why turns ended early. */
export function turnErrors(store: string): string[] {
  using database = openStore(store);
  if (!hasTables(database)) return [];
  return database
    .prepare('SELECT error FROM svc_turn WHERE error IS NOT NULL ORDER BY seq')
    .all()
    .map(({ error }) => String(error));
}

export function storedCursor(store: string, clientId: string): unknown {
  using database = openStore(store);
  return JSON.parse(String(database.prepare('SELECT cursor FROM svc_client WHERE client_id = ?').get(clientId)?.cursor ?? null));
}
