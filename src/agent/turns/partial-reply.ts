/** Shows a long answer while the model writes it: one message, edited at most every 1.5 seconds. */
import type { BaseClient } from '../chat/base-client';
import type { AgentTurn } from '../store/agent-turn';

const EVERY_MS = 1_500;

export interface PartialReplySteps {
  client: BaseClient;
  turn: AgentTurn;
  /** Stores `turn.ctx.partial`, which identifies the message. */
  save: () => void;
  onError: (error: unknown) => void;
}

export class PartialReply {
  readonly #steps: PartialReplySteps;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(steps: PartialReplySteps) {
    this.#steps = steps;
  }

  /** @param text the whole text so far */
  update(text: string): void {
    this.#text = text;
    this.#timer ??= setTimeout(() => {
      this.#sending = this.#show();
    }, EVERY_MS);
  }

  /** Resolves after the last update of the message. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#sending;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #show(): Promise<void> {
    const { client, turn, save, onError } = this.#steps;
    const shown = this.#text;
    try {
      turn.ctx.partial = await client.showPartial?.(turn.ctx, shown);
      save();
    } catch (error) {
      onError(error);
    }
    this.#timer = undefined;
    if (this.#text !== shown) this.update(this.#text);
  }
}
