/** Alerts of now and of before; for owners also the rules and the targets. */
import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { alertsQuery, useCheckAlerts } from '../../api/alerts';
import { meQuery } from '../../api/me';
import { AlertList } from '../../parts/alert-list';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { AlertRulesSection } from './alert-rules';
import { AlertTargetsSection } from './alert-targets';
import { MutedAlerts } from './muted-alerts';

export function AllAlertsPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const check = useCheckAlerts();
  const isOwner = me.role === 'owner';
  return (
    <Page
      title="Alerts"
      description={isOwner ? 'Faults of this service, checked each minute.' : 'Faults of your keys and toolkits, checked each minute.'}
      actions={
        isOwner && (
          <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
        )
      }
    >
      <Stack gap="md">
        <Alerts title="Now" state="open" none="Nothing is wrong." mayMute={isOwner} />
        {isOwner && <MutedAlerts />}
        <Alerts title="Over" state="ended" none="No alert ended in the last 30 days." />
        {isOwner && <AlertTargetsSection />}
        {isOwner && <AlertRulesSection />}
      </Stack>
    </Page>
  );
}

interface AlertsProps {
  title: string;
  state: 'open' | 'ended';
  none: string;
  mayMute?: boolean;
}

function Alerts({ title, state, none, mayMute = false }: AlertsProps) {
  return (
    <Section title={title}>
      <QueryView query={useQuery(alertsQuery(state))} rows={2}>
        {({ alerts }) =>
          alerts.length === 0 ? (
            <Text size="sm" c="dimmed">
              {none}
            </Text>
          ) : (
            <AlertList alerts={alerts} mayMute={mayMute} />
          )
        }
      </QueryView>
    </Section>
  );
}
