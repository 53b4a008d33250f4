/**
 * Messages too large for NATS, held at their sender until their receivers have read them.
 *
 * Units:  bytes; milliseconds since a message was sent or last read.
 * Errors: a message that is dropped before a reader has all of it calls `onLost`.
 */
import type { Msg } from '@nats-io/transport-node';
import type { NatsInbox } from './nats-inbox';

const HOLD_MS = 10_000;
const MAX_HELD_BYTES = 512 * 1024 * 1024;

interface Held {
  token: string;
  subject: string;
  /** Undefined when dropped: later messages to the subject are still marked as following. */
  bytes: Buffer | undefined;
  readers: 'one' | 'any';
  wasRead: boolean;
  onLost: (() => void) | undefined;
  timer: NodeJS.Timeout;
}

export interface HoldOptions {
  /** `one`: the message is dropped as soon as it is read. */
  readers: 'one' | 'any';
  onLost?: (() => void) | undefined;
}

export class HeldMessages {
  readonly #inbox: NatsInbox;
  /** Answers a read with as many of the bytes as a NATS message holds, or with none. Returns how many. */
  readonly #answer: (to: string, bytes: Buffer) => number;
  readonly #held = new Set<Held>();
  /** Subject -> number of held messages that were sent to the subject lately. */
  readonly #subjects = new Map<string, number>();
  readonly #settled = new Set<() => void>();
  #bytes = 0;

  constructor(inbox: NatsInbox, answer: (to: string, bytes: Buffer) => number) {
    this.#inbox = inbox;
    this.#answer = answer;
  }

  /** Whether a held message was sent to the subject lately: its reader must not receive a later one first. */
  follows(subject: string): boolean {
    return this.#subjects.size > 0 && this.#subjects.has(subject);
  }

  hold(subject: string, bytes: Buffer, { readers, onLost }: HoldOptions): { token: string; drop: () => void } {
    const token = this.#inbox.open((message) => this.#read(held, message));
    const timer = setTimeout(() => this.#end(held), HOLD_MS).unref();
    const held: Held = { token, subject, bytes, readers, wasRead: false, onLost, timer };
    this.#held.add(held);
    this.#subjects.set(subject, (this.#subjects.get(subject) ?? 0) + 1);
    this.#bytes += bytes.length;
    this.#makeRoom();
    return { token, drop: () => this.#drop(held) };
  }

  /** Resolves when every held message has been read once. */
  async settled(): Promise<void> {
    while ([...this.#held].some(({ bytes, wasRead }) => bytes && !wasRead))
      await new Promise<void>((resolve) => this.#settled.add(resolve));
  }

  close(): void {
    for (const held of this.#held) {
      held.onLost = undefined;
      this.#end(held);
    }
  }

  #read(held: Held, message: Msg): void {
    const to = this.#inbox.replyTo(message);
    const offset = Number(message.string());
    if (to === '' || !Number.isSafeInteger(offset) || offset < 0) return;
    held.timer.refresh();
    const rest = held.bytes?.subarray(offset) ?? Buffer.alloc(0);
    if (this.#answer(to, rest) < rest.length || !held.bytes) return;
    held.wasRead = true;
    if (held.readers === 'one') this.#drop(held);
    this.#notifySettled();
  }

  #makeRoom(): void {
    for (const held of this.#held) {
      if (this.#bytes <= MAX_HELD_BYTES) return;
      this.#lose(held);
    }
  }

  #end(held: Held): void {
    clearTimeout(held.timer);
    this.#lose(held);
    this.#held.delete(held);
    this.#inbox.close(held.token);
    const count = (this.#subjects.get(held.subject) ?? 0) - 1;
    if (count > 0) this.#subjects.set(held.subject, count);
    else this.#subjects.delete(held.subject);
  }

  #lose(held: Held): void {
    if (!held.bytes) return;
    this.#drop(held);
    if (!held.wasRead) held.onLost?.();
  }

  #drop(held: Held): void {
    this.#bytes -= held.bytes?.length ?? 0;
    held.bytes = undefined;
    this.#notifySettled();
  }

  #notifySettled(): void {
    for (const resolve of this.#settled) resolve();
    this.#settled.clear();
  }
}
