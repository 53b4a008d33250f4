/** The earnings of a toolkit with prices in 30 days, by action and by day. */
import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Spending } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { spendingSumsQuery } from '../../api/spending';
import { localDay, startOfDays } from '../../api/utc-days';
import { type Column, DataTable } from '../../parts/data-table';
import { formatAmount, formatCount, formatDay, formatPlural } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';

const DAYS = 30;

type By = 'action' | 'day';
type Item = Spending['items'][number];

export function ToolkitEarnings({ id }: { id: string }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const [by, setBy] = useState<By>('action');
  // An owner sees the calls of every toolkit, a member those of their own.
  const mine = me.role === 'owner' ? undefined : 'toolkits';
  // The rows of actions cannot be shown as days meanwhile.
  const query = useQuery({ ...spendingSumsQuery(by, { from: startOfDays(DAYS), mine, toolkit: id }), placeholderData: () => undefined });
  return (
    <Section
      title="Earnings"
      description={`Charged to the budgets of agent keys in ${DAYS} days, from the ledger.`}
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Earnings by"
          value={by}
          onChange={(value) => setBy(value as By)}
          data={[
            { value: 'action', label: 'By action' },
            { value: 'day', label: 'By day' },
          ]}
        />
      }
    >
      <QueryView query={query} rows={2}>
        {({ total, items, currency }) => (
          <Stack gap="sm">
            <Text size="sm" className="numbers">
              {formatAmount(total.charged, currency)} for {formatPlural(total.calls, 'paid call')}
              {total.held !== '0' && `, and ${formatAmount(total.held, currency)} held for calls that run`}
            </Text>
            {items.length > 0 && (
              <DataTable
                label="Earnings"
                rows={items}
                rowKey={({ id }) => id}
                columns={columnsOf(by, currency)}
                minWidth={320}
                verticalSpacing="xs"
              />
            )}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

const columnsOf = (by: By, currency: string): Column<Item>[] => [
  by === 'day'
    ? { title: 'Day (UTC)', className: 'numbers', cell: ({ id }) => formatDay(localDay(id)) }
    : {
        title: 'Action',
        cell: ({ id }) => (
          <Anchor size="sm" className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
            {id}
          </Anchor>
        ),
      },
  { title: 'Paid calls', kind: 'number', cell: ({ calls }) => formatCount(calls) },
  { title: 'Earned', kind: 'amount', cell: ({ charged }) => formatAmount(charged, currency) },
];
