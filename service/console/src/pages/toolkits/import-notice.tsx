/** Imported toolkits that need an owner: changes to approve, and sources that do not work. */
import { Alert, Anchor, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ImportStatus } from '#sdk/protocol/imports';
import { importsQuery } from '../../api/imports';
import { meQuery } from '../../api/me';
import { formatPlural } from '../../parts/format';

export function ImportNotice() {
  const { data: me } = useSuspenseQuery(meQuery);
  const { data } = useQuery({ ...importsQuery, enabled: me.role === 'owner' });
  const needing = (data?.imports ?? []).filter(({ held, state }) => held || state === 'failed');
  if (needing.length === 0) return null;
  return (
    <Alert color="gray" variant="light" title="Imported toolkits need your attention" icon={<IconAlertTriangle size={18} />}>
      <List size="sm" listStyleType="none">
        {needing.map((status) => (
          <List.Item key={status.id}>
            <Anchor size="sm" className="ids" renderRoot={(props) => <Link to="/toolkits/$id" params={{ id: status.id }} {...props} />}>
              {status.id}
            </Anchor>
            : {reasonOf(status)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function reasonOf({ held, problem = '' }: ImportStatus): string {
  if (!held) return problem;
  return `${formatPlural(held.changes.length, 'change')} ${held.changes.length === 1 ? 'waits' : 'wait'} for approval`;
}
