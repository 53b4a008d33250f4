/** The rows of an agent's file, as test/vectors/agent-turns.json writes them. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Message } from 'svc-sdk/agent';

/** A row of svc_turn, with the bodies of its messages. */
export interface VectorTurn {
  id?: string;
  state: string;
  ctx?: Record<string, unknown>;
  attempts?: number;
  approval?: Record<string, unknown> | null;
  error?: string | null;
  /** Milliseconds from now if the row is given, as `until` of the approval. */
  at?: number;
  messages: Message[];
}

export interface VectorSetting {
  kind: string;
  name: string;
  value: string;
}

export interface VectorRows {
  turns?: VectorTurn[];
  settings?: VectorSetting[];
}

export const CLIENT_ID = 'pipe';

export function writeRows(path: string, { turns = [], settings = [] }: VectorRows): void {
  using database = new DatabaseSync(path);
  database.exec(readFileSync(new URL('../vectors/store.sql', import.meta.url), 'utf8'));
  const setting = database.prepare("INSERT INTO svc_setting (agent_id, kind, name, value) VALUES ('', ?, ?, ?)");
  for (const { kind, name, value } of settings) setting.run(kind, name, value);
  const turn = database.prepare(
    `INSERT INTO svc_turn (id, agent_id, client_id, chat_id, message_id, ctx, state, attempts, approval, error, at)
    VALUES (?, '', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const message = database.prepare('INSERT INTO svc_message (turn_id, n, body) VALUES (?, ?, ?)');
  for (const { id = '', state, ctx = {}, attempts = 0, approval, error = null, at = 0, messages } of turns) {
    const { chat_id: chatId, message_id: messageId } = ctx;
    const asked = approval ? JSON.stringify(approval, (name, value) => (name === 'until' ? Date.now() + Number(value) : value)) : null;
    turn.run(id, CLIENT_ID, String(chatId), String(messageId), JSON.stringify(ctx), state, attempts, asked, error, Date.now() + at);
    for (const [n, body] of messages.entries()) message.run(id, n, JSON.stringify(body));
  }
}

export function readTurns(path: string): Required<VectorTurn>[] {
  using database = openReading(path);
  const messages = database.prepare('SELECT body FROM svc_message WHERE turn_id = ? ORDER BY n');
  const turns = database.prepare('SELECT id, state, ctx, attempts, approval, error, at FROM svc_turn ORDER BY seq');
  return turns.all().map(({ id, state, ctx, attempts, approval, error, at }) => ({
    id: String(id),
    state: String(state),
    ctx: JSON.parse(String(ctx)),
    attempts: Number(attempts),
    approval: JSON.parse(String(approval)),
    error: error === null ? null : String(error),
    at: Number(at),
    messages: messages.all(String(id)).map(({ body }) => JSON.parse(String(body))),
  }));
}

export function readSettings(path: string): VectorSetting[] {
  using database = openReading(path);
  const rows = database.prepare('SELECT kind, name, value FROM svc_setting ORDER BY kind, name').all();
  return rows.map(({ kind, name, value }) => ({ kind: String(kind), name: String(name), value: String(value) }));
}

/** The agent may be writing. */
function openReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA busy_timeout = 5000');
  return database;
}
