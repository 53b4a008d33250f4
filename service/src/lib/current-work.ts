/**
 * The request or frame that the event loop processes now, so that a log line can name the cause of a block. One per process, as the event
 * loop.
 *
 * Cost: a mark only reads the clock and assigns fields, cheap enough for each call.
 */
export interface WorkSpan {
  /** The path of a route. */
  route: string;
  /** Public id of the key, such as `key_5Qm…`, or of the account for the admin API. Undefined without authentication. */
  keyId: string | undefined;
  ms: number;
}

export class CurrentWork {
  #route: string | undefined;
  #keyId: string | undefined;
  /** As `performance.now()`. */
  #since = 0;
  #longest: WorkSpan | undefined;

  /** Marks the start of synchronous work for a caller. The work ends at the next mark or `take`. */
  mark(route: string, keyId: string | undefined): void {
    const now = performance.now();
    if (this.#route !== undefined && now - this.#since > (this.#longest?.ms ?? 0))
      this.#longest = { route: this.#route, keyId: this.#keyId, ms: now - this.#since };
    this.#route = route;
    this.#keyId = keyId;
    this.#since = now;
  }

  /** Returns the longest work since the last `take`. */
  take(): WorkSpan | undefined {
    if (this.#route === undefined) return undefined;
    this.mark(this.#route, this.#keyId);
    const longest = this.#longest;
    this.#route = undefined;
    this.#longest = undefined;
    return longest;
  }
}

export const currentWork: CurrentWork = new CurrentWork();
