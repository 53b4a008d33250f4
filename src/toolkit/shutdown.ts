/**
 * `stop()`: asks the service for no new invocations, waits for the handlers, has their results confirmed, and ends.
 *
 * Units: milliseconds.
 */
import type { Invocations } from './invocations';

export interface StopOptions {
  /** Milliseconds that running handlers have; then their signals abort, and soon after they are given up. Default: until they end. */
  timeoutMs?: number | undefined;
}

export interface ShutdownTimes {
  deliveryMs?: number;
  giveUpMs?: number;
}

export interface ShutdownPort {
  /** Sends `drain`, if the service can be asked now. */
  drain(drained: () => void): void;
  /** False while a connected service has not confirmed the drain: it may send more. */
  canEnd(drained: boolean): boolean;
  /** Asks for the confirmation of results. */
  confirm(): void;
  end(): void;
}

/** Time after the last handler ended for its result to arrive. The service keeps a place for a lost instance for 5 s. */
const DELIVERY_MS = 10_000;
/** Time for handlers to end after their signals were aborted. */
const GIVE_UP_MS = 1_000;

export class Shutdown {
  readonly #invocations: Invocations;
  readonly #port: ShutdownPort;
  readonly #times: ShutdownTimes;
  #begun = false;
  #drained = false;
  #deliveryTimer: ReturnType<typeof setTimeout> | undefined;
  #handlerTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(invocations: Invocations, port: ShutdownPort, times: ShutdownTimes) {
    this.#invocations = invocations;
    this.#port = port;
    this.#times = times;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** May be called again with another `timeoutMs`. */
  begin({ timeoutMs }: StopOptions): void {
    if (timeoutMs !== undefined) {
      clearTimeout(this.#handlerTimer);
      this.#handlerTimer = setTimeout(() => this.#abortHandlers(), timeoutMs);
    }
    if (this.#begun) return;
    this.#begun = true;
    this.drain();
    this.advance();
  }

  drain(): void {
    this.#port.drain(() => {
      this.#drained = true;
      this.advance();
    });
  }

  /** The connection is gone, and the drain with it. */
  suspend(): void {
    this.#drained = false;
  }

  /** Ends as soon as every handler has ended, every result has arrived, and the service sends no more. */
  advance(): void {
    if (!this.#begun) return;
    const { busy, hasUndelivered } = this.#invocations;
    if (busy) {
      clearTimeout(this.#deliveryTimer);
      this.#deliveryTimer = undefined;
    } else if (hasUndelivered || !this.#port.canEnd(this.#drained)) {
      this.#deliveryTimer ??= setTimeout(() => this.#port.end(), this.#times.deliveryMs ?? DELIVERY_MS);
      if (hasUndelivered) this.#port.confirm();
    } else this.#port.end();
  }

  close(): void {
    clearTimeout(this.#deliveryTimer);
    clearTimeout(this.#handlerTimer);
  }

  #abortHandlers(): void {
    this.#invocations.abortAll('The toolkit stops');
    this.#handlerTimer = setTimeout(() => this.#invocations.giveUp(), this.#times.giveUpMs ?? GIVE_UP_MS);
  }
}
