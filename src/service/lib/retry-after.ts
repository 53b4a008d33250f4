/** Milliseconds in a `Retry-After` header, which has seconds or a date: RFC 9110, section 10.2.3. Undefined for anything else. */
export function readRetryAfter(text: string): number | undefined {
  const ms = /^\d+$/.test(text) ? 1_000 * Number(text) : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
