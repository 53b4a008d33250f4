/** Reads JSON of unknown shape. */
type Members = Readonly<Record<string, unknown>>;

/** The members of an object; `{}` for any other value. */
export function objectMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
