import type { ReplicaReport } from '#sdk/protocol/admin';
import { type Column, DataTable } from '../../parts/data-table';
import { formatCount } from '../../parts/format';
import { ShortId } from '../../parts/short-id';
import { TimeAgo } from '../../parts/time-ago';

const COLUMNS: Column<ReplicaReport>[] = [
  { title: 'Instance', cell: ({ instance }) => <ShortId id={instance} /> },
  { title: 'SDK', className: 'written', cell: ({ sdk }) => sdk },
  { title: 'Node', cell: ({ node }) => <ShortId id={node} /> },
  { title: 'Connected', cell: ({ connectedAt }) => <TimeAgo at={connectedAt} /> },
  { title: 'Running', kind: 'number', cell: ({ running, concurrency }) => `${formatCount(running)} of ${formatCount(concurrency)}` },
];

export function ProcessTable({ processes }: { processes: readonly ReplicaReport[] }) {
  return (
    <DataTable
      label="Processes"
      rows={processes}
      rowKey={({ node, instance }) => `${node} ${instance}`}
      columns={COLUMNS}
      empty="No process is connected. Agents cannot find the actions of this toolkit until one connects."
      minWidth={640}
      verticalSpacing="xs"
    />
  );
}
