/** Turns and their messages. The state of a turn and its messages are written in one transaction. */
import { randomBytes } from 'node:crypto';
import type { Message } from '../chat/message';
import type { MessageContext } from '../chat/message-context';
import type { AgentDatabase } from './agent-database';
import { type AgentTurn, type Approval, type Connecting, type Deciding, LostTurn, type TurnState } from './agent-turn';
import { readContext, writeContext } from './context-row';
import { isTaken } from './store-error';

interface TurnRow {
  id: string;
  client_id: string;
  ctx: string;
  state: TurnState;
  attempts: number;
  approval: string | null;
  error: string | null;
  at: number;
}

export interface Written {
  state: TurnState;
  messages?: readonly Message[];
  error?: string;
}

const COLUMNS = 'id, client_id, ctx, state, attempts, approval, error, at';

export class TurnRows {
  readonly #database: AgentDatabase;
  readonly #agentId: string;

  constructor(database: AgentDatabase, agentId: string) {
    this.#database = database;
    this.#agentId = agentId;
  }

  /**
   * Writes a received message and the client's cursor in one transaction, so that the cursor never passes a message that is not stored.
   *
   * @param work writes the changes by the message, with the methods below
   */
  takeIn<T>(clientId: string, cursor: unknown, work: () => T): T {
    return this.#database.transaction(() => {
      const result = work();
      this.#database.run(
        'UPDATE svc_client SET cursor = ? WHERE agent_id = ? AND client_id = ?',
        JSON.stringify(cursor ?? null),
        this.#agentId,
        clientId,
      );
      return result;
    });
  }

  /** @returns the id of the new turn; undefined for a message id that was stored before */
  add(clientId: string, ctx: MessageContext, state: TurnState, messages: readonly Message[] = []): string | undefined {
    const id = `turn_${randomBytes(12).toString('hex')}`;
    const added = this.#database.run(
      `INSERT INTO svc_turn (id, agent_id, client_id, chat_id, message_id, ctx, state, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (agent_id, client_id, message_id) DO NOTHING`,
      id,
      this.#agentId,
      clientId,
      ctx.chatId,
      ctx.messageId ?? null,
      writeContext(ctx),
      state,
      Date.now(),
    );
    if (added === 0) return undefined;
    this.#insertMessages(id, 0, messages);
    return id;
  }

  /** The chats of a client with open turns. */
  openChats(clientId: string): string[] {
    return this.#database
      .all<{ chat_id: string }>(
        "SELECT chat_id, min(seq) AS first FROM svc_turn WHERE agent_id = ? AND client_id = ? AND state <> 'done' GROUP BY 1 ORDER BY first",
        this.#agentId,
        clientId,
      )
      .map(({ chat_id }) => chat_id);
  }

  /** The open turns of a chat, oldest first. */
  open(clientId: string, chatId: string): AgentTurn[] {
    return this.#database
      .all<TurnRow>(
        `SELECT ${COLUMNS} FROM svc_turn WHERE agent_id = ? AND client_id = ? AND chat_id = ? AND state <> 'done' ORDER BY seq`,
        this.#agentId,
        clientId,
        chatId,
      )
      .map((row) => this.#toTurn(row));
  }

  /** The oldest open turn of a chat. Counts an attempt unless the turn waits for a person. */
  take(clientId: string, chatId: string): AgentTurn | undefined {
    const [row] = this.#database.all<TurnRow>(
      `UPDATE svc_turn SET attempts = attempts + (state <> 'asking') WHERE seq = (
        SELECT min(seq) FROM svc_turn WHERE agent_id = ? AND client_id = ? AND chat_id = ? AND state <> 'done'
      ) RETURNING ${COLUMNS}`,
      this.#agentId,
      clientId,
      chatId,
    );
    return row && this.#toTurn(row);
  }

  messages(turnId: string): Message[] {
    return this.#database
      .all<{ body: string }>('SELECT body FROM svc_message WHERE turn_id = ? ORDER BY n', turnId)
      .map(({ body }) => JSON.parse(body));
  }

  /**
   * Writes the next state with its messages in one transaction. Every write is progress and resets `attempts`.
   *
   * @throws LostTurn if the stored turn differs from `turn`
   */
  write(turn: AgentTurn, { state, messages = [], error }: Written): void {
    this.#database.transaction(() => {
      const changed = this.#database.run(
        'UPDATE svc_turn SET state = ?, attempts = 0, ctx = ?, approval = ?, error = coalesce(?, error) WHERE id = ? AND state = ?',
        state,
        writeContext(turn.ctx),
        writeQuestions(turn),
        error ?? null,
        turn.id,
        turn.state,
      );
      if (changed === 0) throw new LostTurn(turn.id);
      this.#insertMessages(turn.id, turn.written, messages);
    });
    turn.state = state;
    turn.error = error ?? turn.error;
    turn.written += messages.length;
  }

  /** Stores `ctx.partial`. Does not count as progress, so `attempts` stays. */
  savePartial({ id, ctx }: AgentTurn): void {
    this.#database.run('UPDATE svc_turn SET ctx = ? WHERE id = ?', writeContext(ctx), id);
  }

  /** Stores `shown` of a question that was answered already. */
  saveShown(id: string, { question_id: questionId, shown }: Approval): void {
    if (shown === undefined) return;
    this.#database.run(
      "UPDATE svc_turn SET approval = json_set(approval, '$.shown', json(?)) WHERE id = ? AND approval ->> 'question_id' = ? AND state <> 'done'",
      JSON.stringify(shown),
      id,
      questionId,
    );
  }

  /** True if a turn of the person asked for an account, and its wait would not be over at `now`. */
  asksForAccount(clientId: string, userId: string, now: number): boolean {
    const rows = this.#database.all(
      "SELECT 1 FROM svc_turn WHERE agent_id = ? AND client_id = ? AND approval ->> '$.connect.until' > ? AND ctx ->> 'user_id' = ? LIMIT 1",
      this.#agentId,
      clientId,
      now,
      userId,
    );
    return rows.length > 0;
  }

  /** The messages of finished turns of a chat, newest turn first; an empty list for a turn without messages. */
  *finished(clientId: string, chatId: string): Generator<Message[]> {
    const rows = this.#database.each<{ id: string }>(
      "SELECT id FROM svc_turn WHERE agent_id = ? AND client_id = ? AND chat_id = ? AND state = 'done' ORDER BY seq DESC",
      this.#agentId,
      clientId,
      chatId,
    );
    for (const { id } of rows) yield this.messages(id);
  }

  /** @returns the number of turns that were deleted */
  deleteFinished(before: number): number {
    return this.#database.run("DELETE FROM svc_turn WHERE agent_id = ? AND state = 'done' AND at < ?", this.#agentId, before);
  }

  #insertMessages(turnId: string, from: number, messages: readonly Message[]): void {
    try {
      for (const [index, message] of messages.entries())
        this.#database.run('INSERT INTO svc_message (turn_id, n, body) VALUES (?, ?, ?)', turnId, from + index, JSON.stringify(message));
    } catch (error) {
      throw isTaken(error) ? new LostTurn(turnId) : error;
    }
  }

  #toTurn({ id, client_id: clientId, ctx, state, attempts, approval, error, at }: TurnRow): AgentTurn {
    const [row] = this.#database.all<{ written: number }>('SELECT count(*) AS written FROM svc_message WHERE turn_id = ?', id);
    return {
      id,
      clientId,
      at,
      attempts,
      ctx: readContext(ctx),
      state,
      ...readQuestions(approval),
      error: error ?? undefined,
      written: row?.written ?? 0,
    };
  }
}

interface Questions {
  connect?: Connecting;
  decide?: Deciding;
}

/** The column `approval` has all questions to people: the members of the approval, `connect`, and `decide`. */
function writeQuestions({ approval, connecting, deciding }: AgentTurn): string | null {
  const questions: Questions = { ...(connecting && { connect: connecting }), ...(deciding && { decide: deciding }) };
  return approval || connecting || deciding ? JSON.stringify({ ...approval, ...questions }) : null;
}

function readQuestions(column: string | null): Pick<AgentTurn, 'approval' | 'connecting' | 'deciding'> {
  const { connect: connecting, decide: deciding, ...approval }: Partial<Approval> & Questions = JSON.parse(column ?? '{}');
  return { approval: approval.question_id === undefined ? undefined : (approval as Approval), connecting, deciding };
}
