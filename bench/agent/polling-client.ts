/** The least client of Telegram's Bot API that keeps its place. */
import { BaseClient, type Message, type MessageContext, type Question, replyText } from 'svc-sdk/agent';

const POLL_SECONDS = 20;

interface Update {
  update_id: number;
  message?: { message_id: number; text: string; from: { id: number }; chat: { id: number } };
  callback_query?: { id: string; from: { id: number }; message: { chat: { id: number } }; data: string };
}

export class PollingClient extends BaseClient {
  readonly clientId: string;
  readonly #address: string;
  #received: Update[] = [];

  constructor(token: string, apiRoot: string) {
    super();
    this.clientId = `telegram-${token.split(':', 1)[0]}`;
    this.#address = `${apiRoot}/bot${token}`;
  }

  async start(): Promise<void> {
    await this.#call('getMe', {});
  }

  async stop(): Promise<void> {}

  async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    const update = this.#received.shift() ?? (await this.#poll(signal));
    if (!update) return null;
    this.cursor = update.update_id + 1;
    const { message, callback_query: press } = update;
    if (press) {
      const [word, questionId = ''] = press.data.split(':');
      const chatId = `${press.message.chat.id}`;
      return { chatId, userId: `${press.from.id}`, message: '', answer: { questionId, approved: word === 'yes' } };
    }
    if (!message) return null;
    const { message_id: id, text, from, chat } = message;
    return { chatId: `${chat.id}`, userId: `${from.id}`, message: text, messageId: `${chat.id}/${id}` };
  }

  async sendMessage({ chatId }: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    await this.#call('sendMessage', { chat_id: Number(chatId), text: replyText(replyMessages) });
  }

  override async askApproval({ chatId }: MessageContext, { id, text }: Question): Promise<unknown> {
    const buttons = ['yes', 'no'].map((word) => ({ text: word, callback_data: `${word}:${id}` }));
    return this.#call('sendMessage', { chat_id: Number(chatId), text, reply_markup: { inline_keyboard: [buttons] } });
  }

  override async endQuestion({ chatId }: MessageContext, shown: unknown, text: string): Promise<void> {
    await this.#call('editMessageText', { chat_id: Number(chatId), message_id: (shown as { message_id: number }).message_id, text });
  }

  async #poll(signal: AbortSignal): Promise<Update | undefined> {
    this.#received = (await this.#call('getUpdates', { offset: this.cursor ?? 0, timeout: POLL_SECONDS }, signal)) as Update[];
    return this.#received.shift();
  }

  async #call(method: string, payload: object, signal: AbortSignal | null = null): Promise<unknown> {
    const answer = await fetch(`${this.#address}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      signal,
    });
    const { result, description } = (await answer.json()) as { result?: unknown; description?: string };
    if (!answer.ok) throw new Error(`${method} gave ${answer.status}: ${description}`);
    return result;
  }
}
