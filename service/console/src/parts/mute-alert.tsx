/** Mutes an open alert. For owners. */
import { Button, Menu, Text } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import type { Alert } from '#sdk/protocol/alert-schemas';
import { useMuteAlert } from '../api/alerts';

const HOUR_MS = 3_600_000;

const TIMES = [
  { label: 'For an hour', ms: HOUR_MS },
  { label: 'For a day', ms: 24 * HOUR_MS },
  { label: 'For a week', ms: 7 * 24 * HOUR_MS },
] as const;

export function MuteAlert({ alert: { id, text } }: { alert: Alert }) {
  const mute = useMuteAlert();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            flex="none"
            ml="auto"
            leftSection={<IconBellOff size={14} aria-hidden />}
            loading={mute.isPending}
            aria-label={`Mute: ${text}`}
          >
            Mute
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {TIMES.map(({ label, ms }) => (
            <Menu.Item key={label} onClick={() => mute.mutate({ id, until: new Date(Date.now() + ms).toISOString() })}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => mute.mutate({ id })}>Until it is over</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {mute.error && (
        <Text size="xs" c="red" role="alert">
          {mute.error.message}
        </Text>
      )}
    </>
  );
}
