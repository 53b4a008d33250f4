/**
 * Equality of JSON values without the quadratic and unbounded work that a stranger's schema could ask for.
 */

import { isObject } from '../../protocol/json-object';
import type { CheckMeter } from './check-meter';

/** Returns whether a value is one of `allowed`. */
export function oneOfValues(allowed: readonly unknown[], meter: CheckMeter): (value: unknown) => boolean {
  const simple = new Set(allowed.filter((value) => !isContainer(value)));
  const containers = allowed.filter(isContainer);
  return (value) => {
    if (!isContainer(value)) return simple.has(value);
    return containers.some((other) => {
      meter.spend(1);
      return sameJson(value, other);
    });
  };
}

/** Returns whether no two items are equal. */
export function uniqueItems(meter: CheckMeter): (items: readonly unknown[]) => boolean {
  return (items) => {
    const seen = new Set<unknown>();
    for (const item of items) {
      // An object and a text with the same characters are two different things, hence the list around the text.
      seen.add(isContainer(item) ? canonical(item, meter) : typeof item === 'string' ? JSON.stringify(item) : item);
    }
    return seen.size === items.length;
  };
}

function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}

/** Equal for equal values only. */
function canonical(value: unknown, meter: CheckMeter): string {
  meter.spend(1);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, meter)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key], meter)}`).join()}}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
