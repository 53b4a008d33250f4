/** What owners can change; nothing is changed before "Save". */
import { Button, Group, NumberInput, Paper, Stack, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { ContentKept, SearchTexts, Settings } from '../../../../src/protocol/admin';
import { useChangeSettings } from '../../api/settings';
import { ErrorNotice } from '../../parts/error-notice';
import { formatBytes } from '../../parts/format';
import { Section } from '../../parts/section';
import { changedSettings, lossOf } from './changed-settings';
import { ChoiceSetting } from './choice-setting';

const CONTENT: Record<ContentKept, { label: string; meaning: string }> = {
  off: {
    label: 'Of no call',
    meaning: 'Only who called what, when, how it ended and how long it took. Choosing this deletes what is kept now, at once.',
  },
  errors: {
    label: 'Of calls that failed',
    meaning: 'You see what a model sent when something went wrong. What is kept of other calls stays until its days are over.',
  },
  all: {
    label: 'Of all calls',
    meaning: 'Everything that agents send and get can be read here by owners, and by members for their own keys and toolkits.',
  },
};

const TEXTS: Record<SearchTexts, { label: string; meaning: string }> = {
  off: { label: 'Of no search', meaning: 'The demand page stays empty.' },
  unmet: { label: 'Of searches that found nothing', meaning: 'The demand page shows what agents look for and nobody offers.' },
  all: {
    label: 'Of all searches',
    meaning: 'Toolkits also see which searches found them. Texts that agents write can hold personal data.',
  },
};

export function SettingsForm({ stored }: { stored: Settings }) {
  const [draft, setDraft] = useState<Partial<Settings>>({});
  const save = useChangeSettings();
  const shown = { ...stored, ...draft };
  const changed = changedSettings(stored, draft);
  const isChanged = Object.keys(changed).length > 0;
  const loss = lossOf(stored, changed);
  const change = (part: Partial<Settings>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(changed, {
      onSuccess: () => {
        setDraft({});
        notifications.show({ message: 'The settings are saved.' });
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Section title="Payloads and results" description="What went into a call and what came out of it, to be read on its page.">
          <Stack gap="lg">
            <ChoiceSetting label="Keep them" value={shown.content} choices={CONTENT} onChange={(content) => change({ content })} />
            <NumberInput
              label="Bytes of each at most"
              description={`What is longer is cut at its end: ${formatBytes(shown.contentBytes)}. Holds for calls from now on.`}
              value={shown.contentBytes}
              onChange={(value) => typeof value === 'number' && change({ contentBytes: value })}
              step={1_024}
              thousandSeparator=","
              allowDecimal={false}
              maw="16rem"
              disabled={shown.content === 'off'}
            />
            <TagsInput
              label="Names whose values are never kept"
              description="Members of payloads and results with these names, in any case and at any depth, are kept as [redacted]. Holds for calls from now on. Enter adds a name."
              value={shown.redact}
              onChange={(redact) => change({ redact })}
              clearable
            />
          </Stack>
        </Section>
        <Section title="Days" description="How long anything of a call is kept.">
          <NumberInput
            label="Delete records of calls after"
            description="Older records are deleted for good, within minutes also when you make it fewer days now."
            value={shown.retentionDays}
            onChange={(value) => typeof value === 'number' && change({ retentionDays: value })}
            suffix={shown.retentionDays === 1 ? ' day' : ' days'}
            allowDecimal={false}
            maw="16rem"
          />
        </Section>
        <Section title="Texts of searches" description="What agents looked for, counted by text and day.">
          <ChoiceSetting label="Keep them" value={shown.searchTexts} choices={TEXTS} onChange={(searchTexts) => change({ searchTexts })} />
        </Section>
        {save.error && <ErrorNotice error={save.error} title="The settings are not saved" />}
        {isChanged && (
          <Paper withBorder p="sm" className="save-bar">
            <Group justify="space-between">
              <Text size="sm" c={loss ? 'var(--text-alarming)' : 'dimmed'} role="status" flex="1 1 16rem">
                {loss ?? 'There are changes that are not saved.'}
              </Text>
              <Group gap="xs">
                <Button variant="default" onClick={() => setDraft({})}>
                  Discard
                </Button>
                <Button type="submit" loading={save.isPending} color={loss ? 'red' : 'brand'}>
                  {loss ? 'Save and delete' : 'Save'}
                </Button>
              </Group>
            </Group>
          </Paper>
        )}
      </Stack>
    </form>
  );
}
