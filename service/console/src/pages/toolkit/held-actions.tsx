/** The actions of a toolkit that agents cannot use before an owner's approval, by reason. Empty when there is none. */
import { Alert, Anchor, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ActionReport } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { formatCount, formatPlural } from '../../parts/format';
import { HELD_REASONS, HELD_REMEDIES } from '../../parts/held-words';

export function HeldActions({ reports }: { reports: readonly ActionReport[] }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const reasons = reports.flatMap(({ held }) => held ?? []);
  if (reasons.length === 0) return null;
  const isOne = reasons.length === 1;
  return (
    <Alert
      color={reasons.includes('error') || reasons.includes('rejected') ? 'red' : 'orange'}
      variant="light"
      title={`Agents can neither find nor use ${formatCount(reasons.length)} of ${formatPlural(reports.length, 'action')}`}
      icon={<IconAlertTriangle size={18} />}
    >
      <List size="sm" listStyleType="none">
        {[...Map.groupBy(reasons, (held) => held)].map(([held, some]) => (
          <List.Item key={held}>
            {formatPlural(some.length, 'action')}: {HELD_REASONS[held]} {me.role !== 'owner' && HELD_REMEDIES[held]}
          </List.Item>
        ))}
      </List>
      {me.role === 'owner' && (
        <Text size="sm" mt={4}>
          <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/review" {...props} />}>
            Review {isOne ? 'it' : 'them'}
          </Anchor>
        </Text>
      )}
    </Alert>
  );
}
