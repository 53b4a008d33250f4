/**
 * Turns any return value of a handler into JSON text.
 *
 * Shape:  as `JSON.stringify`, and besides: bigint -> its digits as a text; Map -> object, or pairs when a key is an object; Set -> array;
 *         bytes (Buffer, Uint8Array, ArrayBuffer, DataView) -> base64; other typed arrays -> array; Error -> `{name, message}`;
 *         undefined, functions and symbols -> null where `JSON.stringify` gives nothing at all; in a value that refers to itself,
 *         what was written already -> `[Circular]`.
 * Errors: throws ActionError INVALID_RESULT for a value whose own code (`toJSON`, a getter) throws, or with more than 500 levels.
 */
import { ActionError } from './action-error';

const MAX_DEPTH = 500;

export function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(plainOrCircular(value)) ?? 'null';
  } catch (error) {
    if (error instanceof ActionError) throw error;
    throw new ActionError('INVALID_RESULT', `The result cannot be written as JSON: ${error instanceof Error ? error.message : 'it threw'}`);
  }
}

/** Circles are looked for only where the depth makes one likely: most results have none, and are spared the work. */
function plainOrCircular(value: unknown): unknown {
  try {
    return plain(value, { depth: 0 });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  try {
    return plain(value, { depth: 0, written: new Set() });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    throw new ActionError('INVALID_RESULT', `The result is nested deeper than ${MAX_DEPTH} levels; give back a flatter one`);
  }
}

class TooDeep extends Error {}

interface Place {
  depth: number;
  /** The objects that were written, where circles are looked for. Each is written once: the paths through a graph have no end. */
  written?: Set<object>;
}

/** Gives the value itself when `JSON.stringify` will write it right: most results are copied nowhere. */
function plain(value: unknown, place: Place): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const { depth, written } = place;
  if (depth > MAX_DEPTH) throw new TooDeep();
  if (written?.has(value)) return '[Circular]';
  written?.add(value);
  place.depth += 1;
  const result = plainInside(value, place);
  place.depth = depth;
  return result;
}

function plainInside(value: object, place: Place): unknown {
  if (Array.isArray(value)) return plainArray(value, place);
  const instead = standIn(value);
  return instead === value ? plainObject(value, place) : plain(instead, place);
}

function plainArray(items: readonly unknown[], place: Place): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = plain(items[index], place);
    if (copy) copy.push(item);
    else if (!Object.is(item, items[index])) copy = [...items.slice(0, index), item];
  }
  return copy ?? items;
}

function plainObject(value: object, place: Place): object {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const before = value[key as keyof typeof value];
    const after = plain(before, place);
    if (Object.is(after, before)) continue;
    copy ??= { ...value };
    copy[key] = after;
  }
  return copy ?? value;
}

/** The replacement of a special object; a plain one is itself. */
function standIn(value: object): unknown {
  if (value instanceof Map) return fromMap(value);
  if (value instanceof Set) return [...value];
  // Before `toJSON`: that of a Buffer writes every byte as a number.
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) return fromView(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value;
}

function fromMap(map: ReadonlyMap<unknown, unknown>): unknown {
  for (const key of map.keys()) if (typeof key === 'object' || typeof key === 'symbol') return [...map];
  // No prototype: a key `__proto__` is a key like any other.
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of map) object[String(key)] = value;
  return object;
}

function fromView(view: ArrayBufferView): unknown {
  const isBytes = view instanceof Uint8Array || view instanceof Uint8ClampedArray || view instanceof DataView;
  if (isBytes) return base64(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return Array.from(view as unknown as Iterable<unknown>);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
