import { formatDay, formatFullTime, formatSeconds } from './format';

/** When a call began, to the second; with the day when that is not today. Does not tick: lists hold thousands. */
export function CallTime({ at }: { at: string }) {
  const day = formatDay(at);
  return (
    <time dateTime={at} title={formatFullTime(at)}>
      {day !== formatDay(Date.now()) && `${day}, `}
      {formatSeconds(at)}
    </time>
  );
}
