/** Points in time. Texts are ISO 8601; one without an offset is a wall-clock time in the zone that goes with it. */
import { DateTime, type DurationLikeObject, type Zone } from 'luxon';
import { Refusal } from '../shared/refusal.ts';
import { toZone } from './zones.ts';

export function parseMoment(text: string, zone: Zone): DateTime<true> {
  const moment = DateTime.fromISO(text.trim().replace(' ', 'T'), { zone });
  if (moment.isValid) return moment;
  throw new Refusal('INVALID_DATE', `"${text}" is not a date: ${moment.invalidExplanation}. Write 2026-03-10 or 2026-03-10T15:00`);
}

export function currentTime({ zone }: { zone: string }) {
  return describe(DateTime.now().setZone(toZone(zone)));
}

export function convertTime({ time, from, to }: { time: string; from: string; to: string }) {
  const source = parseMoment(time, toZone(from));
  const target = source.setZone(toZone(to));
  return { from: describe(source), to: describe(target), daysLater: dayNumber(target) - dayNumber(source), ...clockChange(time, source) };
}

export function timeBetween({ start, end, zone }: { start: string; end: string; zone: string }) {
  const [from, to] = [parseMoment(start, toZone(zone)), parseMoment(end, toZone(zone))];
  const parts = to.diff(from, ['years', 'months', 'days', 'hours', 'minutes']);
  return {
    parts: parts.toObject(),
    text: parts.removeZeros().toHuman(),
    totalDays: round(to.diff(from, 'days').days),
    totalHours: round(to.diff(from, 'hours').hours),
    totalSeconds: to.diff(from, 'seconds').seconds,
  };
}

type Amounts = Pick<DurationLikeObject, 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes'>;

export function addToDate({ date, zone, ...amounts }: { date: string; zone: string } & Amounts) {
  const result = parseMoment(date, toZone(zone)).plus(amounts);
  if (!result.isValid) throw new Refusal('OUT_OF_RANGE', 'The result is further away than calendars reach; use smaller amounts');
  return describe(result);
}

export function describe(moment: DateTime) {
  return {
    time: moment.toISO({ suppressMilliseconds: true }),
    weekday: moment.setLocale('en').toFormat('cccc'),
    zone: moment.zoneName,
    offset: moment.toFormat('ZZ'),
    daylightSaving: moment.isInDST,
  };
}

/** Days since 1970 of the date that the wall calendar shows. */
function dayNumber({ year, month, day }: DateTime): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

const WITHOUT_CLOCK_OR_WITH_OFFSET = /(?:z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Wall-clock times that a change of the clocks skips or repeats mean something else than they say. */
function clockChange(text: string, moment: DateTime): { note?: string } {
  if (WITHOUT_CLOCK_OR_WITH_OFFSET.test(text.trim())) return {};
  const written = parseMoment(text, toZone('utc'));
  if (written.hour !== moment.hour || written.minute !== moment.minute) {
    return { note: `The clocks skip ${written.toFormat('HH:mm')} on that day; taken as ${moment.toFormat('HH:mm')}` };
  }
  if (moment.getPossibleOffsets().length > 1) return { note: 'The clocks show that time twice on that day; taken as the first' };
  return {};
}

function round(value: number): number {
  return Number(value.toFixed(6));
}
