/**
 * Turns any return value of a handler into JSON text.
 *
 * Shape:  as `JSON.stringify`, and besides: bigint -> its digits as a text; Map -> object, or pairs when a key is an object; Set -> array;
 *         bytes (Buffer, Uint8Array, ArrayBuffer, DataView) -> base64; other typed arrays -> array; Error -> `{name, message}`; undefined,
 *         functions and symbols -> null where `JSON.stringify` writes nothing; in a value with cycles, an object that was written already
 *         -> `[Circular]`.
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

/** Detects cycles only for values that are nested too deep, since most results have no cycle. */
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
    throw new ActionError('INVALID_RESULT', `The result is nested deeper than ${MAX_DEPTH} levels; return a flatter one`);
  }
}

class TooDeep extends Error {}

interface Place {
  depth: number;
  /** The objects written so far, when cycles are detected. Each object is written once, since a graph has unlimited paths. */
  written?: Set<object>;
}

/** Returns the value itself if `JSON.stringify` can write it, so that most results are not copied. */
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

/** The replacement of a special object; a plain object is returned unchanged. */
function standIn(value: object): unknown {
  if (value instanceof Map) return fromMap(value);
  if (value instanceof Set) return [...value];
  // Before `toJSON`: `Buffer.toJSON` writes every byte as a number.
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) return fromView(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  if (value instanceof Error) return { name: value.name, message: value.message };
  return value;
}

function fromMap(map: ReadonlyMap<unknown, unknown>): unknown {
  for (const key of map.keys()) if (typeof key === 'object' || typeof key === 'symbol') return [...map];
  // The object has no prototype, so that `__proto__` is an ordinary key.
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
