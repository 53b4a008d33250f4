/**
 * The move to another node that the service asked for, make before break: while this opens a second connection, again and again until one is
 * open, the first goes on serving.
 *
 * Units:  milliseconds.
 * Errors: none; until `cancel` every try that fails is followed by another.
 * Source: docs/protocol.md section 6, "Moving".
 */
import type { SvcError } from '../protocol/errors';
import { Backoff } from './backoff';
import type { ServiceConnection } from './service-connection';
import { LONGEST_TIMER_MS } from './timers';

export class Move {
  readonly #open: () => ServiceConnection;
  readonly #random: () => number;
  readonly #backoff: Backoff;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #opening: ServiceConnection | undefined;

  constructor(open: () => ServiceConnection, random: () => number) {
    this.#open = open;
    this.#random = random;
    this.#backoff = new Backoff(random);
  }

  /** Nothing when a move is under way. */
  begin(withinMs: number): void {
    if (!this.#timer && !this.#opening) this.#tryIn(this.#random() * Math.min(withinMs, LONGEST_TIMER_MS));
  }

  /** The connection that was being opened is the session's now. */
  arrived(): void {
    this.#opening = undefined;
    this.#backoff.reset();
  }

  /** A connection that is not the session's has closed. */
  closed(connection: ServiceConnection, { retryAfterMs }: SvcError): void {
    // A refused key too: the serving connection gets that error itself.
    if (connection === this.#opening) this.#tryIn(this.#backoff.nextMs(retryAfterMs));
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#opening?.retire();
    this.arrived();
  }

  #tryIn(ms: number): void {
    this.#opening = undefined;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#opening = this.#open();
    }, ms);
  }
}
