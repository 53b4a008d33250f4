/**
 * Dates and time zones, by luxon.
 *
 *   SVC_TOOLKIT_API_KEY=… node examples/toolkits/dates.ts
 */
import { Toolkit } from 'svc-sdk';
import { z } from 'zod';
import { addBusinessDays, businessDaysBetween, calendarFacts, WEEKDAYS, weekdayOfMonth } from './dates/calendar.ts';
import { addToDate, convertTime, currentTime, timeBetween } from './dates/moments.ts';
import { findTimeZones } from './dates/zones.ts';
import { answering } from './shared/answering.ts';
import { reportLoss, serve } from './shared/serve.ts';

const READ_ONLY = { readOnly: true, idempotent: true };
const date = z.string().max(40).describe('ISO 8601: 2026-03-10, or with a time 2026-03-10T15:00');
const zone = z.string().max(60).describe('Time zone: an IANA name such as Europe/Berlin, a large city, or UTC+2');
const holidays = z.array(z.string().max(40)).max(1_000).exactOptional().describe('Days off besides weekends: ["2026-12-25"]');
const amount = z.int().min(-1_000_000).max(1_000_000).exactOptional();

const toolkit = new Toolkit({ onStatus: reportLoss });

toolkit.action(
  {
    action: 'current_time',
    actionDescription:
      'The date and time now in a time zone or a large city such as Tokyo, with weekday and offset. Ask for it instead of guessing today’s date.',
    payloadDescription: z.object({ zone }),
    annotations: { readOnly: true },
  },
  answering(currentTime),
);

toolkit.action(
  {
    action: 'convert_time',
    actionDescription:
      'Converts a date and time from one time zone to another, daylight saving time included: what a meeting at 15:00 in New York is in Berlin. ' +
      'Reports when the local time does not exist or happens twice because the clocks change.',
    payloadDescription: z.object({
      time: date.describe('Date and time in the first zone: 2026-03-10T15:00'),
      from: zone.describe('Time zone or large city that the time is in'),
      to: zone.describe('Time zone or large city that is wanted'),
    }),
    annotations: READ_ONLY,
  },
  answering(convertTime),
);

toolkit.action(
  {
    action: 'find_time_zones',
    actionDescription:
      'Finds the names of time zones by a part of a continent or a large city: "Lisbon", "Australia". Gives their offset now.',
    payloadDescription: z.object({ query: z.string().min(2).max(60) }),
    annotations: { readOnly: true },
  },
  answering(findTimeZones),
);

toolkit.action(
  {
    action: 'time_between',
    actionDescription:
      'How many days are between two dates, or how old a person is: in years, months, days, hours and minutes, and as total days, hours and seconds.',
    payloadDescription: z.object({ start: date, end: date, zone: zone.default('UTC') }),
    annotations: READ_ONLY,
  },
  answering(timeBetween),
);

toolkit.action(
  {
    action: 'add_to_date',
    actionDescription:
      'Adds years, months, weeks, days, hours or minutes to a date: which date it is 90 days from now. Negative numbers go back.',
    payloadDescription: z.object({
      date,
      zone: zone.default('UTC'),
      years: amount,
      months: amount,
      weeks: amount,
      days: amount,
      hours: amount,
      minutes: amount,
    }),
    annotations: READ_ONLY,
  },
  answering(addToDate),
);

toolkit.action(
  {
    action: 'business_days_between',
    actionDescription: 'Counts the working days, Monday to Friday without holidays, from one date to another; both count.',
    payloadDescription: z.object({ start: date, end: date, holidays }),
    annotations: READ_ONLY,
  },
  answering(businessDaysBetween),
);

toolkit.action(
  {
    action: 'add_business_days',
    actionDescription:
      'The date that is a number of working days after another one, for deadlines and deliveries; a negative number goes back.',
    payloadDescription: z.object({ date, days: z.int().min(-5_000).max(5_000), holidays }),
    annotations: READ_ONLY,
  },
  answering(addBusinessDays),
);

toolkit.action(
  {
    action: 'weekday_of_month',
    actionDescription: 'The date of a day such as the second Tuesday or the last Thursday of a month.',
    payloadDescription: z.object({
      year: z.int().min(1).max(9999),
      month: z.int().min(1).max(12),
      weekday: z.enum(WEEKDAYS),
      which: z
        .int()
        .min(-1)
        .max(5)
        .refine((which) => which !== 0)
        .describe('1 is the first, 2 the second, -1 the last'),
    }),
    annotations: READ_ONLY,
  },
  answering(weekdayOfMonth),
);

toolkit.action<{ date: string }>(
  {
    action: 'calendar_facts',
    actionDescription: 'Calendar facts about a date: weekday, ISO week, day of the year, quarter, leap year, days in the month.',
    payloadDescription: { date: { type: 'string', description: 'ISO 8601: 2026-03-10', required: true, maxLength: 40 } },
    annotations: READ_ONLY,
  },
  answering(calendarFacts),
);

await serve(toolkit, {
  name: 'Dates and time zones',
  description: 'The time anywhere, conversions between time zones, and calculations with dates and working days.',
});
