/**
 * Counts the bytes of incomplete messages over all connections: request bodies, or frames of toolkits.
 *
 * Above `maxBytes` the oldest large message is refused: an honest message is complete within moments, so the oldest is rarely honest. Small
 * messages count and are never refused, so calls still pass.
 */
const LARGE_BYTES = 16 * 1024;
/** Memory overhead of a chunk. Without this constant, a million chunks of one byte would count as a megabyte. */
const CHUNK_BYTES = 256;

export interface UnfinishedMessage {
  /** Counts a chunk of so many bytes. */
  add(bytes: number): void;
  /** Call this when the message is complete, refused or abandoned. */
  close(): void;
}

export class UnfinishedMessages {
  readonly #maxBytes: number;
  #bytes = 0;
  /** Ordered by when each message became large. */
  readonly #large = new Set<Message>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param refuse is called at most once, after the message is closed. It may be called within `add`. */
  open(refuse: () => void): UnfinishedMessage {
    return new Message(this, refuse);
  }

  add(message: Message, bytes: number): void {
    this.#bytes += bytes;
    if (message.bytes > LARGE_BYTES) this.#large.add(message);
    while (this.#bytes > this.#maxBytes) {
      const [oldest] = this.#large;
      if (!oldest) return;
      oldest.close();
      oldest.refuse();
    }
  }

  remove(message: Message): void {
    this.#bytes -= message.bytes;
    this.#large.delete(message);
  }
}

class Message implements UnfinishedMessage {
  readonly refuse: () => void;
  readonly #all: UnfinishedMessages;
  #bytes = 0;
  #isOpen = true;

  constructor(all: UnfinishedMessages, refuse: () => void) {
    this.#all = all;
    this.refuse = refuse;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(bytes: number): void {
    if (!this.#isOpen) return;
    const counted = bytes + CHUNK_BYTES;
    this.#bytes += counted;
    this.#all.add(this, counted);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#all.remove(this);
  }
}
