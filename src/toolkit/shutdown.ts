/**
 * Implements `stop()`: asks the service to stop sending invocations, waits for the handlers and for the confirmation of their results, and
 * ends.
 *
 * Units: milliseconds.
 */
import type { Invocations } from './invocations';

export interface StopOptions {
  /** Milliseconds that running handlers have. Then their signals abort, and a second later they are given up. Default: unlimited. */
  timeoutMs?: number | undefined;
}

export interface ShutdownTimes {
  deliveryMs?: number;
  giveUpMs?: number;
}

export interface ShutdownPort {
  /** Sends `drain` if the toolkit is registered now. */
  drain(drained: () => void): void;
  /** False while a connected service has not confirmed the drain, since it may send more invocations. */
  canEnd(drained: boolean): boolean;
  /** Requests the confirmation of results. */
  confirm(): void;
  end(): void;
}

/** Time for the result of the last handler to arrive. The service waits 5 s for a lost instance. */
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

  /** Call this when the connection is lost, which ends the drain. */
  suspend(): void {
    this.#drained = false;
  }

  /** Ends when every handler has ended, every result has arrived, and the service sends no more invocations. */
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
