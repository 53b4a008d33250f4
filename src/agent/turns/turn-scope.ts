/** The state of a running turn, which its steps read and change. */
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
  /** The stored messages of the turn. */
  readonly messages: Message[];
  /** Sum over all model calls since the start of this process. */
  readonly tokens: TokenCount = { input: 0, output: 0 };
  /** The page on which the person connects an account: kept in memory alone. */
  link: string | undefined;
  /** Replaced after an early end, for the reply. */
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

  /** Abandons the turn. The stored turn stays unchanged. */
  leave(reason: AgentEnds): void {
    this.#left = reason;
    this.#ending.abort(reason);
  }

  /** Renews the signal after an early end, since the reply must still be sent. Stays aborted if the agent ends. */
  beginReply(): void {
    this.#ending = new AbortController();
    if (this.#left) this.#ending.abort(this.#left);
  }

  /** The key of the chat. */
  get laneKey(): string {
    return laneKeyOf(this.turn.clientId, this.turn.ctx.chatId);
  }

  /** The ids of the turn in events. */
  get place(): { clientId: string; chatId: string; turnId: string } {
    const { id, clientId, ctx } = this.turn;
    return { clientId, chatId: ctx.chatId, turnId: id };
  }

  prompt(name: string): string {
    return this.setup.prompt(name, this.turn.clientId, this.turn.ctx.chatId);
  }

  /**
   * Writes the next state with its messages.
   *
   * @throws LostTurn; StoreError
   */
  async save(written: Written): Promise<void> {
    await patiently(() => this.setup.store.turns.write(this.turn, written));
    this.messages.push(...(written.messages ?? []));
  }

  /** Reports that the platform did not accept a reply, a question or a partial text. */
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
