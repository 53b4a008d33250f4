import { Badge } from '@mantine/core';
import type { ActionReport } from '#sdk/protocol/admin';
import { HELD_WORDS } from './held-words';
import { OnlineBadge } from './online-badge';

/** Whether agents can use the action: held by a review, online or offline. */
export function ActionStateBadge({ report: { held, online } }: { report: Pick<ActionReport, 'held' | 'online'> }) {
  if (held === undefined) return <OnlineBadge online={online} />;
  return (
    <Badge miw="max-content" variant="light" color={held === 'error' || held === 'rejected' ? 'red' : 'orange'} tt="none" fw={500}>
      {HELD_WORDS[held]}
    </Badge>
  );
}
