import type { CheckMeter } from './check-meter';

/** Steps of a pattern, or compared characters, between two readings of the clocks: about a millisecond. */
const STEPS_PER_LOOK = 50_000;

/**
 * A text that checks the time while a pattern reads it: a large pattern over a long text can run for seconds.
 *
 * Source: RE2JS reads texts and String objects with `charCodeAt`, and finds fixed parts of a pattern with `indexOf`.
 */
export class TimedText extends String {
  readonly #text: string;
  readonly #meter: CheckMeter;
  readonly #readsPerLook: number;
  #reads = 0;

  /** @param stepsPerRead the most steps that the pattern takes for one character */
  constructor(text: string, stepsPerRead: number, meter: CheckMeter) {
    super(text);
    this.#text = text;
    this.#meter = meter;
    this.#readsPerLook = Math.ceil(STEPS_PER_LOOK / stepsPerRead);
  }

  override charCodeAt(index: number): number {
    if (++this.#reads > this.#readsPerLook) {
      this.#reads = 0;
      this.#meter.lookAtClocks();
    }
    return this.#text.charCodeAt(index);
  }

  /** Searches in slices, because in the worst case V8 compares a long `part` at each position. */
  override indexOf(part: string, position = 0): number {
    const slice = Math.ceil(STEPS_PER_LOOK / Math.max(part.length, 1));
    for (let from = position; from + part.length <= this.#text.length; from += slice) {
      const found = this.#text.slice(from, from + slice - 1 + part.length).indexOf(part);
      if (found !== -1) return from + found;
      this.#meter.lookAtClocks();
    }
    return -1;
  }
}
