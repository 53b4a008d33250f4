/**
 * Limits the event-loop time for the frames of one toolkit key.
 *
 * Shape: one share for all sockets of a key. After 8 ms of their frames, these sockets are not read until the next turn of the event loop.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';

/** Frames in the same 64 KiB chunk as the frame that uses up the share are still handled. */
const SHARE_MS = 8;
/** Frames of one chunk are microseconds apart. The work of `ws` in shorter gaps, such as answering a ping, counts too. */
const MAX_GAP_MS = 0.1;
/**
 * A request that takes longer than the share is followed by a pause of so many times its duration, so that a series of such requests leaves
 * most of the time to other work.
 */
const PAUSE_SHARE = 4;

type Socket = Pick<WebSocket, 'pause' | 'resume'>;

export class ReadShare {
  /** Socket -> number of holds that stop its reading. */
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
   * Handles a frame and counts the time.
   *
   * @param work returns whether the frame is a request
   */
  handle(work: () => boolean): void {
    const begin = performance.now();
    // After a longer gap between frames, the event loop had time for other work.
    const gapMs = begin - this.#spentUntil;
    if (gapMs > SHARE_MS) this.#spentMs = 0;
    else if (gapMs < MAX_GAP_MS) this.#spentMs += gapMs;
    const isRequest = work();
    this.#spentUntil = performance.now();
    const tookMs = this.#spentUntil - begin;
    this.#spentMs += tookMs;
    if (this.#spentMs > SHARE_MS) this.#pause(isRequest && tookMs > SHARE_MS ? PAUSE_SHARE * tookMs : 0);
  }

  /** Stops reading this socket until `release`. */
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

  /** Resolves when the sockets are read again and all frames that had arrived are handled. */
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
