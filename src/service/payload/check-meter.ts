/**
 * Bounds what one check may cost, in work and in time. Schema and payload come from strangers: without a bound, references that double, wide
 * `anyOf`s over long lists and large patterns over long texts would hold the service for hours.
 *
 * Units:  one unit is some tens of nanoseconds of work, charged before or while the work is done, by the size of the value.
 * Time:   the clocks are read once for each `UNITS_PER_LOOK`, so a cheap check never reads them. The time begins with the first look. It is over
 *         when as much of real time and of the processor's time has passed: a process that was frozen or starved refuses no good payload.
 * Errors: throws `CheckTooCostly`.
 */
const MAX_CHECK_MS = 50;
const MAX_UNITS = 5_000_000;
const UNITS_PER_NAME = 2;
const UNITS_PER_LOOK = 50_000;

export class CheckTooCostly extends Error {
  override readonly name = 'CheckTooCostly';
}

export class CheckMeter {
  /** Units until the next look at the clocks. Compiled schemas subtract from it, and call `renew` when it is below 0. */
  left = 0;
  /** Units beyond `left`. */
  #rest = 0;
  #listed: { object: object; names: readonly string[] } | undefined;
  #endsAt: { realMs: number; cpuMs: number } | undefined;

  start(): void {
    this.left = UNITS_PER_LOOK;
    this.#rest = MAX_UNITS - UNITS_PER_LOOK;
    this.#endsAt = undefined;
  }

  /** Lets go of the payload. */
  stop(): void {
    this.#listed = undefined;
  }

  /**
   * The names of an object's properties. V8 takes up to half a microsecond to list one name of a large object, in one go: a schema that looks at
   * the same object again and again gets the same list.
   */
  namesOf(object: object): readonly string[] {
    if (this.#listed?.object !== object) this.#listed = { object, names: Object.keys(object) };
    this.spend(UNITS_PER_NAME * this.#listed.names.length);
    return this.#listed.names;
  }

  spend(units: number): void {
    this.left -= units;
    if (this.left < 0) this.renew();
  }

  renew(): void {
    this.lookAtClocks();
    const missing = UNITS_PER_LOOK - this.left;
    if (missing - UNITS_PER_LOOK > this.#rest) throw new CheckTooCostly();
    const granted = Math.min(missing, this.#rest);
    this.left += granted;
    this.#rest -= granted;
  }

  lookAtClocks(): void {
    const realMs = performance.now();
    this.#endsAt ??= { realMs: realMs + MAX_CHECK_MS, cpuMs: usedCpuMs() + MAX_CHECK_MS };
    if (realMs > this.#endsAt.realMs && usedCpuMs() > this.#endsAt.cpuMs) throw new CheckTooCostly();
  }

  /** Runs work that is done once for a schema, and bounded there: it takes nothing of the payload's time. */
  untimed<T>(work: () => T): T {
    const startedAt = performance.now();
    const result = work();
    if (this.#endsAt) this.#endsAt.realMs += performance.now() - startedAt;
    return result;
  }
}

/** All threads of the process together. */
function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
