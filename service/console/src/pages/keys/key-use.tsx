/** The use of an agent key's limit, and its refused calls. */
import { Anchor, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CallCounts, type OwnedKey, REFUSALS } from '#sdk/protocol/admin';
import { newestCallsQuery } from '../../api/invocations';
import { statsSeriesQuery } from '../../api/stats';
import { formatCount, formatPercent, formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';

/** Above this share of the limit the bar warns. */
const NEARLY = 0.8;

export function LimitUse({ id, limit }: { id: string; limit: number }) {
  const { data } = useQuery(statsSeriesQuery('1h', { key: id }));
  if (!data) return formatPlural(limit, 'call');
  // Refused calls do not count.
  const most = Math.max(0, ...data.points.map(({ calls, refused = 0 }) => calls - refused));
  return (
    <Stack gap={4}>
      <span>
        {formatPlural(limit, 'call')}; busiest minute of the last hour: {formatCount(most)}
      </span>
      <Progress
        value={Math.min(100, (100 * most) / limit)}
        color={most >= limit * NEARLY ? 'red' : 'brand'}
        aria-label={`Used of the limit: ${formatPercent(most, limit)}`}
      />
    </Stack>
  );
}

/** Empty without refused calls. */
export function Refused({ info: { id }, counts }: { info: OwnedKey; counts: CallCounts | undefined }) {
  const refused = counts?.refused ?? 0;
  const { data: last } = useQuery({
    ...newestCallsQuery({ key: id, outcome: 'error' }, 20),
    enabled: refused > 0,
    select: ({ invocations }) => invocations.find(({ code }) => REFUSALS.some((refusal) => refusal === code)),
  });
  if (refused === 0) return 'none in the last 24 hours';
  return (
    <>
      <Text span inherit c="var(--text-alarming)">
        {formatPlural(refused, 'call')}
      </Text>{' '}
      in the last 24 hours
      {last?.code && (
        <>
          , last{' '}
          <Anchor inherit renderRoot={(props) => <Link to="/calls" search={{ key: id, outcome: last.code ?? '' }} {...props} />}>
            <TimeAgo at={last.startedAt} /> ({last.code})
          </Anchor>
        </>
      )}
    </>
  );
}
