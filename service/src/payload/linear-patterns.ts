/**
 * Regular expressions in linear time: RE2 instead of JavaScript's engine, which some patterns slow down exponentially.
 *
 * A pattern that RE2 cannot run (look-ahead, back-reference) or that needs too large a program matches every text: agents see the pattern,
 * but it is not checked (docs/protocol.md, section 8).
 */
import type { RegExpEngine, RegExpLike } from 'ajv/dist/types';
import { RE2JS } from 're2js';
import type { CheckMeter } from './check-meter';
import { TimedText } from './timed-text';

/**
 * Limit of estimated instructions of all patterns of one schema. An instruction takes 1 to 3 µs to compile and some hundred bytes of
 * memory.
 */
export const MAX_PROGRAM = 30_000;
/** RE2 compiles `\p{…}` to a table. */
const PROGRAM_OF_TABLE = 500;
/** RE2 looks up each character of a range that ignores case. */
const PROGRAM_OF_FOLDED_RANGE = 2_000;
/** Characters times instructions below which any test ends within some milliseconds. */
const QUICK_TEST = 100_000;

/** True when the text is a regular expression for JavaScript or for RE2. */
export function isPattern(text: string): boolean {
  return isRegExp(text, '') || isRegExp(text, 'u') || toRe2(text) !== undefined;
}

/** Estimated instructions that `isPattern` compiles; 0 for a JavaScript pattern, which is only parsed. */
export function costOfIsPattern(text: string): number {
  return isRegExp(text, '') ? 0 : estimatedProgram(text);
}

/** Estimated instructions of a pattern that RE2 runs, up to `MAX_PROGRAM`; undefined for any other text. */
export function costOfLinearPattern(pattern: string): number | undefined {
  const cost = estimatedProgram(pattern);
  return cost <= MAX_PROGRAM && toRe2(pattern) ? cost : undefined;
}

/** Returns an engine for the patterns of one schema. Tests spend units of `meter`. */
export function linearPatterns(meter: CheckMeter): RegExpEngine & ((pattern: string) => RegExpLike) {
  let room = MAX_PROGRAM;
  const known = new Map<string, RegExpLike>();
  const newPattern = (pattern: string): RegExpLike => {
    room -= estimatedProgram(pattern);
    return room < 0 ? new UncheckedPattern(pattern, meter) : new LinearPattern(pattern, meter);
  };
  const engine = (pattern: string): RegExpLike => {
    const found = known.get(pattern) ?? newPattern(pattern);
    known.set(pattern, found);
    return found;
  };
  // Ajv uses `code` only for standalone code, which is not generated here.
  return Object.assign(engine, { code: 'linearPatterns' });
}

/** Ajv caches patterns by their text, so `toString` must return the pattern. */
class UncheckedPattern implements RegExpLike {
  readonly #pattern: string;
  protected readonly meter: CheckMeter;

  constructor(pattern: string, meter: CheckMeter) {
    this.#pattern = pattern;
    this.meter = meter;
  }

  test(_text: string): boolean {
    this.meter.spend(1);
    return true;
  }

  toString(): string {
    return this.#pattern;
  }
}

class LinearPattern extends UncheckedPattern {
  /** Compiled at the first test; null when RE2 cannot run the pattern. */
  #compiled: { re2: RE2JS; size: number } | null | undefined;

  override test(text: string): boolean {
    if (this.#compiled === undefined) {
      const re2 = this.meter.untimed(() => toRe2(this.toString()));
      this.#compiled = re2 ? { re2, size: re2.programSize() } : null;
    }
    if (this.#compiled === null) return super.test(text);
    const { re2, size } = this.#compiled;
    const steps = text.length * size;
    this.meter.spend(1 + Math.ceil(steps / 64));
    // TypeScript's `string` is too narrow here: RE2JS takes String objects.
    return re2.test(steps < QUICK_TEST ? text : (new TimedText(text, size, this.meter) as unknown as string));
  }
}

function toRe2(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined; // outside of RE2's syntax
  }
}

/** An upper bound of the size, from RE2's repetitions: at most 1000 copies, nested ones multiplied. */
function estimatedProgram(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Math.max(Number(from), Number(to || 0)));
  const tables = pattern.match(/\\p/gi)?.length ?? 0;
  const foldedRanges = /\(\?[a-z]*i/i.test(pattern) ? (pattern.match(/-(?:\P{ASCII}|\\[ux])/gu)?.length ?? 0) : 0;
  const repeatsGroup = /\)\{\d/.test(pattern);
  const copies = repeatsGroup
    ? pattern.length *
      Math.min(
        1_000,
        counts.reduce((product, count) => product * Math.max(count, 1), 1),
      )
    : 2 * counts.reduce((sum, count) => sum + Math.min(count, 1_000), 0);
  return pattern.length + copies + tables * PROGRAM_OF_TABLE + foldedRanges * PROGRAM_OF_FOLDED_RANGE;
}

function isRegExp(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
