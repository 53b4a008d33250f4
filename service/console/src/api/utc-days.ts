/** UTC days, by which the service counts budgets and spending: texts such as `2026-11-23`. */

const DAY_MS = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The start of the first of the last `days` days, today included. ISO 8601. */
export const startOfDays = (days: number, now = Date.now()): string => `${dayOf(now - (days - 1) * DAY_MS)}T00:00:00.000Z`;

/** All days from the one of `from` to the one of `to`. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${from.slice(0, 10)}T00:00Z`); at <= Date.parse(to); at += DAY_MS) days.push(dayOf(at));
  return days;
}

/** A UTC day as a time range. */
export const rangeOfDay = (day: string): { from: string; to: string } => {
  const start = Date.parse(`${day}T00:00Z`);
  return { from: new Date(start).toISOString(), to: new Date(start + DAY_MS).toISOString() };
};

/** The same date in the browser's time zone, for charts and formats, which show local time. */
export const localDay = (day: string): string => new Date(`${day}T00:00`).toISOString();
