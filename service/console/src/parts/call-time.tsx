import { formatDay, formatFullTime, formatSeconds } from './format';

/** The start of a call, to the second; with the day if it is not today. Static, because lists have thousands of rows. */
export function CallTime({ at }: { at: string }) {
  const day = formatDay(at);
  return (
    <time dateTime={at} title={formatFullTime(at)}>
      {day !== formatDay(Date.now()) && `${day}, `}
      {formatSeconds(at)}
    </time>
  );
}
