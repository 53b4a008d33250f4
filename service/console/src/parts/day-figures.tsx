import type { CallCounts } from '#sdk/protocol/admin';
import { Figure, Figures } from './figures';
import { formatCount, formatMs, formatPercent } from './format';

export function DayFigures({ day: { calls, errors, p50Ms, p95Ms, p99Ms } }: { day: CallCounts }) {
  const time = (ms: number | undefined) => (ms === undefined ? '–' : formatMs(ms));
  return (
    <Figures label="The last day">
      <Figure label="Calls, last day" value={formatCount(calls)} />
      <Figure
        label="Errors"
        value={formatCount(errors)}
        alarming={errors > 0}
        {...(errors > 0 && { unit: formatPercent(errors, calls) })}
      />
      <Figure label="p50" value={time(p50Ms)} />
      <Figure label="p95" value={time(p95Ms)} />
      <Figure label="p99" value={time(p99Ms)} />
    </Figures>
  );
}
