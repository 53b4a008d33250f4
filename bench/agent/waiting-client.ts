/** A client within the process: a question waits for its answer. */
import { BaseClient, type Message, type MessageContext, replyText } from 'svc-sdk/agent';

export class WaitingClient extends BaseClient {
  readonly clientId = 'waiting';
  readonly #incoming: MessageContext[] = [];
  readonly #answers = new Map<string, (text: string) => void>();
  #came: (() => void) | undefined;
  #count = 0;

  ask(message: string, chatId = 'chat'): Promise<string> {
    const messageId = `m${this.#count++}`;
    return new Promise((resolve) => {
      this.#answers.set(messageId, resolve);
      this.#incoming.push({ chatId, userId: 'ann', message, messageId });
      this.#came?.();
    });
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    if (this.#incoming.length === 0) {
      await new Promise<void>((resolve) => {
        this.#came = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return this.#incoming.shift() ?? null;
  }

  async sendMessage({ messageId = '' }: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    this.#answers.get(messageId)?.(replyText(replyMessages));
    this.#answers.delete(messageId);
  }
}
