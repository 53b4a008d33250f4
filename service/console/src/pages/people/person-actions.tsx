import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedInvitation, Person } from '#sdk/protocol/admin';
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
  const notify = async (message: string) => {
    await queryClient.invalidateQueries({
      predicate: ({ queryKey: [first] }) => ['people', 'invitations', 'keys', 'me'].includes(String(first)),
    });
    notifications.show({ message });
  };
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking('role')}>{other === 'owner' ? 'Make an owner' : 'Make a member'}</Menu.Item>
          <Menu.Item onClick={() => setAsking('password')}>Create password reset link</Menu.Item>
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
            await notify(`${name} is now ${other === 'owner' ? 'an owner' : 'a member'}.`);
          }}
          onClose={stop}
        >
          {other === 'owner'
            ? 'Owners see all calls and can change keys, people and settings.'
            : 'They will see only their own keys and toolkits. Their admin keys are revoked.'}{' '}
          {isMe ? 'You are' : 'They are'} signed out everywhere and sign in again with the new role.
        </ConfirmModal>
      )}
      {asking === 'password' && (
        <ConfirmModal
          title={`Password reset for ${name}?`}
          action="Create link"
          onConfirm={async () => {
            setMade(await invite({ person: id }));
            await queryClient.invalidateQueries({ queryKey: ['invitations'] });
          }}
          onClose={stop}
        >
          You get a one-time link to send to {isMe ? 'yourself' : name}. Anyone who opens it can set the password of this account. The old
          password works until then.
        </ConfirmModal>
      )}
      {asking === 'remove' && (
        <ConfirmModal
          title={`Remove ${name}?`}
          action="Remove account"
          onConfirm={async () => {
            const { revokedKeys } = await removePerson(id);
            await notify(`${name} was removed, ${formatPlural(revokedKeys.length, 'key')} revoked.`);
          }}
          onClose={stop}
        >
          {isMe ? 'You are' : 'They are'} signed out everywhere
          {activeKeys > 0 && ` and ${isMe ? 'your' : 'their'} ${formatPlural(activeKeys, 'active key is', 'active keys are')} revoked`}.{' '}
          {activeKeys > 0 && 'Programs that use these keys stop within a second. '}Their calls stay in the records.
        </ConfirmModal>
      )}
      {made && <LinkModal title={`Password reset for ${name}`} made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
