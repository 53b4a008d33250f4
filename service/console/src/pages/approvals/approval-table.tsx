/** Approvals as rows, in the order given. A whole row is a link to its approval. */
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApprovalInfo } from '#sdk/protocol/approvals';
import { ApprovalBadge } from '../../parts/approval-badge';
import { type Column, DataTable } from '../../parts/data-table';
import { TimeAgo } from '../../parts/time-ago';

export function ApprovalTable({ approvals }: { approvals: readonly ApprovalInfo[] }) {
  return (
    <DataTable
      label="Approvals"
      rows={approvals}
      rowKey={({ id }) => id}
      rowClassName="call-row"
      columns={COLUMNS}
      horizontalSpacing="md"
      highlightOnHover
    />
  );
}

const COLUMNS: Column<ApprovalInfo>[] = [
  { title: 'Action', cell: (approval) => <ActionCell approval={approval} /> },
  { title: 'Asked by', from: 'sm', cell: (approval) => <Asker approval={approval} /> },
  { title: 'Asked', from: 'md', className: 'one-line', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { title: 'State', from: 'xs', cell: (approval) => <State approval={approval} /> },
];

function ActionCell({ approval }: { approval: ApprovalInfo }) {
  const { id, action, createdAt } = approval;
  return (
    <>
      <Anchor
        c="inherit"
        size="sm"
        fw={550}
        className="ids call-row-link"
        renderRoot={(props) => <Link to="/approvals/$id" params={{ id }} {...props} />}
      >
        {action}
      </Anchor>
      <Text component="div" size="xs" c="dimmed" hiddenFrom="sm" mt={2}>
        <Asker approval={approval} />
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="md" mt={2}>
        asked <TimeAgo at={createdAt} />
      </Text>
      <Group gap="xs" hiddenFrom="xs" mt={4}>
        <State approval={approval} />
      </Group>
    </>
  );
}

function Asker({ approval: { key, user } }: { approval: ApprovalInfo }) {
  return (
    <>
      <span className="names">{key.name || key.id}</span>
      {user !== undefined && (
        <>
          {' '}
          for <span className="ids">{user}</span>
        </>
      )}
    </>
  );
}

function State({ approval: { status, expiresAt, decidedByName, decidedAt } }: { approval: ApprovalInfo }) {
  return (
    <>
      <ApprovalBadge status={status} />
      <Text size="xs" c="dimmed" mt={2} className="names">
        {status === 'pending' ? (
          <>
            ends <TimeAgo at={expiresAt} />
          </>
        ) : (
          decidedByName !== undefined && decidedAt !== undefined && `by ${decidedByName}`
        )}
      </Text>
    </>
  );
}
