import { Button, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation, Person } from '../../../../src/protocol/admin';
import { withdrawInvitation } from '../../api/invitations';
import { ConfirmModal } from '../../parts/confirm-modal';
import { TimeAgo } from '../../parts/time-ago';
import { WaysColumn } from '../../parts/ways-column';

export function InvitationTable({ invitations, people }: { invitations: readonly Invitation[]; people: readonly Person[] }) {
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  const queryClient = useQueryClient();
  if (invitations.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There are none.
      </Text>
    );
  const forWhom = ({ person, name }: Invitation) => people.find(({ id }) => id === person)?.name ?? name ?? 'somebody';
  return (
    <>
      <Table verticalSpacing="sm" horizontalSpacing="md" className="flush-table">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">For</Table.Th>
            <Table.Th scope="col" visibleFrom="xs">
              Makes
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              Made
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
                  onClick={() => setWithdrawing(invitation)}
                  aria-label={`Withdraw the invitation for ${forWhom(invitation)}`}
                >
                  Withdraw
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {withdrawing && (
        <ConfirmModal
          title="Withdraw the invitation?"
          action="Withdraw"
          onConfirm={async () => {
            await withdrawInvitation(withdrawing.id);
            await queryClient.invalidateQueries({ queryKey: ['invitations'] });
          }}
          onClose={() => setWithdrawing(undefined)}
        >
          The link for {forWhom(withdrawing)} stops working at once. You can make another one.
        </ConfirmModal>
      )}
    </>
  );
}

function makes({ person, role }: Invitation): string {
  if (person !== undefined) return 'a new password';
  return role === 'owner' ? 'an owner' : 'a member';
}
