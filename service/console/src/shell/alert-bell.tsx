/** The number of alerts, with a link to them. Loaded after the page: it must not delay the first one. */
import { ActionIcon, Badge } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { alertsQuery } from '../api/alerts';

const MOST = 99;

export default function AlertBell() {
  const { data } = useQuery(alertsQuery('open'));
  const count = data?.alerts.length ?? 0;
  const label = count === 0 ? 'No alerts' : count === 1 ? '1 alert' : `${count} alerts`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      w="auto"
      miw={34}
      px={6}
      aria-label={label}
      renderRoot={(props) => <Link to="/alerts" {...props} />}
    >
      <IconBell size={18} stroke={1.6} />
      {count > 0 && (
        <Badge size="sm" ml={4} color="red.8" circle={count < 10}>
          {count > MOST ? `${MOST}+` : count}
        </Badge>
      )}
    </ActionIcon>
  );
}
