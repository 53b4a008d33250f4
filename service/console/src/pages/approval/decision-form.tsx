import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApprovalDetails } from '#sdk/protocol/approval-schemas';
import type { DecideRequest } from '#sdk/protocol/approvals';
import { useDecide } from '../../api/approvals';
import { FormError } from '../../parts/form-error';
import { useSettled } from '../../parts/use-settled';

/** The service refuses more. */
const MAX_REASON_CHARS = 1_000;

/** Seconds for which a person may approve later calls of the conversation. */
const SPANS = [
  { value: '', label: 'This call only' },
  { value: '900', label: 'This action in this conversation, for 15 minutes' },
  { value: '3600', label: 'This action in this conversation, for an hour' },
  { value: '28800', label: 'This action in this conversation, for 8 hours' },
  { value: '86400', label: 'This action in this conversation, for a day' },
];

export function DecisionForm({ approval: { id, session } }: { approval: ApprovalDetails }) {
  const [reason, setReason] = useState('');
  const [seconds, setSeconds] = useState('');
  const decide = useDecide(id);
  const isSettled = useSettled();
  const send = (decision: DecideRequest['decision']) =>
    decide.mutate({
      decision,
      ...(reason.trim() && { reason: reason.trim() }),
      ...(decision === 'approve' && seconds && { sessionSeconds: Number(seconds) }),
    });
  const isPending = (decision: DecideRequest['decision']) => decide.isPending && decide.variables.decision === decision;
  return (
    <Stack gap="sm">
      {session !== undefined && (
        <Select
          label="Approve"
          description={seconds && 'Later calls of this action run without a question, with any payload, until then.'}
          data={SPANS}
          value={seconds}
          onChange={(chosen) => setSeconds(chosen ?? '')}
          allowDeselect={false}
          maw="28rem"
        />
      )}
      <TextInput
        label="Reason"
        description="Optional. The agent reads it."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        maxLength={MAX_REASON_CHARS}
        maw="28rem"
      />
      <FormError error={decide.error} />
      <Group gap="sm" grow preventGrowOverflow={false} maw="28rem">
        <Button variant="default" size="md" disabled={decide.isPending} loading={isPending('deny')} onClick={() => send('deny')}>
          Deny
        </Button>
        <Button size="md" disabled={!isSettled || decide.isPending} loading={isPending('approve')} onClick={() => send('approve')}>
          Approve
        </Button>
      </Group>
    </Stack>
  );
}
