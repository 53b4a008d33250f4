import { DateTime, Info, type Zone } from 'luxon';
import { Refusal } from '../shared/refusal.ts';

const ZONE_NAMES = Intl.supportedValuesOf('timeZone');

/** A zone by its IANA name, an offset such as UTC+2, or the name of its city: `New York`. */
export function toZone(text: string): Zone {
  const zone = Info.normalizeZone(text.trim());
  if (zone.isValid && text.trim() !== '') return zone;
  const [only, ...others] = zonesNamed(text);
  if (only && others.length === 0) return Info.normalizeZone(only);
  const hint = only ? `Which of ${[only, ...others].slice(0, 8).join(', ')}?` : 'find_time_zones searches for names';
  throw new Refusal('UNKNOWN_TIME_ZONE', `There is no time zone "${text}". Write one like Europe/Berlin or UTC+2. ${hint}`);
}

export function findTimeZones({ query }: { query: string }) {
  const zones = zonesNamed(query).slice(0, 25);
  if (zones.length === 0) {
    throw new Refusal(
      'NOT_FOUND',
      `No zone's name holds "${query}". Zones are named after a continent and a large city: try the nearest one`,
    );
  }
  return { zones: zones.map((zone) => ({ zone, offset: DateTime.now().setZone(zone).toFormat('ZZ') })) };
}

function zonesNamed(text: string): string[] {
  const wanted = text.trim().toLowerCase().replaceAll(' ', '_');
  if (wanted === '') return [];
  const exact = ZONE_NAMES.filter((name) => name.toLowerCase().split('/').at(-1) === wanted);
  return exact.length > 0 ? exact : ZONE_NAMES.filter((name) => name.toLowerCase().includes(wanted));
}
