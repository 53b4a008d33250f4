/** Stores a received message as a new turn, a command, or the answer to a question. */
import type { BaseClient } from '../chat/base-client';
import type { Message } from '../chat/message';
import type { MessageContext } from '../chat/message-context';
import type { AgentTurn, TurnState } from '../store/agent-turn';
import { patiently } from '../store/store-error';
import { mayAnswer } from './approvals';
import { decidingOf } from './await-decision';
import { closingMessages } from './closing';
import { isCommand, NEW_COMMAND, readCode, readYesOrNo, STOP_COMMAND } from './commands';
import { afterWrongCode, waitingFor } from './connections';
import type { Lanes } from './lanes';
import type { TurnSetup } from './setup';
import { toError } from './turn-scope';
import type { CodeOutcome } from './turn-tools';

/** The reply to each command, and the states of the turns that the command ends. */
const COMMANDS: Record<typeof NEW_COMMAND | typeof STOP_COMMAND, { prompt: string; ends: readonly TurnState[] }> = {
  [NEW_COMMAND]: { prompt: 'reply.new', ends: ['asking'] },
  [STOP_COMMAND]: { prompt: 'reply.stopped', ends: ['queued', 'running', 'asking'] },
};

/** Hands a pressed button to the chats of approvers. Resolves with true for an answer to one of their questions. */
type Press = (clientId: string, ctx: MessageContext) => Promise<boolean>;

export class Intake {
  readonly #setup: TurnSetup;
  readonly #lanes: Lanes;
  readonly #press: Press;

  constructor(setup: TurnSetup, lanes: Lanes, press: Press) {
    this.#setup = setup;
    this.#press = press;
    this.#lanes = lanes;
  }

  /**
   * Writes the message and the client's cursor in one transaction.
   *
   * @param ctx null without a message that needs an answer
   * @throws StoreError; then nothing was stored
   */
  async take(client: BaseClient, ctx: MessageContext | null): Promise<void> {
    const { turns } = this.#setup.store;
    const { clientId, cursor } = client;
    const isTaken = ctx?.answer && (await this.#press(clientId, ctx));
    if (!ctx || isTaken) return patiently(() => turns.takeIn(clientId, cursor, () => {}));
    const code = readCode(ctx.message, () => turns.asksForAccount(clientId, ctx.userId, Date.now()));
    if (code !== undefined) {
      const outcome = await this.#setup.tools.of(clientId, ctx).confirm(code);
      await patiently(() => turns.takeIn(clientId, cursor, () => this.#writeCode(clientId, ctx, outcome)));
      return this.#lanes.wake(client, ctx.chatId);
    }
    const stopped = await patiently(() => turns.takeIn(clientId, cursor, () => this.#write(clientId, ctx)));
    const ids = stopped.map(({ id }) => id);
    this.#lanes.cancel(clientId, ctx.chatId, ids);
    for (const turn of stopped) {
      const { id: turnId, at } = turn;
      const tokens = { input: 0, output: 0 };
      this.#setup.emit({ type: 'turn-end', clientId, chatId: ctx.chatId, turnId, code: 'stopped', milliseconds: Date.now() - at, tokens });
      // Not awaited: intake must not wait for the platform.
      void this.#endQuestion(client, turn);
    }
    this.#lanes.wake(client, ctx.chatId);
  }

  /** Removes the buttons of an unanswered question. */
  async #endQuestion(client: BaseClient, { id: turnId, ctx, approval }: AgentTurn): Promise<void> {
    if (!approval || approval.shown === undefined || approval.approved !== undefined) return;
    const { clientId } = client;
    const { chatId } = ctx;
    try {
      await client.endQuestion?.(ctx, approval.shown, `${approval.text}\n${this.#setup.prompt('reply.ask.denied', clientId, chatId)}`);
    } catch (error) {
      this.#setup.emit({ type: 'reply-error', clientId, chatId, turnId, error: toError(error) });
    }
  }

  /** @returns the turns that a command ended */
  #write(clientId: string, ctx: MessageContext): AgentTurn[] {
    const { turns } = this.#setup.store;
    if (isCommand(ctx.message, STOP_COMMAND)) return this.#command(clientId, ctx, STOP_COMMAND);
    if (isCommand(ctx.message, NEW_COMMAND)) {
      this.#setup.tools.forget(clientId, ctx.chatId);
      return this.#command(clientId, ctx, NEW_COMMAND);
    }
    if (!this.#endWait(clientId, ctx) && !this.#answer(clientId, ctx) && !ctx.answer) turns.add(clientId, ctx, 'queued');
    return [];
  }

  /** Neither the model nor the store gets the code. The turn that waits for it goes on. */
  #writeCode(clientId: string, { message: _, images: __, ...ctx }: MessageContext, outcome: CodeOutcome): void {
    const { turns } = this.#setup.store;
    const read = { ...ctx, message: '' };
    const waiting = this.#waiting(clientId, ctx);
    if (!waiting) {
      const messages: Message[] = [
        { role: 'user', content: '[a code]' },
        { role: 'assistant', content: this.#setup.prompt(`reply.connect.${outcome}`, clientId, ctx.chatId) },
      ];
      turns.add(clientId, read, 'replying', messages);
      return;
    }
    const { turn, connecting } = waiting;
    // The second delivery of a code.
    if (turns.add(clientId, read, 'done') === undefined) return;
    if (outcome === 'wrong') turn.connecting = afterWrongCode(connecting);
    if (outcome === 'later') turn.connecting = { ...connecting, note: 'reply.connect.later' };
    turns.write(turn, { state: outcome === 'later' ? 'asking' : 'running' });
  }

  /** The turn of the chat that waits for an account of this person. */
  #waiting(clientId: string, { chatId, userId }: Pick<MessageContext, 'chatId' | 'userId'>) {
    const turn = this.#setup.store.turns.open(clientId, chatId).find((open) => open.ctx.userId === userId && waitingFor(open));
    const connecting = turn && waitingFor(turn);
    return turn && connecting && { turn, connecting };
  }

  /** Ends the wait for an account: the person has written something else than its code. */
  #endWait(clientId: string, ctx: MessageContext): boolean {
    const { turns } = this.#setup.store;
    const waiting = this.#waiting(clientId, ctx);
    if (!waiting || ctx.answer) return false;
    const isNo = readYesOrNo(ctx.message) === false;
    // The second delivery of a message must not end a later wait.
    if (turns.add(clientId, ctx, isNo ? 'done' : 'queued') === undefined) return true;
    const { toolkit, until } = waiting.connecting;
    waiting.turn.connecting = { toolkit, until, ended: 'declined' };
    turns.write(waiting.turn, { state: 'running' });
    return true;
  }

  /** Adds a turn with the command's reply, and ends open turns. A reply that is being sent is not interrupted. */
  #command(clientId: string, ctx: MessageContext, command: keyof typeof COMMANDS): AgentTurn[] {
    const { turns } = this.#setup.store;
    const { prompt, ends } = COMMANDS[command];
    const ended = turns.open(clientId, ctx.chatId).filter(({ state }) => ends.includes(state));
    const text = (name: string) => this.#setup.prompt(name, clientId, ctx.chatId);
    const messages: Message[] = [
      { role: 'user', content: command },
      { role: 'assistant', content: text(prompt) },
    ];
    // The second delivery of a command must not end later turns.
    if (turns.add(clientId, ctx, 'replying', messages) === undefined) return [];
    for (const turn of ended) {
      const closing = closingMessages(turn.ctx, turns.messages(turn.id), text('reply.stopped'));
      turns.write(turn, { state: 'done', messages: closing, error: `stopped: The person wrote ${command}` });
    }
    return ended;
  }

  /** @returns true if the message answered the question of the chat */
  #answer(clientId: string, ctx: MessageContext): boolean {
    const { store, limits } = this.#setup;
    const approved = ctx.answer ? ctx.answer.approved : readYesOrNo(ctx.message);
    if (approved === undefined) return false;
    const turn = store.turns.open(clientId, ctx.chatId).find(({ state }) => state === 'asking');
    if (!turn?.approval || waitingFor(turn) || decidingOf(turn) || !mayAnswer(turn, ctx.userId, limits.owners)) return false;
    if (ctx.answer && ctx.answer.questionId !== turn.approval.question_id) return false;
    // The second delivery of an answer must not answer again or become a message to the model.
    if (!ctx.answer && store.turns.add(clientId, ctx, 'done') === undefined) return true;
    turn.approval = { ...turn.approval, approved };
    store.turns.write(turn, { state: 'running' });
    return true;
  }
}
