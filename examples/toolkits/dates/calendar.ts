import { DateTime, type WeekdayNumbers } from 'luxon';
import { Refusal } from '../shared/refusal.ts';
import { describe, parseMoment } from './moments.ts';
import { toZone } from './zones.ts';

export function calendarFacts({ date }: { date: string }) {
  const day = parseDay(date);
  return {
    weekday: day.setLocale('en').weekdayLong,
    isoWeek: day.toFormat("kkkk-'W'WW"),
    dayOfYear: day.ordinal,
    quarter: day.quarter,
    daysInMonth: day.daysInMonth,
    daysInYear: day.daysInYear,
    leapYear: day.isInLeapYear,
    daysLeftInYear: day.daysInYear - day.ordinal,
    unixSeconds: day.toUnixInteger(),
  };
}

interface WeekdayOfMonth {
  year: number;
  month: number;
  weekday: (typeof WEEKDAYS)[number];
  /** 1 to 5, or -1 for the last. */
  which: number;
}

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Days such as "the last Thursday of November". */
export function weekdayOfMonth({ year, month, weekday, which }: WeekdayOfMonth) {
  const number = (WEEKDAYS.indexOf(weekday) + 1) as WeekdayNumbers;
  const first = DateTime.utc(year, month);
  const days = Array.from({ length: first.daysInMonth ?? 0 }, (_, index) => first.plus({ days: index }));
  const day = days.filter((candidate) => candidate.weekday === number).at(which > 0 ? which - 1 : which);
  if (!day) throw new Refusal('NO_SUCH_DAY', `${first.toFormat('LLLL yyyy')} has no ${which}th ${weekday}; ask for -1, the last`);
  return { date: day.toISODate() };
}

interface BusinessDays {
  start: string;
  end: string;
  holidays?: string[];
}

/** Monday to Friday without the holidays; both ends count. Whole weeks are not walked through, so that centuries cost nothing. */
export function businessDaysBetween({ start, end, holidays = [] }: BusinessDays) {
  const [from, to] = [parseDay(start), parseDay(end)];
  if (to < from) throw new Refusal('WRONG_ORDER', `${end} is before ${start}; swap them`);
  const days = Math.round(to.diff(from, 'days').days) + 1;
  const rest = Array.from({ length: days % 7 }, (_, index) => from.plus({ days: index })).filter(isWeekday).length;
  const free = uniqueDays(holidays).filter((day) => isWeekday(day) && day >= from && day <= to).length;
  return { businessDays: Math.floor(days / 7) * 5 + rest - free, calendarDays: days };
}

export function addBusinessDays({ date, days, holidays = [] }: { date: string; days: number; holidays?: string[] }) {
  const free = new Set(uniqueDays(holidays).map((day) => day.toISODate()));
  const step = Math.sign(days);
  let day = parseDay(date);
  for (let left = Math.abs(days); left > 0; ) {
    day = day.plus({ days: step });
    if (isWeekday(day) && !free.has(day.toISODate())) left -= 1;
  }
  return { date: day.toISODate(), weekday: describe(day).weekday };
}

function uniqueDays(texts: string[]): DateTime<true>[] {
  return [...new Set(texts.map((text) => text.slice(0, 10)))].map(parseDay);
}

function parseDay(text: string): DateTime<true> {
  return parseMoment(text.slice(0, 10), toZone('utc'));
}

function isWeekday(day: DateTime): boolean {
  return day.weekday <= 5;
}
