/**
 * The stdin and stdout of a process with JSON-RPC, one message a line. Reading pauses until the earlier messages are handled, and each message
 * waits for its turn.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { MessageLines } from './message-lines';
import { type TurnStep, turns } from './turns';

export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** A server that reads this little gets no more answers to its requests. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export interface PipeEvents {
  /** Returns the message of a line; undefined for any other text. */
  parse(line: string): JSONRPCMessage | undefined;
  onMessage(message: JSONRPCMessage): void;
  onFault(error: Error): void;
  /** Called when all messages are handled after `end`. */
  onEnd(): void;
}

export class MessagePipes {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #events: PipeEvents;
  readonly #lines = new MessageLines(MAX_MESSAGE_BYTES);
  /** A chunk of stdout is read, and the stream is paused. */
  #isReading = false;
  /** The previous message was a notification, maybe in the same turn. */
  #hasNotified = false;
  /** A message for the next turn. */
  #held: JSONRPCMessage | undefined;
  #isOver = false;
  #isStopped = false;
  #drained: Promise<void> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, events: PipeEvents) {
    this.#child = child;
    this.#events = events;
    const { stdin, stdout } = child;
    stdout.on('data', (chunk: Buffer) => {
      if (!this.#isStopped) this.#read(chunk);
    });
    // The process may exit without reading its stdin.
    stdin.on('error', () => {});
  }

  get isWritable(): boolean {
    return this.#child.stdin.writable;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child;
    // A server that sends requests and reads no answers would fill the memory.
    if (!('method' in message) && stdin.writableLength > MAX_UNREAD_BYTES) return;
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    this.#drained ??= new Promise<void>((resolve) => stdin.once('drain', resolve).once('close', resolve)).finally(() => {
      this.#drained = undefined;
    });
    await this.#drained;
  }

  /** The streams are closed: no further message arrives. */
  end(): void {
    this.#isOver = true;
    if (!this.#isReading) this.#events.onEnd();
  }

  /** Discards further messages, so that the process can write its output and exit. */
  stop(): void {
    this.#isStopped = true;
    this.#child.stdout.resume();
  }

  /** Most chunks have one message, which is handled at once. */
  #read(chunk: Buffer): void {
    this.#isReading = true;
    this.#lines.push(chunk);
    const goesOn = this.#step();
    if (goesOn && !this.#lines.hasUnread) this.#readOn();
    else if (goesOn) turns.add(this.#step);
    // One chunk at a time, as backpressure on a server that floods.
    if (this.#isReading) this.#child.stdout.pause();
  }

  readonly #step: TurnStep = () => {
    if (this.#isStopped) return this.#readOn();
    try {
      return this.#handleLine();
    } catch (error) {
      this.#events.onFault(error as Error);
      return this.#readOn();
    }
  };

  /** True if another line may be readable in this turn. */
  #handleLine(): boolean {
    const held = this.#held;
    this.#held = undefined;
    if (held) return this.#deliver(held);
    const line = this.#lines.next();
    if (line === undefined) return this.#readOn();
    if (line.trim() === '') return true;
    const message = this.#events.parse(line);
    return message ? this.#deliver(message) : true;
  }

  /** The client reads a notification a few microtasks later: an answer that overtakes progress would lose it. */
  #deliver(message: JSONRPCMessage): boolean {
    const isNotification = !('id' in message);
    if (this.#hasNotified && !isNotification) {
      this.#hasNotified = false;
      this.#held = message;
      turns.add(this.#step);
      return false;
    }
    this.#hasNotified = isNotification;
    this.#events.onMessage(message);
    return true;
  }

  #readOn(): false {
    this.#isReading = false;
    if (this.#isOver) this.#events.onEnd();
    else if (this.#child.stdout.isPaused()) this.#child.stdout.resume();
    return false;
  }
}
