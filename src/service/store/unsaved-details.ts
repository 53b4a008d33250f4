/**
 * Details of calls that the database does not have yet.
 *
 * Units: the bound is in UTF-16 units of all texts; while it is reached, what is new is left out, and counted.
 */
import type { InvocationDetails } from './console-store';

const MAX_CHARS = 32 * 1024 * 1024;

export class UnsavedDetails {
  readonly #details = new Map<string, InvocationDetails>();
  readonly #onError: (error: unknown) => void;
  #chars = 0;
  #leftOut = 0;

  /** @param onError hears how many were left out, when there is room again */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  get size(): number {
    return this.#details.size;
  }

  get(id: string): InvocationDetails | undefined {
    return this.#details.get(id);
  }

  put(details: InvocationDetails): void {
    this.#drop(details.id);
    if (this.#chars >= MAX_CHARS) {
      this.#leftOut++;
      return;
    }
    this.#details.set(details.id, details);
    this.#chars += charsOf(details);
  }

  all(): InvocationDetails[] {
    return [...this.#details.values()];
  }

  /** The database has these now; what was replaced meanwhile is still to be saved. */
  saved(details: readonly InvocationDetails[]): void {
    for (const saved of details) if (this.#details.get(saved.id) === saved) this.#drop(saved.id);
    if (this.#leftOut === 0) return;
    this.#onError(new Error(`${this.#leftOut} calls have no details: the database could not take them for too long`));
    this.#leftOut = 0;
  }

  #drop(id: string): void {
    const known = this.#details.get(id);
    if (!known) return;
    this.#details.delete(id);
    this.#chars -= charsOf(known);
  }
}

function charsOf({ id, timeline, payload, result }: InvocationDetails): number {
  return id.length + timeline.length + (payload?.length ?? 0) + (result?.length ?? 0);
}
