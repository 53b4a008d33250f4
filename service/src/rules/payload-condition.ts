/**
 * The condition of a payload test on one value. Texts compare in Unicode's form NFC.
 *
 * Doubt: a rule that denies or asks also matches a value that its condition cannot compare, and one that a toolkit may take for a matching value: a
 *        number as text, or a value inside a list or an object. A rule that allows matches exact values only.
 */
import type { PayloadTest } from '#sdk/protocol/rules';
import type { CheckMeter } from '../payload/check-meter';
import { oneOfValues } from '../payload/json-equality';
import type { linearPatterns } from '../payload/linear-patterns';
import { childrenOf } from './places';

export type Condition = (value: unknown) => boolean;
export type Patterns = ReturnType<typeof linearPatterns>;

type Meter = Pick<CheckMeter, 'spend'>;

/** The values of a rule need no meter: their size is limited. */
const UNMETERED: Meter = { spend: () => {} };

export interface ConditionDeps {
  meter: CheckMeter;
  patterns: Patterns;
  /** Whether doubt makes the condition true. */
  inDoubt: boolean;
}

export function compileCondition(
  { is, in: list, above, below, matches }: PayloadTest,
  { meter, patterns, inDoubt }: ConditionDeps,
): Condition {
  if (above !== undefined) return compares((number) => number > above, inDoubt, meter);
  if (below !== undefined) return compares((number) => number < below, inDoubt, meter);
  if (matches !== undefined) {
    const pattern = patterns(matches);
    const test = (text: string) => pattern.test(text);
    return inDoubt
      ? anyScalar((value) => test(textOf(value, meter)), meter)
      : (value) => typeof value === 'string' && test(nfc(value, meter));
  }
  const values = list ?? [is];
  return inDoubt ? resembles(values, meter) : equals(values, meter);
}

function compares(compare: (number: number) => boolean, inDoubt: boolean, meter: CheckMeter): Condition {
  if (!inDoubt) return (value) => typeof value === 'number' && compare(value);
  return (value) => {
    const number = typeof value === 'string' ? numberIn(value, meter) : value;
    return typeof number !== 'number' || compare(number);
  };
}

function equals(values: readonly unknown[], meter: CheckMeter): Condition {
  const isOneOf = oneOfValues(
    values.map((value) => withNfc(value, UNMETERED)),
    meter,
  );
  return (value) => isOneOf(withNfc(value, meter));
}

function resembles(values: readonly unknown[], meter: CheckMeter): Condition {
  const isEqual = equals(values, meter);
  const texts = new Set(values.filter((value) => !isContainer(value)).map((value) => comparableText(value, UNMETERED)));
  const hasText = anyScalar((value) => texts.has(comparableText(value, meter)), meter);
  return (value) => isEqual(value) || (texts.size > 0 && hasText(value));
}

/** Whether `test` is true for a value, or for one inside a list or an object. */
function anyScalar(test: Condition, meter: CheckMeter): Condition {
  const condition: Condition = (value) => (isContainer(value) ? childrenOf(value, meter).some(condition) : test(value));
  return condition;
}

/** The same text for a number and for a text of that number. */
function comparableText(value: unknown, meter: Meter): string {
  const text = textOf(value, meter);
  return String(numberIn(text, meter) ?? text);
}

/** JSON's form, which no toolkit reads in another way. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function numberIn(text: string, meter: Meter): number | undefined {
  meter.spend(1 + (text.length >> 4));
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number(trimmed) : undefined;
}

function textOf(value: unknown, meter: Meter): string {
  return nfc(String(value), meter);
}

function nfc(text: string, meter: Meter): string {
  meter.spend(1 + (text.length >> 2));
  return text.normalize('NFC');
}

/** The names of members stay, since a name in another form is another member. */
function withNfc(value: unknown, meter: Meter): unknown {
  if (typeof value === 'string') return nfc(value, meter);
  if (!isContainer(value)) return value;
  const children = childrenOf(value, meter).map((child) => withNfc(child, meter));
  if (Array.isArray(value)) return children;
  return Object.fromEntries(Object.keys(value).map((name, index) => [name, children[index]]));
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
