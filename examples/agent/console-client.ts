/**
 * A client of one's own: a chat in the terminal.
 *
 * In a terminal, lines can be typed while the agent works (`/stop`). Input from a pipe is read line by line, each after the reply to the one before.
 */
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { BaseClient, type Message, type MessageContext, messageText, readImageDataUrl, replyImages, replyText } from 'svc-sdk/agent';

const MAX_CHARS = 160;

export class ConsoleClient extends BaseClient {
  readonly clientId = 'console';
  readonly #isTerminal = process.stdin.isTTY === true;
  #input: Interface | undefined;
  #lines: AsyncIterator<string> | undefined;
  /** The line that is being waited for: a `receiveMessage` that ended early must not lose it. */
  #next: Promise<IteratorResult<string>> | undefined;
  #replied = Promise.withResolvers<void>();
  #ended = Promise.withResolvers<void>();

  constructor() {
    super();
    this.#replied.resolve();
  }

  /** Resolves at the end of the input: Ctrl-D, Ctrl-C, or the end of the pipe. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    this.#input = createInterface({ input: process.stdin, output: process.stdout, terminal: this.#isTerminal, prompt: '\nyou> ' });
    this.#input.on('SIGINT', () => this.#input?.close());
    this.#lines = this.#input[Symbol.asyncIterator]();
    this.#prompt();
  }

  async stop(): Promise<void> {
    this.#input?.close();
  }

  async receiveMessage({ signal }: { signal: AbortSignal }): Promise<MessageContext | null> {
    const received = new AbortController();
    const stopped = once(signal, 'abort', { signal: received.signal }).then(
      () => undefined,
      () => undefined,
    );
    try {
      const line = await Promise.race([this.#nextLine(), stopped]);
      if (!line) return null;
      this.#next = undefined;
      if (line.done) {
        this.#ended.resolve();
        await stopped;
        return null;
      }
      const message = line.value.trim();
      if (message === '') {
        this.#prompt();
        return null;
      }
      if (!this.#isTerminal) console.log(`\nyou> ${message}`);
      this.#replied = Promise.withResolvers<void>();
      return { chatId: 'terminal', userId: 'you', message };
    } finally {
      received.abort();
    }
  }

  /** Prints the tool calls with their results, and the reply. */
  async sendMessage(_ctx: MessageContext, replyMessages: readonly Message[]): Promise<void> {
    for (const message of replyMessages) {
      for (const { function: called } of message.tool_calls ?? []) console.log(`  → ${called?.name} ${shorten(called?.arguments ?? '')}`);
      if (message.role === 'tool') console.log(`  ← ${shorten(messageText(message))}`);
    }
    for (const image of replyImages(replyMessages)) console.log(`  [an image of ${readImageDataUrl(image)?.bytes.length ?? 0} bytes]`);
    console.log(`\nagent> ${replyText(replyMessages).trim()}`);
    this.#replied.resolve();
    this.#prompt();
  }

  override async setTyping(): Promise<void> {
    if (this.#isTerminal) process.stdout.write('…\n');
  }

  async #nextLine(): Promise<IteratorResult<string> | undefined> {
    if (!this.#isTerminal) await this.#replied.promise;
    this.#next ??= this.#lines?.next();
    return this.#next;
  }

  #prompt(): void {
    if (this.#isTerminal) this.#input?.prompt();
  }
}

function shorten(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
