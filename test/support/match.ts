/** The patterns of test/vectors/README.md: `$any`, `$string`, `$number`, and names that bind. */
import { expect } from 'vitest';

export type Bindings = Map<string, unknown>;

/** Fails with the place where the two differ. Objects may hold more keys than expected. */
export function expectMatch(actual: unknown, expected: unknown, bindings: Bindings, path = ''): void {
  if (typeof expected === 'string' && expected.startsWith('$')) return matchPattern(actual, expected.slice(1), bindings, path);
  if (Array.isArray(expected)) {
    expect(actual, path).toBeInstanceOf(Array);
    expect(actual, path).toHaveLength(expected.length);
    expected.forEach((item, index) => expectMatch((actual as unknown[])[index], item, bindings, `${path}/${index}`));
  } else if (typeof expected === 'object' && expected !== null) {
    expect(actual, path).toBeTypeOf('object');
    for (const [key, value] of Object.entries(expected))
      expectMatch((actual as Record<string, unknown> | null)?.[key], value, bindings, `${path}/${key}`);
  } else {
    expect(actual, path).toEqual(expected);
  }
}

function matchPattern(actual: unknown, name: string, bindings: Bindings, path: string): void {
  if (name === 'any') return expect(actual, path).toBeDefined();
  if (name === 'string' || name === 'number') return expect(actual, path).toBeTypeOf(name);
  expect(actual, path).toBeDefined();
  if (!bindings.has(name)) bindings.set(name, actual);
  expect(actual, path).toEqual(bindings.get(name));
}

/** The text to send: bound names become their values. */
export function fillIn(value: unknown, bindings: Bindings): unknown {
  if (typeof value === 'string') {
    if (value.startsWith('$') && bindings.has(value.slice(1))) return bindings.get(value.slice(1));
    return value.replaceAll(/\$(\w+)/g, (all, name) => (bindings.has(name) ? String(bindings.get(name)) : all));
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, bindings));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, bindings)]));
}
