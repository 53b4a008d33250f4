/** Numbers and times in the sentences of alerts. */

const MINUTE_MS = 60_000;
const UNITS = [
  ['day', 24 * 60 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const;

/** Such as `3 hours`; the largest unit of which there are two, so that a text changes seldom. */
export function longText(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, length]) => ms >= 2 * length) ?? (['minute', MINUTE_MS] as const);
  return counted(Math.max(1, Math.floor(ms / unitMs)), unit);
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Such as `1.4 GB`. */
export function bytesText(bytes: number): string {
  const names = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(names.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const amount = bytes / 1_000 ** power;
  return `${amount >= 100 || power === 0 ? Math.round(amount) : amount.toFixed(1)} ${names[power]}`;
}

/** Such as `2026-11-27 20:14 UTC`. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
