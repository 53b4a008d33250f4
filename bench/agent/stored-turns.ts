/** The store of an agent, read while the agent has it open. */
import { DatabaseSync } from 'node:sqlite';

export function doneTurns(store: string): number {
  using database = new DatabaseSync(store);
  return Number(database.prepare("SELECT count(*) AS done FROM svc_turn WHERE state = 'done'").get()?.done);
}

/** Messages of a client that were taken in. */
export function receivedTurns(store: string, clientId: string): number {
  using database = new DatabaseSync(store);
  return Number(database.prepare('SELECT count(*) AS received FROM svc_turn WHERE client_id = ?').get(clientId)?.received);
}

/** Why turns ended early. */
export function turnErrors(store: string): string[] {
  using database = new DatabaseSync(store);
  return database
    .prepare('SELECT error FROM svc_turn WHERE error IS NOT NULL ORDER BY seq')
    .all()
    .map(({ error }) => String(error));
}

export function storedCursor(store: string, clientId: string): unknown {
  using database = new DatabaseSync(store);
  return JSON.parse(String(database.prepare('SELECT cursor FROM svc_client WHERE client_id = ?').get(clientId)?.cursor ?? null));
}
