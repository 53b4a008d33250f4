/**
 * Limits the work and the time of one check. Schema and payload are untrusted: references that double, wide `anyOf`s over long lists and
 * large patterns over long texts could block the service for hours.
 *
 * Units:  one unit is some tens of nanoseconds of work, spent before or during the work, by the size of the value.
 * Time:   the clocks are read once per `UNITS_PER_LOOK`, so a cheap check never reads them. The time starts with the first reading and ends
 *         when both real time and processor time have passed, so that a suspended or starved process does not refuse a valid payload.
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
  /** Units until the clocks are read next. Compiled schemas subtract from `left`, and call `renew` below 0. */
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

  stop(): void {
    this.#listed = undefined;
  }

  /**
   * The names of an object's properties, cached for the last object: V8 takes up to half a microsecond per name of a large object, and a
   * schema may list the same object many times.
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

  /** Runs bounded work that is done once per schema, without using up the time of the check. */
  untimed<T>(work: () => T): T {
    const startedAt = performance.now();
    const result = work();
    if (this.#endsAt) this.#endsAt.realMs += performance.now() - startedAt;
    return result;
  }
}

/** Includes all threads of the process. */
function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
