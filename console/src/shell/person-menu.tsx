import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ADMIN_PATHS, type Me } from '../../../src/protocol/admin';
import { request } from '../api/request';

export function PersonMenu({ me }: { me: Me }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const name = me.person?.name ?? 'Admin key';
  const signOut = async () => {
    await request(`${ADMIN_PATHS.auth}/sign-out`, { method: 'POST', body: {} });
    await navigate({ to: '/sign-in' });
    // What the next person sees is not what this one saw.
    queryClient.clear();
  };
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton>
          <Avatar aria-hidden name={name} color="brand" size={34} />
          <VisuallyHidden>Account of {name}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" fw={600} truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {me.person?.email} · {me.role}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<IconUser size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
