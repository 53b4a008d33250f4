/** The three things to keep of a conversation: a program, golden queries, a wish that nothing fits. */
import { Anchor, Button, Group, Modal, Select, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/request';
import { CodeBlock } from '../../parts/code-block';
import { FormError } from '../../parts/form-error';
import type { ConversationSetup } from './conversation/conversation';
import type { TraceStep } from './conversation/items';
import { programsOf } from './get-code';
import { goldenFile, readGoldenQueries, removeGoldenQuery, saveGoldenQuery } from './golden-queries';

export function CodeModal({
  setup,
  question,
  url,
  onClose,
}: {
  setup: ConversationSetup;
  question: string;
  url: string;
  onClose: () => void;
}) {
  const programs = programsOf(setup, question, url);
  return (
    <Modal opened onClose={onClose} title="The same conversation as a program" size="xl">
      <Tabs defaultValue={programs[0]?.label ?? null}>
        <Tabs.List>
          {programs.map(({ label }) => (
            <Tabs.Tab key={label} value={label}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {programs.map(({ label, code }) => (
          <Tabs.Panel key={label} value={label} pt="sm">
            <CodeBlock code={code} label={`Program in ${label}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Modal>
  );
}

export function GoldenModal({ steps, onClose }: { steps: readonly TraceStep[]; onClose: () => void }) {
  const searches = steps.flatMap((step) => (step.kind === 'search' ? [step] : []));
  const [query, setQuery] = useState(searches[0]?.query ?? '');
  const called = steps.flatMap((step) => (step.kind === 'call' ? [step.action] : []));
  const choices = [...new Set([...called, ...searches.flatMap(({ shown }) => shown)])];
  const [action, setAction] = useState(choices[0] ?? '');
  const [saved, setSaved] = useState(readGoldenQueries);
  const file = `data:application/json;charset=utf-8,${encodeURIComponent(goldenFile(saved))}`;
  return (
    <Modal opened onClose={onClose} title="Golden queries" size="lg">
      <Stack>
        <Text size="sm">
          A query, and the action that a search should find for it. The file is for <code>svc-service lint --queries</code>.
        </Text>
        <TextInput label="Query" value={query} onChange={({ currentTarget }) => setQuery(currentTarget.value)} dir="auto" />
        <Select label="Action" data={choices} value={action} onChange={(chosen) => setAction(chosen ?? '')} searchable />
        <Button disabled={query.trim() === '' || action === ''} onClick={() => setSaved(saveGoldenQuery(query.trim(), action))}>
          Save
        </Button>
        {saved.length > 0 && (
          <>
            <ul aria-label="Saved golden queries" className="plain-list">
              {saved.map(({ query: text, actions }) => (
                <li key={text}>
                  <Group justify="space-between" wrap="nowrap">
                    <Text size="sm" className="written">
                      {text}: <span className="ids">{actions.join(', ')}</span>
                    </Text>
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="gray"
                      aria-label={`Remove: ${text}`}
                      onClick={() => setSaved(removeGoldenQuery(text))}
                    >
                      Remove
                    </Button>
                  </Group>
                </li>
              ))}
            </ul>
            <Anchor href={file} download="golden-queries.yaml" size="sm">
              Download as a file
            </Anchor>
          </>
        )}
      </Stack>
    </Modal>
  );
}

export function NothingFitsModal({ keyId, query: first, onClose }: { keyId: string; query: string; onClose: () => void }) {
  const [query, setQuery] = useState(first);
  const reporting = useMutation({
    mutationFn: () => api('POST /v1/keys/{id}/nothing-fits', { params: { id: keyId }, body: { query } }),
  });
  return (
    <Modal opened onClose={onClose} title="Report that nothing fits" centered>
      <Stack>
        <Text size="sm">
          The wish becomes a row of Demand, as a search of this agent that found nothing. Nothing else in the playground does that.
        </Text>
        <TextInput label="Wish" value={query} onChange={({ currentTarget }) => setQuery(currentTarget.value)} dir="auto" />
        <FormError error={reporting.error} />
        {reporting.data && (
          <Text size="sm" role="status">
            {reporting.data.counted
              ? 'Counted. It is on Demand within seconds.'
              : 'Not counted: this service keeps no texts of searches (Settings).'}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button disabled={query.trim() === '' || reporting.isSuccess} loading={reporting.isPending} onClick={() => reporting.mutate()}>
            Report
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
