import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation, Person } from '#sdk/protocol/admin';
import { withdrawInvitation } from '../../api/invitations';
import { ConfirmModal } from '../../parts/confirm-modal';
import { type Column, DataTable } from '../../parts/data-table';
import { TimeAgo } from '../../parts/time-ago';

export function InvitationTable({ invitations, people }: { invitations: readonly Invitation[]; people: readonly Person[] }) {
  const [revoking, setRevoking] = useState<Invitation>();
  const queryClient = useQueryClient();
  const forWhom = ({ person, name }: Invitation) => people.find(({ id }) => id === person)?.name ?? name ?? 'unnamed';
  const columns: Column<Invitation>[] = [
    { title: 'For', className: 'names', cell: forWhom },
    { title: 'Creates', from: 'xs', cell: ({ person, role }) => (person === undefined ? role : 'password reset') },
    { title: 'Created', from: 'sm', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    { title: 'Expires', cell: ({ expiresAt }) => <TimeAgo at={expiresAt} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (invitation) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={() => setRevoking(invitation)}
          aria-label={`Revoke the invitation for ${forWhom(invitation)}`}
        >
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label="Invitations"
        rows={invitations}
        rowKey={({ id }) => id}
        columns={columns}
        empty="No open invitations."
        horizontalSpacing="md"
        className="flush-table"
      />
      {revoking && (
        <ConfirmModal
          title="Revoke this invitation?"
          action="Revoke invitation"
          onConfirm={async () => {
            await withdrawInvitation(revoking.id);
            await queryClient.invalidateQueries({ queryKey: ['invitations'] });
          }}
          onClose={() => setRevoking(undefined)}
        >
          The link for {forWhom(revoking)} stops working immediately. You can create another one.
        </ConfirmModal>
      )}
    </>
  );
}
