import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedInvitation, Person } from '../../../../src/protocol/admin';
import { invite } from '../../api/invitations';
import { changeRole, removePerson } from '../../api/people';
import { ConfirmModal } from '../../parts/confirm-modal';
import { formatPlural } from '../../parts/format';
import { LinkModal } from './link-modal';

export interface PersonActionsProps {
  person: Person;
  activeKeys: number;
  isMe: boolean;
}

export function PersonActions({ person, activeKeys, isMe }: PersonActionsProps) {
  const [asking, setAsking] = useState<'role' | 'password' | 'remove'>();
  const [made, setMade] = useState<CreatedInvitation>();
  const queryClient = useQueryClient();
  const { id, name, role } = person;
  const other = role === 'owner' ? 'member' : 'owner';
  const stop = () => setAsking(undefined);
  const told = async (message: string) => {
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [first] }) => ['people', 'invitations', 'keys', 'me'].includes(String(first)),
    });
    notifications.show({ message });
  };
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`What to do with ${name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking('role')}>{other === 'owner' ? 'Make an owner' : 'Make a member'}</Menu.Item>
          <Menu.Item onClick={() => setAsking('password')}>Link for a new password</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setAsking('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking === 'role' && (
        <ConfirmModal
          title={`Make ${name} ${other === 'owner' ? 'an owner' : 'a member'}?`}
          action={other === 'owner' ? 'Make an owner' : 'Make a member'}
          onConfirm={async () => {
            await changeRole({ id, role: other });
            await told(`${name} is ${other === 'owner' ? 'an owner' : 'a member'} now`);
          }}
          onClose={stop}
        >
          {other === 'owner'
            ? 'Owners see all calls, and change keys, people and settings.'
            : 'They see only their own keys and toolkits from now on. Their admin keys are revoked.'}{' '}
          {isMe ? 'You are' : 'They are'} signed out everywhere, and sign in again in the new role.
        </ConfirmModal>
      )}
      {asking === 'password' && (
        <ConfirmModal
          title={`New password for ${name}?`}
          action="Make the link"
          onConfirm={async () => {
            setMade(await invite({ person: id }));
            await queryClient.invalidateQueries({ queryKey: ['invitations'] });
          }}
          onClose={stop}
        >
          You get a one-time link to hand to {isMe ? 'yourself' : name}. Whoever opens it chooses the password of this account; the old one
          works until then.
        </ConfirmModal>
      )}
      {asking === 'remove' && (
        <ConfirmModal
          title={`Remove ${name}?`}
          action="Remove the account"
          onConfirm={async () => {
            const { revokedKeys } = await removePerson(id);
            await told(`${name} was removed, and ${formatPlural(revokedKeys.length, 'key')} revoked`);
          }}
          onClose={stop}
        >
          {isMe ? 'You are' : 'They are'} signed out everywhere, and{' '}
          {activeKeys === 0 ? 'the account has no active keys' : `${formatPlural(activeKeys, 'active key is', 'active keys are')} revoked`}:
          programs with such a key stop within a second. What they did stays in the records.
        </ConfirmModal>
      )}
      {made && <LinkModal title={`New password for ${name}`} made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
