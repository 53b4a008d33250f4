/** Alerts, one line each, with a link to the page that mends it. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Alert } from '#sdk/protocol/alert-schemas';
import { TimeAgo } from './time-ago';

export function AlertList({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {alerts.map(({ id, severity, text, link, since, endedAt }) => (
        <Group component="li" key={id} gap="xs" wrap="nowrap" align="baseline">
          <Badge size="sm" variant="light" color={endedAt ? 'gray' : severity === 'critical' ? 'red' : 'yellow'} flex="none">
            {endedAt ? 'over' : severity}
          </Badge>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }} dir="auto">
            <AlertLink link={link}>{text}</AlertLink>{' '}
            <Text span size="xs" c="dimmed">
              <TimeAgo at={endedAt ?? since} />
            </Text>
          </Text>
        </Group>
      ))}
    </Stack>
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
