/** A real agent on a real service, with a model of the test's words and a client in the test's hands. */
import { BaseClient, type Message, type MessageContext, replyText } from 'svc-sdk/agent';

/** A client whose platform is two lists. A message stays until the cursor has passed it, as on a real platform. */
export class PipeClient extends BaseClient {
  readonly clientId: string;
  readonly #incoming: MessageContext[];
  readonly sent: { chatId: string; text: string; replyMessages: readonly Message[] }[] = [];
  #came: (() => void) | undefined;

  constructor(clientId = 'pipe', incoming: MessageContext[] = []) {
    super();
    this.clientId = clientId;
    this.#incoming = incoming;
  }

  /** A person writes. */
  say(message: string, ctx: Partial<MessageContext> = {}): void {
    this.#incoming.push({ chatId: 'chat', userId: 'ann', messageId: `m${this.#incoming.length + 1}`, message, ...ctx });
    this.#came?.();
  }

  texts(chatId = 'chat'): string[] {
    return this.sent.filter((one) => one.chatId === chatId).map(({ text }) => text);
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    const next = typeof this.cursor === 'number' ? this.cursor : 0;
    if (next >= this.#incoming.length) {
      await new Promise<void>((resolve) => {
        this.#came = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    const ctx = this.#incoming[next];
    if (!ctx || signal.aborted) return null;
    this.cursor = next + 1;
    return structuredClone(ctx);
  }

  async sendMessage(ctx: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    this.sent.push({ chatId: ctx.chatId, text: replyText(replyMessages), replyMessages });
  }
}
