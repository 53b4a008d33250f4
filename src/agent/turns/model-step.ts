/** Requests the model's next message of a turn. */
import type { Message } from '../chat/message';
import { raced } from '../lib/races';
import { askPatiently } from '../model/ask-patiently';
import { ModelRequestError } from '../model/model-request-error';
import { EarlyEnd } from './early-end';
import { readHistory, withFewImages } from './history';
import { callsOf, readModelMessage, stepsIn } from './model-message';
import { PartialReply } from './partial-reply';
import type { TurnScope } from './turn-scope';

export class ModelStep {
  readonly #scope: TurnScope;
  /** Read once per turn, since no other turn of the chat ends meanwhile. */
  #history: Message[] | undefined;
  #maxHistoryTokens: number;

  constructor(scope: TurnScope) {
    this.#scope = scope;
    this.#maxHistoryTokens = scope.setup.limits.historyTokens;
  }

  /** Requests a message of the model and stores it. The last step offers no tools, so that the model must answer with text. */
  async run(): Promise<void> {
    const { messages, setup } = this.#scope;
    const { maxSteps } = setup.limits;
    const step = stepsIn(messages);
    const isLast = step >= maxSteps - 1;
    const message = readModelMessage(await this.#ask(!isLast), step);
    const calls = callsOf(message).length;
    if (calls > 0 && isLast) throw new EarlyEnd('step-limit', `The model still calls tools after ${maxSteps} messages`);
    await this.#scope.save({ state: calls > 0 ? 'running' : 'replying', messages: [message] });
  }

  async #ask(offersTools: boolean): Promise<Message> {
    const { client, setup } = this.#scope;
    const partial = setup.limits.edit && client.showPartial ? this.#partialReply() : undefined;
    try {
      return await this.#request(offersTools, partial).catch((error: unknown) => {
        if (!(error instanceof ModelRequestError && error.isTooLong) || this.#history?.length === 0) throw error;
        this.#maxHistoryTokens /= 2;
        this.#history = undefined;
        return this.#request(offersTools, partial);
      });
    } finally {
      // A client that does not answer must not block the turn.
      if (partial) await raced(partial.end(), this.#scope.signal);
    }
  }

  async #request(offersTools: boolean, partial: PartialReply | undefined): Promise<Message> {
    const { setup, turn, tools, signal, tokens, place } = this.#scope;
    this.#history ??= readHistory(setup.store.turns.finished(turn.clientId, turn.ctx.chatId), this.#maxHistoryTokens);
    const model = setup.model('default');
    const fallback = setup.model('fallback');
    const system: Message = { role: 'system', content: this.#scope.prompt('system') };
    const answer = askPatiently({
      ask: setup.ask,
      request: {
        model,
        messages: [system, ...withFewImages([...this.#history, ...this.#scope.messages])],
        tools: offersTools ? await tools.offered() : [],
        signal,
        ...(partial && { onText: (text: string) => partial.update(text) }),
      },
      ...(fallback !== model && { fallback }),
      onError: (error, name, willRetry) => setup.emit({ type: 'model-error', ...place, model: name, error, willRetry }),
      onTokens: (name, counted) => tools.reportTokens(name, counted),
    });
    const { message, tokens: used } = await raced(answer, signal);
    tokens.input += used.input;
    tokens.output += used.output;
    return message;
  }

  #partialReply(): PartialReply {
    const { client, turn, setup } = this.#scope;
    return new PartialReply({
      client,
      turn,
      save: () => setup.store.turns.savePartial(turn),
      onError: (error) => this.#scope.reportReply(error),
    });
  }
}
