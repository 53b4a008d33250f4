/** The toolkit's own error codes, by action. */
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ToolkitErrorsPage } from '#sdk/protocol/admin';
import { toolkitErrorsQuery } from '../../api/reports';
import { type Column, DataTable } from '../../parts/data-table';
import { formatCount } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { TimeAgo } from '../../parts/time-ago';

type OwnError = ToolkitErrorsPage['errors'][number];

export function ToolkitErrors({ id }: { id: string }) {
  return (
    <QueryView query={useQuery(toolkitErrorsQuery(id))} rows={2}>
      {({ errors }) => (
        <DataTable
          label="Error codes of the toolkit"
          rows={errors}
          rowKey={({ code, action }) => `${action} ${code}`}
          columns={COLUMNS}
          empty="No call of the last seven days ended with a code of the toolkit. A handler gives one with its error."
          minWidth={460}
          verticalSpacing="xs"
        />
      )}
    </QueryView>
  );
}

const COLUMNS: Column<OwnError>[] = [
  { title: 'Code', className: 'ids', cell: ({ code }) => code },
  {
    title: 'Action',
    cell: ({ action: id }) => (
      <Anchor size="sm" className="ids" renderRoot={(props) => <Link to="/actions/$id" params={{ id }} {...props} />}>
        {id}
      </Anchor>
    ),
  },
  { title: '24 h', kind: 'number', cell: ({ day }) => formatCount(day) },
  { title: '7 d', kind: 'number', cell: ({ week }) => formatCount(week) },
  {
    title: 'Last',
    cell: ({ lastAt }) => (
      <Text size="sm" c="dimmed" span>
        <TimeAgo at={lastAt} />
      </Text>
    ),
  },
];
