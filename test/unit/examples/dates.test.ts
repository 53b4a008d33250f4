import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addBusinessDays, businessDaysBetween, calendarFacts, weekdayOfMonth } from '../../../examples/toolkits/dates/calendar.ts';
import { addToDate, convertTime, currentTime, timeBetween } from '../../../examples/toolkits/dates/moments.ts';
import { findTimeZones } from '../../../examples/toolkits/dates/zones.ts';

test('a time is converted between zones that change their clocks on different days', () => {
  const { to, daysLater } = convertTime({ time: '2026-03-10T15:00', from: 'New York', to: 'Europe/Berlin' });
  expect(to).toMatchObject({ time: '2026-03-10T20:00:00+01:00', weekday: 'Tuesday', zone: 'Europe/Berlin', offset: '+01:00' });
  expect(daysLater).toBe(0);
  expect(convertTime({ time: '2026-03-10 20:00', from: 'America/New_York', to: 'Asia/Tokyo' }).daysLater).toBe(1);
});

test('a time that the clocks skip or show twice comes with a note', () => {
  const note = (time: string) => convertTime({ time, from: 'Europe/Berlin', to: 'UTC' }).note;
  expect(note('2026-03-29T02:30')).toContain('skip 02:30');
  expect(note('2026-10-25T02:30')).toContain('twice');
  expect(note('2026-10-25T02:30+02:00')).toBeUndefined();
  expect(note('2026-07-01T12:00')).toBeUndefined();
});

test('bad zones and dates are refused with what to write', () => {
  expect(() => currentTime({ zone: 'Atlantis' })).toThrow(/UTC\+2. find_time_zones/);
  expect(() => currentTime({ zone: '' })).toThrow(expect.objectContaining({ code: 'UNKNOWN_TIME_ZONE' }));
  expect(() => convertTime({ time: 'tomorrow', from: 'UTC', to: 'UTC' })).toThrow(/Write 2026-03-10/);
  expect(() => addToDate({ date: '2026-01-01', zone: 'UTC', years: 1e9 })).toThrow(expect.objectContaining({ code: 'OUT_OF_RANGE' }));
  expect(() => findTimeZones({ query: 'zzz' })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  expect(findTimeZones({ query: 'new york' }).zones[0]?.zone).toBe('America/New_York');
});

test('the time between two moments is returned in parts and in totals', () => {
  expect(timeBetween({ start: '2026-01-31', end: '2026-03-01T06:00', zone: 'UTC' })).toMatchObject({
    parts: { months: 1, days: 1, hours: 6 },
    totalDays: 29.25,
    totalHours: 702,
  });
});

test('calendar facts', () => {
  expect(calendarFacts({ date: '2024-12-30' })).toMatchObject({ weekday: 'Monday', isoWeek: '2025-W01', leapYear: true, quarter: 4 });
  expect(weekdayOfMonth({ year: 2026, month: 11, weekday: 'thursday', which: -1 })).toEqual({ date: '2026-11-26' });
  expect(() => weekdayOfMonth({ year: 2026, month: 2, weekday: 'monday', which: 5 })).toThrow(/ask for -1/);
});

test('business days leave out weekends and holidays', () => {
  expect(businessDaysBetween({ start: '2026-12-21', end: '2026-12-31', holidays: ['2026-12-25', '2026-12-26'] })).toEqual({
    businessDays: 8,
    calendarDays: 11,
  });
  expect(addBusinessDays({ date: '2026-12-24', days: 1, holidays: ['2026-12-25'] })).toEqual({ date: '2026-12-28', weekday: 'Monday' });
  expect(() => businessDaysBetween({ start: '2026-02-01', end: '2026-01-01' })).toThrow(/swap/);
});

test('adding business days and counting them agree', () => {
  const day = fc
    .date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 400 }), fc.array(day, { maxLength: 5 }), (start, days, holidays) => {
      const { date: end } = addBusinessDays({ date: start, days, holidays });
      const startCounts = businessDaysBetween({ start, end: start, holidays }).businessDays;
      expect(businessDaysBetween({ start, end: end ?? '', holidays }).businessDays - startCounts).toBe(days);
    }),
    { numRuns: 50 },
  );
});
