/** A time relative to now, with the exact time as its title. */
import { useInterval } from '@mantine/hooks';
import { useReducer } from 'react';
import { formatAgo, formatFullTime } from './format';

const REFRESH_MS = 10_000;

/** @param at ISO 8601 */
export function TimeAgo({ at }: { at: string }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useInterval(refresh, REFRESH_MS, { autoInvoke: true });
  return (
    <time dateTime={at} title={formatFullTime(at)}>
      {formatAgo((Date.parse(at) - Date.now()) / 1_000)}
    </time>
  );
}
