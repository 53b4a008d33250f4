/** The muted alerts, until when, and a button that ends it. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertMute } from '#sdk/protocol/alerts';
import { useCheckAlerts } from '../../api/alerts';
import { settingsQuery, useChangeSettings } from '../../api/settings';
import { ErrorNotice } from '../../parts/error-notice';
import { formatFullTime } from '../../parts/format';
import { Section } from '../../parts/section';
import { ALERT_WORDS } from './alert-words';

export function MutedAlerts() {
  const { data } = useQuery(settingsQuery);
  const save = useChangeSettings();
  const check = useCheckAlerts();
  const mutes = data?.settings.alertMutes ?? [];
  if (mutes.length === 0) return null;
  const unmute = (ended: AlertMute) =>
    save.mutate({ alertMutes: mutes.filter((mute) => mute !== ended) }, { onSuccess: () => check.mutate() });
  return (
    <Section title="Muted" description="Neither shown nor sent.">
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {mutes.map((mute) => (
          <Group component="li" key={`${mute.kind} ${mute.subject}`} gap="xs" justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {ALERT_WORDS[mute.kind].label}
              {mute.subject !== '' && (
                <>
                  : <span className="ids">{mute.subject}</span>
                </>
              )}{' '}
              <Text span size="xs" c="dimmed">
                {mute.until === undefined ? 'until it is over' : `until ${formatFullTime(mute.until)}`}
              </Text>
            </Text>
            <Button variant="default" size="compact-sm" flex="none" loading={save.isPending} onClick={() => unmute(mute)}>
              Unmute
            </Button>
          </Group>
        ))}
        {save.error && <ErrorNotice error={save.error} title="Could not unmute it" />}
      </Stack>
    </Section>
  );
}
