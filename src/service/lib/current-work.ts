/**
 * The request or frame that the event loop works on, so that a blocked event loop can be attributed. Of the process, as the event loop is.
 *
 * Cost: a mark reads the clock and assigns fields, so that each call can afford it.
 */
export interface WorkSpan {
  /** The path of a route. */
  route: string;
  /** Public id of a key, such as `key_5Qm…`; of an account for the admin API. Undefined for anyone. */
  keyId: string | undefined;
  ms: number;
}

export class CurrentWork {
  #route: string | undefined;
  #keyId: string | undefined;
  /** As `performance.now()`. */
  #since = 0;
  #longest: WorkSpan | undefined;

  /** Synchronous work begins for a caller. It lasts until the next mark or `take`. */
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
