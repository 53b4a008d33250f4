export type JsonObject = Record<string, unknown>;

/** True for what JSON calls an object, and for an Error: not for null, arrays and functions. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
