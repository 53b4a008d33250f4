/**
 * Describes the first part of a value that is not plain JSON, such as `String` in `{city: String}`; undefined for plain JSON. Undefined
 * properties count as absent, as in JSON.
 */
const MAX_DEPTH = 500;

export function notJson(value: unknown, path = '', depth = 0): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return undefined;
  if (typeof value !== 'object') return `${path} is ${typeof value === 'number' ? value : `a ${typeof value}`}`;
  if (depth > MAX_DEPTH) return `it refers to itself, or is nested deeper than ${MAX_DEPTH} levels`;
  const prototype = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return `${path} is a ${prototype.constructor?.name ?? 'class instance'}`;
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !Array.isArray(value)) continue;
    const problem = notJson(item, `${path}/${key}`, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}
