/** One turn at work: what its steps read and change. */
import type { BaseClient } from '../chat/base-client';
import type { Message } from '../chat/message';
import type { TokenCount } from '../model/ask-model';
import type { AgentTurn } from '../store/agent-turn';
import { patiently } from '../store/store-error';
import type { Written } from '../store/turn-rows';
import type { TurnSetup } from './setup';
import type { TurnTools } from './turn-tools';

export class TurnScope {
  readonly setup: TurnSetup;
  readonly client: BaseClient;
  readonly turn: AgentTurn;
  readonly tools: TurnTools;
  /** The messages of the turn that are written. */
  readonly messages: Message[];
  /** Aborted with an `EarlyEnd`, or with `AgentEnds`. A new one comes after an early end, for the reply. */
  ending = new AbortController();
  /** Sum over all model calls since the start of this process. */
  readonly tokens: TokenCount = { input: 0, output: 0 };

  constructor(setup: TurnSetup, client: BaseClient, turn: AgentTurn) {
    this.setup = setup;
    this.client = client;
    this.turn = turn;
    this.tools = setup.tools.of(turn.clientId, turn.ctx);
    this.messages = setup.store.turns.messages(turn.id);
  }

  get signal(): AbortSignal {
    return this.ending.signal;
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
