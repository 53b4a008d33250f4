/**
 * Counts the bytes of the frame that one socket has begun and not completed. `ws` keeps them in memory until the end of the frame, also those of
 * its fragments.
 *
 * Shape: chunks of the stream. A chunk in which a frame ends counts as nothing: what follows in it is at most 64 KiB.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { UnfinishedMessage, UnfinishedMessages } from '../lib/unfinished-messages';

export interface UnfinishedFrameOwner {
  /** The most bytes that a frame may have now. */
  maxBytes(): number;
  /** The frame has more than `maxBytes`. */
  tooLarge(maxBytes: number): void;
  /** All sockets together have too many bytes of unfinished frames, and this frame is the oldest large one. */
  refused(): void;
}

export class UnfinishedFrame {
  readonly #webSocket: WebSocket;
  readonly #all: UnfinishedMessages;
  readonly #owner: UnfinishedFrameOwner;
  #frame: UnfinishedMessage | undefined;
  #bytes = 0;
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
    this.#frame ??= this.#all.open(() => this.#owner.refused());
    this.#frame.add(bytes);
  }
}
