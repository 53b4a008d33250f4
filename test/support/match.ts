/** The patterns of test/vectors/README.md: `$any`, `$string`, `$number`, `$x1000`, and names that bind. */
import { expect } from 'vitest';

export type Bindings = Map<string, unknown>;

/** `$x1000`: a thousand times the letter x, for texts that are too long for a file. */
const LONG_TEXT = /^x(\d+)$/;
const PATTERN = /"\$(\w+)"/g;
const DEFAULT_NUMBER = 10_000;

/** Fails with the place where the two differ. Objects may hold more keys than expected. */
export function expectMatch(actual: unknown, expected: unknown, bindings: Bindings, path = ''): void {
  if (typeof expected === 'string' && expected.startsWith('$')) return matchPattern(actual, expected.slice(1), bindings, path);
  if (Array.isArray(expected)) {
    expect(actual, path).toBeInstanceOf(Array);
    expect(actual, path).toHaveLength(expected.length);
    expected.forEach((item, index) => expectMatch((actual as unknown[])[index], item, bindings, `${path}/${index}`));
  } else if (typeof expected === 'object' && expected !== null) {
    expect(typeof actual === 'object' && !Array.isArray(actual) ? actual : null, path).not.toBeNull();
    for (const [key, value] of Object.entries(expected))
      expectMatch((actual as Record<string, unknown>)[key], value, bindings, `${path}/${key}`);
  } else {
    expect(actual, path).toEqual(expected);
  }
}

function matchPattern(actual: unknown, name: string, bindings: Bindings, path: string): void {
  if (name === 'any') return expect(actual, path).toBeDefined();
  if (name === 'string' || name === 'number') return expect(actual, path).toBeTypeOf(name);
  const longText = readLongText(name);
  // Not `toBe`, which would print megabytes.
  if (longText !== undefined) return expect(actual === longText, path).toBe(true);
  expect(actual, path).toBeDefined();
  if (!bindings.has(name)) bindings.set(name, actual);
  expect(actual, path).toEqual(bindings.get(name));
}

/** @param pointers JSON Pointers of members that must not be there */
export function expectAbsent(actual: unknown, pointers: readonly string[] = [], path = ''): void {
  for (const pointer of pointers) {
    const value = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], actual);
    expect(value, `${path}${pointer}`).toBeUndefined();
  }
}

/** The text to send: bound names become their values. */
export function fillIn(value: unknown, bindings: Bindings): unknown {
  if (typeof value === 'string') {
    const name = value.startsWith('$') ? value.slice(1) : '';
    if (bindings.has(name)) return bindings.get(name);
    return readLongText(name) ?? value.replaceAll(/\$(\w+)/g, (all, part) => (bindings.has(part) ? String(bindings.get(part)) : all));
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, bindings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, bindings)]));
}

/** The same without a pattern left: a name without a value is bound to itself. */
export function fillInAll(value: unknown, bindings: Bindings): unknown {
  for (const [, name = ''] of (JSON.stringify(value) ?? '').matchAll(PATTERN)) {
    if (!bindings.has(name) && !LONG_TEXT.test(name)) bindings.set(name, name === 'number' ? DEFAULT_NUMBER : name);
  }
  return fillIn(value, bindings);
}

function readLongText(name: string): string | undefined {
  const length = LONG_TEXT.exec(name)?.[1];
  return length === undefined ? undefined : 'x'.repeat(Number(length));
}
