/**
 * The stdin and stdout of a process that speaks JSON-RPC, one message a line. Nothing more is read until the messages before are handled, and a message
 * has to wait for its turn.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { MessageLines } from './message-lines';
import { type TurnStep, turns } from './turns';

export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** A server that reads so little gets no more answers to its own requests. */
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
  /** A chunk of stdout is read, and the stream paused. */
  #isReading = false;
  /** The message before was a notification, maybe of the same turn. */
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
    // A process may end without reading its stdin.
    stdin.on('error', () => {});
  }

  get isWritable(): boolean {
    return this.#child.stdin.writable;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child;
    // A server that asks and asks, and reads none of the answers, would fill the memory.
    if (!('method' in message) && stdin.writableLength > MAX_UNREAD_BYTES) return;
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    this.#drained ??= new Promise<void>((resolve) => stdin.once('drain', resolve).once('close', resolve)).finally(() => {
      this.#drained = undefined;
    });
    await this.#drained;
  }

  /** The streams are closed: no more will come. */
  end(): void {
    this.#isOver = true;
    if (!this.#isReading) this.#events.onEnd();
  }

  /** Further messages are left out, so that the process can write what it has and end. */
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
    // One chunk at a time: a server that floods waits for its pipe.
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

  /** Whether there may be another line to read in this turn. */
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

  /** The client reads a notification a few microtasks later: progress would be lost when the answer overtook it. */
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
