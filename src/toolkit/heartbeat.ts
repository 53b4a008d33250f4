/**
 * Sends heartbeats to the service, one at a time.
 *
 * Units: `everyMs` in milliseconds: the interval, and the timeout of an answer.
 */
export interface HeartbeatPort {
  /** Sends one heartbeat. Call `answered` when its answer arrives. */
  beat(answered: () => void): void;
  /** Called when an answer did not arrive in time. */
  lost(): void;
}

export class Heartbeat {
  readonly #everyMs: number;
  readonly #port: HeartbeatPort;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beats = 0;
  /** Number of the unanswered heartbeat; 0 for none. */
  #inFlight = 0;
  #wantedAgain = false;
  #soon = false;
  #stopped = false;

  constructor(everyMs: number, port: HeartbeatPort) {
    this.#everyMs = everyMs;
    this.#port = port;
    this.#rest(everyMs);
  }

  /** Sends an early heartbeat: now, or right after the answer to the current one. */
  now(): void {
    if (this.#stopped) return;
    if (this.#inFlight) {
      this.#wantedAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#soon = false;
    const beat = ++this.#beats;
    this.#inFlight = beat;
    this.#wantedAgain = false;
    // A busy process runs its timers before it reads its sockets: setImmediate lets it read an answer that has arrived.
    this.#timer = setTimeout(() => setImmediate(() => this.#giveUp(beat)), this.#everyMs);
    this.#port.beat(() => this.#answered());
  }

  /** Sends a heartbeat within `ms`. Does nothing while one is unanswered; call again after its answer. */
  within(ms: number): void {
    if (this.#stopped || this.#inFlight || this.#soon) return;
    this.#soon = true;
    this.#rest(Math.min(ms, this.#everyMs));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #rest(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), ms);
  }

  #answered(): void {
    if (this.#stopped) return;
    this.#inFlight = 0;
    if (this.#wantedAgain) this.now();
    else this.#rest(this.#everyMs);
  }

  #giveUp(beat: number): void {
    if (this.#inFlight === beat && !this.#stopped) this.#port.lost();
  }
}
