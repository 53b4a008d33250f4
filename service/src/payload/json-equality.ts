/** Equality of JSON values with metered cost: an untrusted schema must not cause quadratic or unbounded work. */

import { isObject } from '#sdk/protocol/json-object';
import type { CheckMeter } from './check-meter';

/** The cost of adding a number to a Set. */
const UNITS_PER_ITEM = 6;

/** Returns whether a value is one of `allowed`. */
export function oneOfValues(allowed: readonly unknown[], meter: CheckMeter): (value: unknown) => boolean {
  const simple = new Set(allowed.filter((value) => !isContainer(value)));
  const containers = allowed.filter(isContainer);
  return (value) => {
    if (isContainer(value)) return containers.some((other) => sameJson(value, other, meter));
    if (typeof value === 'string') meter.spend(value.length >> 5);
    return simple.has(value);
  };
}

/** Returns whether no two items are equal. */
export function uniqueItems(meter: CheckMeter): (items: readonly unknown[]) => boolean {
  return (items) => {
    const seen = new Set<unknown>();
    for (const item of items) {
      meter.spend(UNITS_PER_ITEM);
      // Texts get quotes: an object must not equal a text with the same characters.
      seen.add(isContainer(item) || typeof item === 'string' ? canonical(item, meter) : item);
    }
    return seen.size === items.length;
  };
}

/** @param b a part of the schema, which is smaller than the payload */
function sameJson(a: unknown, b: unknown, meter: CheckMeter): boolean {
  meter.spend(1);
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i], meter));
  if (typeof a === 'string') meter.spend(a.length >> 5);
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(b);
  meter.spend(names.length);
  return names.length === meter.namesOf(a).length && names.every((name) => Object.hasOwn(a, name) && sameJson(a[name], b[name], meter));
}

/** A text that is equal for equal values only. */
function canonical(value: unknown, meter: CheckMeter): string {
  meter.spend(2);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, meter)).join()}]`;
  if (typeof value === 'string') meter.spend(value.length >> 4);
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value);
  // Sorting compares each name several times.
  for (const key of keys) meter.spend(2 + (key.length >> 3));
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], meter)}`)
    .join()}}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
