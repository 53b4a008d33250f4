/**
 * `Retry-After`: RFC 9110, sections 10.2.3 and 5.6.7.
 *
 * Shape: whole seconds, or a date in one of three forms. Anything else, such as `-5` or `1.5`, counts as absent.
 * Units: milliseconds from now.
 */
const DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d\d(\d\d)? \d\d:\d\d:\d\d GMT$/;
/** Longer waits are cut: 68 years. */
const MAX_SECONDS = 2 ** 31;
/** The form of C's `asctime`, which names no zone. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

export function readRetryAfter(header: string | null | undefined): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return 1_000 * Math.min(Number(text), MAX_SECONDS);
  const date = DATE.test(text) ? text : ASCTIME.test(text) ? `${text} GMT` : '';
  const ms = Date.parse(date) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
