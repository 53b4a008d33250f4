/**
 * Moves to another node when the service asks. The current connection serves until a second connection is open (make before break).
 *
 * Units:  milliseconds.
 * Errors: none. Failed attempts are retried until `cancel`.
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

  /** Does nothing during a move. */
  begin(withinMs: number): void {
    if (!this.#timer && !this.#opening) this.#tryIn(this.#random() * Math.min(withinMs, LONGEST_TIMER_MS));
  }

  /** Call this when the session uses the new connection. */
  arrived(): void {
    this.#opening = undefined;
    this.#backoff.reset();
  }

  /** Call this when a connection that the session does not use has closed. */
  closed(connection: ServiceConnection, { retryAfterMs }: SvcError): void {
    // Retries a refused key too: the serving connection reports the refusal.
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
