/** Milliseconds since the epoch in base 36: nine digits until the year 5188, so that texts sort as times. */
const TIME_DIGITS = 9;

/** What ids of calls that begin at this time begin with, in milliseconds since the epoch: no id of that time or later comes before it. */
export function firstIdAt(time: number): string {
  return `inv_${Math.max(0, Math.floor(time)).toString(36).padStart(TIME_DIGITS, '0')}`;
}
