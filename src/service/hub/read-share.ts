/**
 * The share of the event loop that the frames of one toolkit key get: its sockets are read no faster than their frames are handled.
 *
 * Shape: one for all sockets of a key. When their frames have taken 8 ms, none of them is read until the next turn of the event loop.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';

/** Frames of the same 64 KiB as the one that ends the share are still handled. */
const SHARE_MS = 8;
/** Frames of one chunk follow each other within microseconds. The work of `ws` between them, such as answering a ping, counts. */
const MAX_GAP_MS = 0.1;
/** A request that takes longer than the whole share to read is followed by a pause, so that a series of them leaves most of the time to others. */
const PAUSE_SHARE = 4;

type Socket = Pick<WebSocket, 'pause' | 'resume'>;

export class ReadShare {
  /** Sockets, with the number of reasons why each is not read. */
  readonly #sockets = new Map<Socket, number>();
  #spentMs = 0;
  #spentUntil = 0;
  #isPaused = false;
  #resumed = Promise.resolve();

  add(socket: Socket): void {
    this.#sockets.set(socket, 0);
    if (this.#isPaused) this.hold(socket);
  }

  remove(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  /**
   * Handles a frame, and counts its time.
   *
   * @param work returns whether the frame is a request
   */
  handle(work: () => boolean): void {
    const begin = performance.now();
    // A pause in the traffic means that the event loop had time for others.
    const gapMs = begin - this.#spentUntil;
    if (gapMs > SHARE_MS) this.#spentMs = 0;
    else if (gapMs < MAX_GAP_MS) this.#spentMs += gapMs;
    const isRequest = work();
    this.#spentUntil = performance.now();
    const tookMs = this.#spentUntil - begin;
    this.#spentMs += tookMs;
    if (this.#spentMs > SHARE_MS) this.#pause(isRequest && tookMs > SHARE_MS ? PAUSE_SHARE * tookMs : 0);
  }

  /** Stops reading this socket until `release`, also where the others go on. */
  hold(socket: Socket): void {
    const reasons = this.#sockets.get(socket);
    if (reasons === undefined) return;
    this.#sockets.set(socket, reasons + 1);
    if (reasons === 0) socket.pause();
  }

  release(socket: Socket): void {
    const reasons = this.#sockets.get(socket);
    if (reasons === undefined) return;
    this.#sockets.set(socket, reasons - 1);
    if (reasons === 1) socket.resume();
  }

  /** Resolves when the sockets are read again, and what had come by then is handled. */
  async caughtUp(): Promise<void> {
    if (this.#isPaused) await this.#resumed;
    await nextTurn();
    await nextTurn();
  }

  #pause(ms: number): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    for (const socket of this.#sockets.keys()) this.hold(socket);
    const resume = () => {
      this.#isPaused = false;
      this.#spentMs = 0;
      for (const socket of this.#sockets.keys()) this.release(socket);
    };
    this.#resumed = (ms > 0 ? sleep(ms) : nextTurn()).then(resume);
  }
}
