/**
 * The places of a payload to which a JSON Pointer with `*` leads. `*` matches every item of a list and every member of an object.
 *
 * Cost: metered, since a payload may hold many items.
 */
import type { CheckMeter } from '../payload/check-meter';

type Test = (value: unknown) => boolean;

/** Whether one of the places exists and passes `test`. */
export function somePlace(value: unknown, steps: readonly string[], test: Test, meter: CheckMeter, at = 0): boolean {
  const step = steps[at];
  if (step === undefined) return test(value);
  if (step === '*') return childrenOf(value, meter).some((child) => somePlace(child, steps, test, meter, at + 1));
  return has(value, step) && somePlace(value[step], steps, test, meter, at + 1);
}

/** Whether there is a place, each of them exists, and each passes `test`. */
export function everyPlace(value: unknown, steps: readonly string[], test: Test, meter: CheckMeter, at = 0): boolean {
  const step = steps[at];
  if (step === undefined) return test(value);
  if (step !== '*') return has(value, step) && everyPlace(value[step], steps, test, meter, at + 1);
  const children = childrenOf(value, meter);
  return children.length > 0 && children.every((child) => everyPlace(child, steps, test, meter, at + 1));
}

/** The items of a list, the values of an object; none of any other value. */
export function childrenOf(value: unknown, meter: Pick<CheckMeter, 'spend'>): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  meter.spend(1 + children.length);
  return children;
}

function has(value: unknown, step: string): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  // A list has a `length` too.
  return Object.hasOwn(value, step) && !(Array.isArray(value) && step === 'length');
}
