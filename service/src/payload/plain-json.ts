/**
 * Finds forbidden parts of untrusted JSON: nesting that could overflow a stack, keys named `__proto__`, which become a prototype when code
 * assigns them, and numbers that lose digits.
 */
import { ExactNumber } from '#sdk/protocol/exact-number';
import { isObject } from '#sdk/protocol/json-object';
import { below } from './json-pointer';

/** The JSON Pointer and kind of the first fault; undefined for valid JSON. */
export function jsonFault(value: unknown, maxDepth: number): { path: string; fault: 'depth' | 'name' | 'number' } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof ExactNumber) return { path: '', fault: 'number' };
  if (maxDepth < 1) return { path: '', fault: 'depth' };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const found = jsonFault(value[i], maxDepth - 1);
      if (found) return { ...found, path: below('', i) + found.path };
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const key in value) {
    const found = key === '__proto__' ? ({ path: '', fault: 'name' } as const) : jsonFault(value[key], maxDepth - 1);
    if (found) return { ...found, path: below('', key) + found.path };
  }
  return undefined;
}
