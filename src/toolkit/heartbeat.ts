/**
 * Asks again and again whether the service is there, one question at a time.
 *
 * Units: `everyMs` in milliseconds; also how long an answer may take.
 */
export interface HeartbeatPort {
  /** Sends one heartbeat; `answered` is called when its answer came. */
  beat(answered: () => void): void;
  /** No answer came in time. */
  lost(): void;
}

export class Heartbeat {
  readonly #everyMs: number;
  readonly #port: HeartbeatPort;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beats = 0;
  /** Number of the beat that waits for its answer; 0 when none does. */
  #inFlight = 0;
  #wantedAgain = false;
  #soon = false;
  #stopped = false;

  constructor(everyMs: number, port: HeartbeatPort) {
    this.#everyMs = everyMs;
    this.#port = port;
    this.#rest(everyMs);
  }

  /** Early: now, or as soon as the one under way is answered. */
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
    // A busy process runs its timers before it reads its sockets: an answer that is there already counts.
    this.#timer = setTimeout(() => setImmediate(() => this.#giveUp(beat)), this.#everyMs);
    this.#port.beat(() => this.#answered());
  }

  /** Within `ms`, unless one is under way: what it does not cover is to be asked for again after its answer. */
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
