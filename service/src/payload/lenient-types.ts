/**
 * Repairs of values whose type the schema refused: docs/protocol.md, section 5, slips 4 and 5.
 *
 * Only a lossless text is read as a number or a boolean: `"3"`, `"-0.5"`, `"2e3"`, `"true"`, `"True"`; never `"12345678901234567890"`,
 * `"1,5"`, `""`. The property of a refused `null` is left out, unless the schema requires the property.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject, type JsonObject } from '#sdk/protocol/json-object';
import type { CheckMeter } from './check-meter';
import { shorten } from './in-words';
import { below, stepsOf, valueAt } from './json-pointer';
import type { LinkedNode } from './linked-schema';

/** The longest lossless text of a number: 324 zeros, then 15 digits. */
const MAX_NUMBER_CHARS = 400;

type Nodes = ReadonlyMap<unknown, LinkedNode>;

export type Repair = ReadText | LeftOutNull;

interface ReadText {
  /** JSON Pointer. */
  path: string;
  text: string;
  value: number | boolean;
}

interface LeftOutNull {
  /** JSON Pointer of a property. */
  path: string;
}

/** The repairs that would fix `errors`, at most one per path. */
export function repairsFor(payload: JsonObject, errors: readonly ErrorObject[], nodes: Nodes): Repair[] {
  const found = new Map<string, Repair>();
  const otherForms = new Set(
    errors.filter((error) => isTag(error) && wantedValue(error) === undefined).map((error) => branchOf(error, nodes)),
  );
  for (const error of errors) {
    const { instancePath: path, data: text } = error;
    const value = wantedValue(error);
    const isNull = isRefusedNull(error, payload);
    const branch = branchOf(error, nodes);
    // Skips forms of a union whose tag (`kind: {const: "circle"}`) differs: the payload means another form.
    if ((value === undefined && !isNull) || found.has(path) || (branch && otherForms.has(branch))) continue;
    if (valueAt(payload, path) === text) found.set(path, value === undefined ? { path } : { path, text: text as string, value });
  }
  return [...found.values()];
}

/** The repairs that left out a required property, according to `errors`. */
export function requiredNulls(repairs: readonly Repair[], errors: readonly ErrorObject[]): Repair[] {
  const missing = new Set(
    errors.flatMap(({ instancePath, params: { missingProperty } }) =>
      typeof missingProperty === 'string' ? [below(instancePath, missingProperty)] : [],
    ),
  );
  return repairs.filter((repair) => !('value' in repair) && missing.has(repair.path));
}

/** Returns a repaired copy. Parts without a repair are shared with the original. */
export function withRepairs(payload: JsonObject, repairs: readonly Repair[], meter: CheckMeter): JsonObject {
  const copies = new Map<object, object>();
  const copyOf = <T extends object>(original: T): T => {
    const known = copies.get(original);
    if (known) return known as T;
    const copy = Array.isArray(original) ? [...original] : { ...original };
    meter.spend(Array.isArray(original) ? original.length >> 3 : 4 * Object.keys(original).length);
    copies.set(original, copy);
    copies.set(copy, copy);
    return copy as T;
  };
  const root = copyOf(payload);
  for (const repair of repairs) {
    const steps = stepsOf(repair.path);
    const last = steps.pop() as string;
    let at: JsonObject = root;
    for (const step of steps) {
      const next = copyOf(at[step] as JsonObject);
      at[step] = next;
      at = next;
    }
    if ('value' in repair) at[last] = repair.value;
    else delete at[last];
  }
  return root;
}

export function describeRepair(repair: Repair): string {
  const place = shorten(repair.path, 300);
  if (!('value' in repair)) return `${place}: it takes no null, so the optional property was left out`;
  return `${place}: the text ${shorten(JSON.stringify(repair.text), 60)} was read as the ${typeof repair.value} ${repair.value}`;
}

/** A property can be left out, an item of a list cannot. */
function isRefusedNull({ keyword, data, instancePath: path, propertyName }: ErrorObject, payload: JsonObject): boolean {
  if (data !== null || propertyName !== undefined || !['type', 'enum', 'const'].includes(keyword)) return false;
  return isObject(valueAt(payload, path.slice(0, path.lastIndexOf('/'))));
}

/** Undefined when the text is not a number or boolean that the schema accepts. */
function wantedValue({ keyword, schema, data, propertyName }: ErrorObject): number | boolean | undefined {
  if (typeof data !== 'string' || propertyName !== undefined) return undefined;
  const read = readNumber(data) ?? readBoolean(data);
  if (read === undefined) return undefined;
  if (keyword === 'type') return [schema].flat().some((type) => isOfType(read, type)) ? read : undefined;
  if (keyword === 'enum') return (schema as unknown[]).includes(read) ? read : undefined;
  return keyword === 'const' && schema === read ? read : undefined;
}

function isOfType(value: number | boolean, type: unknown): boolean {
  return type === typeof value || (type === 'integer' && Number.isInteger(value));
}

function readNumber(text: string): number | undefined {
  if (text.length > MAX_NUMBER_CHARS) return undefined;
  const parts = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE][+-]?\d+)?$/.exec(text);
  if (!parts) return undefined;
  const value = Number(text);
  const digits = `${parts[1]}${parts[2] ?? ''}`.replace(/^0+/, '');
  if (value === 0) return digits === '' ? 0 : undefined;
  const isExact = digits.length <= 15 || (Number.isSafeInteger(value) && String(value) === text);
  return Number.isFinite(value) && isExact ? value : undefined;
}

function readBoolean(text: string): boolean | undefined {
  if (/^true$/i.test(text)) return true;
  return /^false$/i.test(text) ? false : undefined;
}

function isTag({ keyword }: ErrorObject): boolean {
  return keyword === 'const' || keyword === 'enum';
}

/** The form of an `anyOf` or `oneOf` in which the error occurred. */
function branchOf(error: ErrorObject, nodes: Nodes): LinkedNode | undefined {
  let node = nodes.get(error.parentSchema);
  while (node && !node.isBranch) node = isObject(node.holder) ? nodes.get(node.holder) : undefined;
  return node;
}
