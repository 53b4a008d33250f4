import { Button, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation, Person } from '../../../../src/protocol/admin';
import { withdrawInvitation } from '../../api/invitations';
import { ConfirmModal } from '../../parts/confirm-modal';
import { TimeAgo } from '../../parts/time-ago';
import { WaysColumn } from '../../parts/ways-column';

export function InvitationTable({ invitations, people }: { invitations: readonly Invitation[]; people: readonly Person[] }) {
  const [revoking, setRevoking] = useState<Invitation>();
  const queryClient = useQueryClient();
  if (invitations.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    );
  const forWhom = ({ person, name }: Invitation) => people.find(({ id }) => id === person)?.name ?? name ?? 'unnamed';
  return (
    <>
      <Table verticalSpacing="sm" horizontalSpacing="md" className="flush-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">For</Table.Th>
            <Table.Th scope="col" visibleFrom="xs">
              Creates
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Created
            </Table.Th>
            <Table.Th scope="col">Expires</Table.Th>
            <WaysColumn />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.id}>
              <Table.Td className="names">{forWhom(invitation)}</Table.Td>
              <Table.Td visibleFrom="xs">{makes(invitation)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <TimeAgo at={invitation.createdAt} />
              </Table.Td>
              <Table.Td>
                <TimeAgo at={invitation.expiresAt} />
              </Table.Td>
              <Table.Td ta="right">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  onClick={() => setRevoking(invitation)}
                  aria-label={`Revoke the invitation for ${forWhom(invitation)}`}
                >
                  Revoke
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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

function makes({ person, role }: Invitation): string {
  if (person !== undefined) return 'password reset';
  return role;
}
