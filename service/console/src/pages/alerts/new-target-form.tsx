import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { NewAlertTarget } from '#sdk/protocol/alert-schemas';
import type { AlertTargetKind } from '#sdk/protocol/alerts';
import { useAddTarget } from '../../api/alerts';
import { CopyLine } from '../../parts/copy-line';
import { ErrorNotice } from '../../parts/error-notice';

const KINDS: { value: AlertTargetKind; label: string }[] = [
  { value: 'webhook', label: 'Webhook' },
  { value: 'slack', label: 'Slack' },
  { value: 'email', label: 'E-mail' },
];

export function NewTargetForm() {
  const [kind, setKind] = useState<AlertTargetKind>('webhook');
  const [fields, setFields] = useState({ url: '', to: '', from: '', smtpUrl: '' });
  const add = useAddTarget();
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => setFields({ ...fields, [name]: value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(targetOf(kind, fields), { onSuccess: () => setFields({ url: '', to: '', from: '', smtpUrl: '' }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SegmentedControl aria-label="Kind of target" data={KINDS} value={kind} onChange={(chosen) => setKind(chosen as AlertTargetKind)} />
        {kind === 'email' ? (
          <>
            <TextInput label="To" description="Addresses, separated by commas" required {...field('to')} />
            <TextInput label="From" required {...field('from')} />
            <TextInput
              label="SMTP server"
              type="password"
              autoComplete="off"
              description="smtps://user:password@host:465. Empty: SVC_SMTP_URL of the service. It is stored sealed, and not shown again."
              {...field('smtpUrl')}
            />
          </>
        ) : (
          <TextInput
            label="Address"
            type="url"
            required
            description={
              kind === 'slack' ? "Slack's incoming webhook. It is stored sealed, and not shown again." : 'It gets signed messages.'
            }
            {...field('url')}
          />
        )}
        {add.error && <ErrorNotice error={add.error} title="Could not add the target" />}
        {add.data?.secret !== undefined && (
          <Stack gap={4} role="status">
            <Text size="sm">Added, with the secret that signs the messages. Copy it now: it is not shown again.</Text>
            <CopyLine value={add.data.secret} label="Secret" />
          </Stack>
        )}
        <Group>
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function targetOf(
  kind: AlertTargetKind,
  { url, to, from, smtpUrl }: { url: string; to: string; from: string; smtpUrl: string },
): NewAlertTarget {
  if (kind !== 'email') return { kind, url: url.trim() };
  const addresses = to
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return { kind, to: addresses, from: from.trim(), ...(smtpUrl !== '' && { smtpUrl }) };
}
