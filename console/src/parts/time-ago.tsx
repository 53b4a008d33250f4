/** A time as people say it, and exactly when one points at it. */
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** @param at ISO 8601 */
export function TimeAgo({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 10_000, { autoInvoke: true });
  return (
    <time dateTime={at} title={absolute.format(new Date(at))}>
      {ago((Date.parse(at) - now) / 1_000)}
    </time>
  );
}

function ago(seconds: number): string {
  if (Math.abs(seconds) < 5) return 'now';
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}
