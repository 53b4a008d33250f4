/**
 * Forbidden parts of JSON from outside: nesting that overflows a stack further on, keys named `__proto__`, which turn into a prototype
 * as soon as code assigns them, and numbers that lose digits.
 */
import { ExactNumber } from '../../protocol/exact-number';
import { isObject } from '../../protocol/json-object';
import { below } from './json-pointer';

/** Undefined for good JSON; else where the fault is, as a JSON Pointer, and what it is. */
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
