/**
 * Counts the bytes of the frame that one socket has begun and not completed. `ws` keeps them in memory until the end of the frame, also those of
 * its fragments.
 *
 * Node would read 2 MiB of each socket before it looks at the next one, and hundreds of sockets would have read far more than all may hold before the
 * first is refused. So a socket with an unfinished frame reads little in one turn of the event loop.
 *
 * Shape: chunks of the stream. A chunk in which a frame ends counts as nothing: what follows in it is at most 64 KiB.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { UnfinishedMessage, UnfinishedMessages } from '../lib/unfinished-messages';

const TURN_BYTES = 256 * 1024;

export interface UnfinishedFrameOwner {
  /** The most bytes that a frame may have now. */
  maxBytes(): number;
  /** The frame has more than `maxBytes`. */
  tooLarge(maxBytes: number): void;
  /** The socket has read enough for this turn of the event loop. */
  readMuch(): void;
  /** All sockets together have too many bytes of unfinished frames, and this frame is the oldest large one. */
  refused(): void;
}

export class UnfinishedFrame {
  readonly #webSocket: WebSocket;
  readonly #all: UnfinishedMessages;
  readonly #owner: UnfinishedFrameOwner;
  #frame: UnfinishedMessage | undefined;
  #bytes = 0;
  #turnBytes = 0;
  #hasEnded = false;

  /** Call this after `ws` has the stream: its listener handles each chunk first. */
  constructor({ webSocket, stream }: { webSocket: WebSocket; stream: Duplex }, all: UnfinishedMessages, owner: UnfinishedFrameOwner) {
    this.#webSocket = webSocket;
    this.#all = all;
    this.#owner = owner;
    webSocket.on('message', () => this.#ended());
    webSocket.once('close', () => this.#ended());
    stream.on('data', (chunk: Buffer) => this.#read(chunk.length));
  }

  #ended(): void {
    this.#frame?.close();
    this.#frame = undefined;
    this.#bytes = 0;
    this.#hasEnded = true;
  }

  #read(bytes: number): void {
    // A socket that is closing drops what it reads.
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return this.#ended();
    const isCounted = !this.#hasEnded;
    this.#hasEnded = false;
    if (!isCounted) return;
    this.#bytes += bytes;
    const maxBytes = this.#owner.maxBytes();
    if (this.#bytes > maxBytes) return this.#owner.tooLarge(maxBytes);
    this.#countTurn(bytes);
    this.#frame ??= this.#all.open(() => this.#owner.refused());
    this.#frame.add(bytes);
  }

  #countTurn(bytes: number): void {
    this.#turnBytes += bytes;
    if (this.#turnBytes < TURN_BYTES) return;
    this.#turnBytes = 0;
    this.#owner.readMuch();
  }
}
