/** Faults for later requests. */
import type { FakeFault } from './fake-platform';

export class Faults {
  readonly #waiting: { fault: FakeFault; left: number }[] = [];

  add(fault: FakeFault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  /** Returns the oldest matching fault and uses up one of its times. */
  take(fits: (fault: FakeFault) => boolean): FakeFault | undefined {
    const found = this.#waiting.find(({ fault }) => fits(fault));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#waiting.splice(this.#waiting.indexOf(found), 1);
    return found.fault;
  }

  /** Skips faults of a gateway's connection. */
  takeForRequest(path: string): FakeFault | undefined {
    return this.take(
      ({ on = '', close, op, silent }) => path.endsWith(on) && close === undefined && op === undefined && silent === undefined,
    );
  }
}
