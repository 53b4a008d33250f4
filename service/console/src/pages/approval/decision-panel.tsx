/** The decision: buttons while the call waits, afterwards what was decided and by whom. */
import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApprovalDetails } from '#sdk/protocol/approval-schemas';
import type { ApprovalStatus } from '#sdk/protocol/approvals';
import { printable } from '#sdk/protocol/invisible-text';
import { ApprovalBadge } from '../../parts/approval-badge';
import { TimeAgo } from '../../parts/time-ago';
import { DecisionForm } from './decision-form';
import { Standing } from './standing';

const MEANINGS: Record<Exclude<ApprovalStatus, 'pending'>, string> = {
  approved: 'The call runs next.',
  used: 'The call runs, or has run: once.',
  denied: 'The call did not run. The same call is refused for ten minutes.',
  expired: 'No person decided in time. The call did not run.',
  withdrawn: 'Something changed since the question: the action, its price, a rule, the key or the account. The same call asks anew.',
};

export function DecisionPanel({ approval }: { approval: ApprovalDetails }) {
  const { status } = approval;
  return (
    <Paper withBorder p="md" component="section" aria-label="Decision">
      <div aria-live="polite">{status !== 'pending' && <Decided approval={approval} meaning={MEANINGS[status]} />}</div>
      {status === 'pending' && <DecisionForm approval={approval} />}
    </Paper>
  );
}

function Decided({ approval, meaning }: { approval: ApprovalDetails; meaning: string }) {
  const { id, status, decidedByName, decidedAt, reason, invocationId, sessionUntil } = approval;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <ApprovalBadge status={status} />
        {decidedAt !== undefined && (
          <Text size="sm" className="names">
            {decidedByName !== undefined && `by ${printable(decidedByName)}, `}
            <TimeAgo at={decidedAt} />
          </Text>
        )}
      </Group>
      {reason !== undefined && (
        <Text size="sm" className="written">
          Reason: {printable(reason)}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {meaning}
      </Text>
      {invocationId !== undefined && (
        <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/calls/$id" params={{ id: invocationId }} {...props} />}>
          View the call
        </Anchor>
      )}
      {sessionUntil !== undefined && Date.parse(sessionUntil) > Date.now() && <Standing id={id} until={sessionUntil} />}
    </Stack>
  );
}
