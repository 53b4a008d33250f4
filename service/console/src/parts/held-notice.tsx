/** Says that agents cannot use an action before an owner's approval, why, and the next step. */
import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ActionReport } from '#sdk/protocol/admin';
import { meQuery } from '../api/me';
import { HELD_REASONS, HELD_REMEDIES, type Held } from './held-words';
import { TimeAgo } from './time-ago';

export function HeldNotice({ held, rejection }: { held: Held; rejection: ActionReport['rejection'] | undefined }) {
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <Alert
      color={held === 'error' || held === 'rejected' ? 'red' : 'orange'}
      variant="light"
      title="Agents can neither find nor use this action"
      icon={<IconAlertTriangle size={18} />}
    >
      <Text size="sm">{HELD_REASONS[held]}</Text>
      {rejection && (
        <Text size="sm" mt={4} className="written">
          “{rejection.reason}” (<TimeAgo at={rejection.at} />)
        </Text>
      )}
      <Text size="sm" mt={4}>
        {me.role === 'owner' ? (
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/review" {...props} />}>
            Review it
          </Anchor>
        ) : (
          HELD_REMEDIES[held]
        )}
      </Text>
    </Alert>
  );
}
