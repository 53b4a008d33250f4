import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { AlertTarget } from '#sdk/protocol/alert-schemas';
import { alertTargetsQuery, useRemoveTarget, useTestTarget } from '../../api/alerts';
import { ErrorNotice } from '../../parts/error-notice';
import { formatPlural } from '../../parts/format';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { TimeAgo } from '../../parts/time-ago';
import { NewTargetForm } from './new-target-form';

const KIND_NAMES = { webhook: 'Webhook', slack: 'Slack', email: 'E-mail' } as const;

export function AlertTargetsSection() {
  return (
    <Section title="Where alerts are sent" description="Each target gets a message when an alert begins, and one when it is over.">
      <Stack gap="lg">
        <QueryView query={useQuery(alertTargetsQuery)} rows={2}>
          {({ targets }) =>
            targets.length === 0 ? (
              <Text size="sm" c="dimmed">
                Alerts are shown in the console only.
              </Text>
            ) : (
              targets.map((target) => <TargetRow key={target.id} target={target} />)
            )
          }
        </QueryView>
        <NewTargetForm />
      </Stack>
    </Section>
  );
}

function TargetRow({ target: { id, kind, place, waiting, failing, lastSentAt } }: { target: AlertTarget }) {
  const test = useTestTarget();
  const remove = useRemoveTarget();
  const onTested = ({ sent, error }: { sent: boolean; error?: string }) =>
    notifications.show(sent ? { message: `The test is sent to ${place}.` } : { color: 'red', message: `${place}: ${error}` });
  return (
    <Group justify="space-between" gap="sm">
      <Stack gap={0} flex="1 1 14rem">
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {KIND_NAMES[kind]}: {place}
        </Text>
        <Text size="xs" c={failing ? 'var(--text-alarming)' : 'dimmed'}>
          {failing ? (
            <>
              {formatPlural(waiting, 'message')} not sent: {failing.error} (<TimeAgo at={failing.at} />)
            </>
          ) : lastSentAt ? (
            <>
              Last message <TimeAgo at={lastSentAt} />
            </>
          ) : (
            'No message yet'
          )}
        </Text>
        {remove.error && <ErrorNotice error={remove.error} title="Could not remove the target" />}
      </Stack>
      <Group gap="xs">
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate(id, { onSuccess: onTested })}>
          Send a test
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate(id)}
          aria-label={`Remove ${place}`}
        >
          Remove
        </Button>
      </Group>
    </Group>
  );
}
