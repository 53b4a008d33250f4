/** Reads JSON whose shape nobody has checked. */
type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none for any other value. */
export function objectMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
