/** One turn at work: what its steps read and change. */
import type { BaseClient } from '../chat/base-client';
import type { Message } from '../chat/message';
import type { TokenCount } from '../model/ask-model';
import type { AgentTurn } from '../store/agent-turn';
import { patiently } from '../store/store-error';
import type { Written } from '../store/turn-rows';
import type { AgentEnds, EarlyEnd } from './early-end';
import type { TurnSetup } from './setup';
import type { TurnTools } from './turn-tools';

export class TurnScope {
  readonly setup: TurnSetup;
  readonly client: BaseClient;
  readonly turn: AgentTurn;
  readonly tools: TurnTools;
  /** The messages of the turn that are written. */
  readonly messages: Message[];
  /** Sum over all model calls since the start of this process. */
  readonly tokens: TokenCount = { input: 0, output: 0 };
  /** A new one comes after an early end, for the reply. */
  #ending = new AbortController();
  #left: AgentEnds | undefined;

  constructor(setup: TurnSetup, client: BaseClient, turn: AgentTurn) {
    this.setup = setup;
    this.client = client;
    this.turn = turn;
    this.tools = setup.tools.of(turn.clientId, turn.ctx);
    this.messages = setup.store.turns.messages(turn.id);
  }

  /** Aborted with an `EarlyEnd`, or with `AgentEnds`. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  endEarly(reason: EarlyEnd): void {
    this.#ending.abort(reason);
  }

  /** Leaves the turn as it is written. */
  leave(reason: AgentEnds): void {
    this.#left = reason;
    this.#ending.abort(reason);
  }

  /** After an early end the reply is still to be sent, unless the agent ends too. */
  beginReply(): void {
    this.#ending = new AbortController();
    if (this.#left) this.#ending.abort(this.#left);
  }

  /** The chat, for what chats share. */
  get laneKey(): string {
    return laneKeyOf(this.turn.clientId, this.turn.ctx.chatId);
  }

  /** Names the turn in events. */
  get place(): { clientId: string; chatId: string; turnId: string } {
    const { id, clientId, ctx } = this.turn;
    return { clientId, chatId: ctx.chatId, turnId: id };
  }

  prompt(name: string): string {
    return this.setup.prompt(name, this.turn.clientId, this.turn.ctx.chatId);
  }

  /**
   * Writes the next state and what brought it.
   *
   * @throws LostTurn; StoreError
   */
  async save(written: Written): Promise<void> {
    await patiently(() => this.setup.store.turns.write(this.turn, written));
    this.messages.push(...(written.messages ?? []));
  }

  /** Reports that the platform did not take something. */
  reportReply(error: unknown): void {
    this.setup.emit({ type: 'reply-error', ...this.place, error: toError(error) });
  }
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

export function laneKeyOf(clientId: string, chatId: string): string {
  return JSON.stringify([clientId, chatId]);
}
