/** The agents that call a toolkit: with their names where the person manages their keys, else with a number. */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ToolkitCallers } from '#sdk/protocol/admin';
import { toolkitCallersQuery } from '../../api/reports';
import { type Column, DataTable } from '../../parts/data-table';
import { formatCount, formatPercent } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { TimeAgo } from '../../parts/time-ago';

type Caller = ToolkitCallers['callers'][number];

export function CallersOfToolkit({ id }: { id: string }) {
  return (
    <QueryView query={useQuery(toolkitCallersQuery(id))} rows={2}>
      {({ callers, countedFrom }) => (
        <>
          {countedFrom !== undefined && (
            <Text size="sm" c="dimmed">
              Of the last 50,000 calls, since <TimeAgo at={countedFrom} />.
            </Text>
          )}
          <DataTable
            label="Callers"
            rows={callers}
            rowKey={({ name, key }) => `${key} ${name}`}
            columns={columnsOf(id)}
            empty="No agent has called it in the last seven days."
            minWidth={520}
            verticalSpacing="xs"
          />
        </>
      )}
    </QueryView>
  );
}

const columnsOf = (toolkit: string): Column<Caller>[] => [
  { title: 'Agent', className: 'names', cell: (caller) => <Name caller={caller} toolkit={toolkit} /> },
  { title: 'Calls, 24 h', kind: 'number', cell: ({ day }) => formatCount(day.calls) },
  { title: 'Errors, 24 h', kind: 'number', cell: ({ day }) => <Errors of={day} /> },
  { title: 'Calls, 7 d', kind: 'number', cell: ({ week }) => formatCount(week.calls) },
  { title: 'Errors, 7 d', kind: 'number', cell: ({ week }) => <Errors of={week} /> },
  {
    title: 'Last call',
    cell: ({ lastAt }) => (
      <Text size="sm" c="dimmed" span>
        <TimeAgo at={lastAt} />
      </Text>
    ),
  },
];

function Name({ caller: { name, key }, toolkit }: { caller: Caller; toolkit: string }) {
  if (key === undefined) return name;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/calls" search={{ toolkit, key }} {...props} />}>
      {name}
    </Anchor>
  );
}

function Errors({ of: { calls, errors } }: { of: Caller['day'] }) {
  return errors === 0 ? '0' : `${formatCount(errors)} (${formatPercent(errors, calls)})`;
}
