/** The cost of paid calls by key, toolkit, action and day. Members also see what their toolkits earned. */
import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { meQuery } from '../../api/me';
import { ledgerFilePath, MOST_LISTED, type SpendingBy, type SpendingOf, spendingSumsQuery } from '../../api/spending';
import { startOfDays } from '../../api/utc-days';
import { ExportMenu } from '../../parts/export-menu';
import { formatCount } from '../../parts/format';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { NoSpending } from './no-spending';
import { SpendingOverTime } from './spending-over-time';
import { DAY_SPANS, type DaySpan, type SpendingSearch } from './spending-search';
import { SpendingTable } from './spending-table';

const route = getRouteApi('/signed-in/spending');

const DESCRIPTIONS = {
  all: 'The cost of all paid calls.',
  keys: 'The cost of paid calls of your agent keys.',
  toolkits: 'The payments of agents for calls of your toolkits.',
};

export function SpendingPage() {
  const search = route.useSearch();
  const { span = '30d', show } = search;
  const { data: me } = useSuspenseQuery(meQuery);
  const mine = me.role === 'owner' ? undefined : show === 'earnings' ? 'toolkits' : 'keys';
  const of: SpendingOf = { from: startOfDays(DAY_SPANS[span].days), mine };
  const days = useQuery(spendingSumsQuery('day', of));
  return (
    <Page
      title="Spending"
      description={`${DESCRIPTIONS[mine ?? 'all']} Held amounts wait for the outcome of their call, for 24 hours at most.`}
      actions={
        <>
          <SpanChoice span={span} />
          <ExportMenu label="The ledger of this time: a line for each paid call" pathOf={(format) => ledgerFilePath(of, format)} />
        </>
      }
    >
      <Stack gap="md">
        {mine && <Side mine={mine} />}
        <QueryView query={days} rows={8}>
          {(spending) =>
            spending.total.calls === 0 ? (
              <NoSpending span={span} mine={mine} />
            ) : (
              <Stack gap="md" className="fading" data-faded={days.isPlaceholderData}>
                <SpendingOverTime spending={spending} />
                <Sums of={of} search={search} />
              </Stack>
            )
          }
        </QueryView>
      </Stack>
    </Page>
  );
}

function SpanChoice({ span }: { span: DaySpan }) {
  const navigate = route.useNavigate();
  return (
    <SegmentedControl
      aria-label="Time"
      value={span}
      onChange={(chosen) => void navigate({ search: (former) => ({ ...former, span: chosen as DaySpan }), replace: true })}
      data={Object.entries(DAY_SPANS).map(([value, { short }]) => ({ value, label: short }))}
    />
  );
}

/** A member's spending and earnings are two sums. */
function Side({ mine }: { mine: 'keys' | 'toolkits' }) {
  const navigate = route.useNavigate();
  return (
    <Group>
      <SegmentedControl
        aria-label="Spending or earnings"
        value={mine}
        onChange={(chosen) =>
          void navigate({
            search: ({ span }) => ({ ...(span && { span }), ...(chosen === 'toolkits' && { show: 'earnings' as const }) }),
            replace: true,
          })
        }
        data={[
          { value: 'keys', label: 'Spending of my keys' },
          { value: 'toolkits', label: 'Earnings of my toolkits' },
        ]}
      />
    </Group>
  );
}

const BY: Record<SpendingBy, string> = {
  key: 'Key',
  toolkit: 'Toolkit',
  action: 'Action',
  day: 'Day',
  session: 'Session',
  user: 'User',
};
/** The callers of a member's toolkits keep the names of their sessions and users. */
const OF_CALLERS: ReadonlySet<string> = new Set(['session', 'user']);

function Sums({ of, search }: { of: SpendingOf; search: SpendingSearch }) {
  const navigate = route.useNavigate();
  const isOfToolkits = of.mine === 'toolkits';
  const choices = Object.entries(BY).filter(([value]) => !(isOfToolkits && OF_CALLERS.has(value)));
  const by = search.by !== undefined && choices.some(([value]) => value === search.by) ? search.by : isOfToolkits ? 'action' : 'key';
  const query = useQuery(spendingSumsQuery(by, of));
  return (
    <Section
      title={`By ${by}`}
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Add up by"
          value={by}
          onChange={(chosen) =>
            void navigate({
              // Each column has a separate order.
              search: ({ sort: _, order: __, ...former }) => ({ ...former, by: chosen as SpendingBy }),
              replace: true,
              resetScroll: false,
            })
          }
          data={choices.map(([value, label]) => ({ value, label }))}
        />
      }
    >
      <QueryView query={query}>
        {({ items, currency }) => (
          <>
            <SpendingTable items={items} by={by} currency={currency} from={of.from} search={search} />
            {by !== 'day' && items.length === MOST_LISTED && (
              <Text size="sm" c="dimmed" mt="sm">
                The list has the {formatCount(MOST_LISTED)} with the highest charge. The sums above include the others.
              </Text>
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}
