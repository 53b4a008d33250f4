/**
 * Bounds what one check may cost. Schema and payload come from strangers: without a bound, references that double, wide `anyOf`s over long
 * lists and large patterns over long texts would hold the service for seconds.
 *
 * Units:  one unit is some tens of nanoseconds. The bound grows with the size of the payload and with nothing else.
 * Errors: throws `CheckTooCostly`.
 */
const FREE_UNITS = 1_000_000;
const UNITS_PER_BYTE = 4;

export class CheckTooCostly extends Error {
  override readonly name = 'CheckTooCostly';
}

export class CheckMeter {
  /** Compiled schemas take from it directly, and call `exhausted` when it is below 0. */
  left = 0;
  #payload: unknown;
  #extended = false;

  start(payload: unknown): void {
    this.left = FREE_UNITS;
    this.#payload = payload;
    this.#extended = false;
  }

  stop(): void {
    this.#payload = undefined;
  }

  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) this.exhausted();
  }

  /** The size of the payload is counted only for the few checks that need it. */
  exhausted(): void {
    if (!this.#extended) {
      this.#extended = true;
      this.left += UNITS_PER_BYTE * roughBytes(this.#payload);
    }
    if (this.left < 0) throw new CheckTooCostly();
  }
}

function roughBytes(payload: unknown): number {
  let bytes = 0;
  const open = [payload];
  while (open.length > 0) {
    const value = open.pop();
    bytes += 4;
    if (typeof value === 'string') bytes += value.length;
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        bytes += key.length + 2;
        open.push(item);
      }
    }
  }
  return bytes;
}
