/**
 * Regular expressions in linear time: RE2 instead of the engine of JavaScript, whose time some patterns let explode.
 *
 * A pattern that RE2 cannot run (look-ahead, back-reference) or that would need too large a program matches everything: it is shown to
 * agents and not checked (docs/protocol.md, section 8).
 */
import type { RegExpEngine, RegExpLike } from 'ajv/dist/types';
import { RE2JS } from 're2js';
import type { CheckMeter } from './check-meter';

/** Instructions of all patterns of one schema together, estimated: some hundred bytes of memory each. */
const MAX_PROGRAM = 50_000;

/** True when the text is a regular expression for JavaScript or for RE2. */
export function isPattern(text: string): boolean {
  return isRegExp(text, 'u') || isRegExp(text, '') || toRe2(text) !== undefined;
}

/** Patterns of one schema. Their cost counts against `meter`. */
export function linearPatterns(meter: CheckMeter): RegExpEngine & ((pattern: string) => RegExpLike) {
  let room = MAX_PROGRAM;
  const engine = (pattern: string): RegExpLike => {
    room -= estimatedProgram(pattern);
    return room < 0 ? new UncheckedPattern(pattern) : new LinearPattern(pattern, meter);
  };
  // Ajv writes this only into standalone code, which is never made here.
  return Object.assign(engine, { code: 'linearPatterns' });
}

/** Ajv keeps patterns by their text, so each needs its own. */
class UncheckedPattern implements RegExpLike {
  readonly #pattern: string;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  test(_text: string): boolean {
    return true;
  }

  toString(): string {
    return this.#pattern;
  }
}

class LinearPattern extends UncheckedPattern {
  readonly #meter: CheckMeter;
  /** Compiled at the first text; null when RE2 cannot run it. */
  #compiled: { re2: RE2JS; costPerChar: number } | null | undefined;

  constructor(pattern: string, meter: CheckMeter) {
    super(pattern);
    this.#meter = meter;
  }

  override test(text: string): boolean {
    if (this.#compiled === undefined) {
      const re2 = toRe2(this.toString());
      this.#compiled = re2 ? { re2, costPerChar: re2.programSize() / 16 } : null;
    }
    if (this.#compiled === null) return true;
    this.#meter.spend(1 + Math.ceil(text.length * this.#compiled.costPerChar));
    return this.#compiled.re2.test(text);
  }
}

function toRe2(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return undefined; // outside of RE2's syntax
  }
}

/** An upper bound of the size, from RE2's repetitions (at most 1000 copies, nested ones multiplied) and of a `\p{…}`, which has a table. */
function estimatedProgram(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].map(([, from, to]) => Math.max(Number(from), Number(to || 0)));
  const tables = pattern.match(/\\p/gi)?.length ?? 0;
  const repeatsGroup = /\)\{\d/.test(pattern);
  const copies = repeatsGroup
    ? pattern.length *
      Math.min(
        1_000,
        counts.reduce((product, count) => product * Math.max(count, 1), 1),
      )
    : 2 * counts.reduce((sum, count) => sum + Math.min(count, 1_000), 0);
  return pattern.length + copies + tables * 500;
}

function isRegExp(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
