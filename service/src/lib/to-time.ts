/** Milliseconds since the epoch as ISO 8601 in UTC, which is RFC 3339 too. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
