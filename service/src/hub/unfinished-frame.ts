/**
 * Counts the bytes of the incomplete frame of one socket. `ws` keeps a frame with all its fragments in memory until the frame is complete.
 *
 * Node reads up to 2 MiB of a socket before it reads the next socket, so hundreds of sockets could exceed the common limit before the first
 * is refused. A socket with an incomplete frame therefore reads at most 256 KiB in one turn of the event loop.
 *
 * Shape: chunks of the stream. A chunk in which a frame ends is not counted: the rest of the chunk is at most 64 KiB.
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
  /** The incomplete frames of all sockets have too many bytes, and this frame is the oldest large one. */
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

  /** Call this after `ws` listens on the stream, so that its listener handles each chunk first. */
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
