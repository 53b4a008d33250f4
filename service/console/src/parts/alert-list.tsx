/** Alerts, one line each, with a link to the page that mends it. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Alert } from '#sdk/protocol/alert-schemas';
import { MuteAlert } from './mute-alert';
import { TimeAgo } from './time-ago';

export function AlertList({ alerts, mayMute = false }: { alerts: readonly Alert[]; mayMute?: boolean }) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {alerts.map((alert) => (
        <Group component="li" key={alert.id} gap="xs" justify="space-between" align="baseline">
          <AlertText alert={alert} />
          {mayMute && <MuteAlert alert={alert} />}
        </Group>
      ))}
    </Stack>
  );
}

function AlertText({ alert: { severity, text, link, since, endedAt } }: { alert: Alert }) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline" miw={0}>
      <Badge size="sm" variant="light" color={endedAt ? 'gray' : severity === 'critical' ? 'red' : 'yellow'} flex="none">
        {endedAt ? 'over' : severity}
      </Badge>
      <Text size="sm" miw={0} style={{ overflowWrap: 'anywhere' }} dir="auto">
        <AlertLink link={link}>{text}</AlertLink>{' '}
        <Text span size="xs" c="dimmed">
          <TimeAgo at={endedAt ?? since} />
        </Text>
      </Text>
    </Group>
  );
}

/** The service writes the path and its query as one text. */
function AlertLink({ link, children }: { link: string; children: string }) {
  const [path = '/', query = ''] = link.split('?');
  return (
    <Link to={path as '/'} search={Object.fromEntries(new URLSearchParams(query))}>
      {children}
    </Link>
  );
}
