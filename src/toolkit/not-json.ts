/**
 * The place where a value is not plain JSON, such as the `String` in `{city: String}`: a sentence, or undefined for plain JSON.
 * A property that is undefined counts as absent, as in JSON.
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
