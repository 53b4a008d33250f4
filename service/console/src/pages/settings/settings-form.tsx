/** The settings that owners can change. Nothing changes before they save. */
import { Button, Group, NumberInput, Paper, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { ConnectApps, ContentKept, SearchTexts, Settings, WantedTexts } from '#sdk/protocol/admin';
import { useChangeSettings } from '../../api/settings';
import { ErrorNotice } from '../../parts/error-notice';
import { formatBytes } from '../../parts/format';
import { Section } from '../../parts/section';
import { useUnsavedChanges } from '../../parts/unsaved-changes';
import { changedSettings, lossOf } from './changed-settings';
import { ChoiceSetting } from './choice-setting';
import { RuleDefaultsSetting } from './rule-defaults-setting';

const CONTENT: Record<ContentKept, { label: string; meaning: string }> = {
  off: {
    label: 'Never',
    meaning: 'Only the key, the action, the time, the outcome and the duration. Deletes stored payloads and results immediately.',
  },
  errors: {
    label: 'Failed calls only',
    meaning: 'Shows what a model sent when a call failed. Content already stored for other calls stays until its retention ends.',
  },
  all: {
    label: 'All calls',
    meaning: 'Owners can read everything agents send and receive; members can for their own keys and toolkits.',
  },
};

const TEXTS: Record<SearchTexts, { label: string; meaning: string }> = {
  off: { label: 'Never', meaning: 'The Demand page stays empty.' },
  unmet: { label: 'Unmet searches only', meaning: 'The Demand page shows searches that no toolkit answers yet.' },
  all: {
    label: 'All searches',
    meaning: 'Toolkits also show which searches found them. Search texts can contain personal data.',
  },
};

const WANTED: Record<WantedTexts, { label: string; meaning: string }> = {
  members: { label: 'To members', meaning: 'The texts that they see on the Demand page.' },
  public: {
    label: 'To everyone',
    meaning: 'In a public catalogue, strangers see texts that the agents of at least three keys sent.',
  },
};

const CONNECT: Record<ConnectApps, { label: string; meaning: string }> = {
  everyone: { label: 'Everybody', meaning: 'Each person for themselves. The app gets a key with the limits that the person chooses.' },
  owners: { label: 'Owners only', meaning: 'Members cannot connect new apps. Apps that they connected before stay connected.' },
  off: { label: 'No one', meaning: 'No new apps. Connected apps stay connected: disconnect them on the People page.' },
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
  const blocker = useUnsavedChanges(isChanged);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(changed, {
      onSuccess: () => {
        setDraft({});
        notifications.show({ message: 'Settings saved.' });
      },
    });
  };
  return (
    <form onSubmit={submit}>
      {blocker}
      <Stack gap="md">
        <Section title="Payloads and results" description="The input and output of each call, shown on its page.">
          <Stack gap="lg">
            <ChoiceSetting
              label="Store payloads and results"
              value={shown.content}
              choices={CONTENT}
              onChange={(content) => change({ content })}
            />
            <NumberInput
              label="Maximum stored size"
              description={`In bytes (${formatBytes(shown.contentBytes)}). Longer payloads and results are truncated. Applies to new calls.`}
              value={shown.contentBytes}
              onChange={(value) => typeof value === 'number' && change({ contentBytes: value })}
              step={1_024}
              thousandSeparator=","
              allowDecimal={false}
              maw="16rem"
              disabled={shown.content === 'off'}
            />
            <TagsInput
              label="Fields to redact"
              description="Values of fields with these names are stored as [redacted], at any depth, ignoring case. Applies to new calls. Press Enter to add a name."
              value={shown.redact}
              onChange={(redact) => change({ redact })}
              clearable
            />
          </Stack>
        </Section>
        <Section title="Retention" description="How long records of calls are stored.">
          <NumberInput
            label="Delete records of calls after"
            description="Older records are deleted permanently. A shorter time takes effect within minutes."
            value={shown.retentionDays}
            onChange={(value) => typeof value === 'number' && change({ retentionDays: value })}
            suffix={shown.retentionDays === 1 ? ' day' : ' days'}
            allowDecimal={false}
            maw="16rem"
          />
        </Section>
        <Section title="Search texts" description="The searches of agents, counted by text and day.">
          <Stack gap="lg">
            <ChoiceSetting
              label="Store search texts"
              value={shown.searchTexts}
              choices={TEXTS}
              onChange={(searchTexts) => change({ searchTexts })}
            />
            <ChoiceSetting
              label="Show what is wanted in the catalogue"
              value={shown.wantedTexts}
              choices={WANTED}
              onChange={(wantedTexts) => change({ wantedTexts })}
            />
          </Stack>
        </Section>
        <Section title="Traces" description="A call with an OpenTelemetry trace has the trace's id in its record.">
          <TextInput
            label="Address of a trace"
            description="The records of calls link to it. {traceId} is replaced by the id. Empty: no links."
            placeholder="https://jaeger.example/trace/{traceId}"
            value={shown.traceUrl}
            onChange={({ currentTarget }) => change({ traceUrl: currentTarget.value.trim() })}
            maw="34rem"
            spellCheck={false}
          />
        </Section>
        <Section title="Connected apps" description="Apps that people connect by signing in, such as Claude, ChatGPT or an editor.">
          <Stack gap="lg">
            <ChoiceSetting
              label="People who may connect apps"
              value={shown.connectApps}
              choices={CONNECT}
              onChange={(connectApps) => change({ connectApps })}
            />
            <TagsInput
              label="Allowed apps"
              description="By their host, such as claude.ai or chatgpt.com; localhost for apps on a person's computer; cursor: for apps that open with links like cursor://…. Empty: any app. Press Enter to add one."
              value={shown.connectAppHosts}
              onChange={(connectAppHosts) => change({ connectAppHosts })}
              disabled={shown.connectApps === 'off'}
              clearable
            />
          </Stack>
        </Section>
        <Section
          title="Defaults by hint"
          description="The effects for calls that no rule of their key matches, by the hints of their action. Of several hints, and of the defaults that the service was started with, the strictest counts. Calls that ask are on the Approvals page."
        >
          <RuleDefaultsSetting value={shown.ruleDefaults} onChange={(ruleDefaults) => change({ ruleDefaults })} />
        </Section>
        {save.error && <ErrorNotice error={save.error} title="Could not save the settings" />}
        {isChanged && (
          <Paper withBorder p="sm" className="save-bar">
            <Group justify="space-between">
              <Text size="sm" c={loss ? 'var(--text-alarming)' : 'dimmed'} role="status" flex="1 1 16rem">
                {loss ?? 'You have unsaved changes.'}
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
