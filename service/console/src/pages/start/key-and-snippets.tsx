/** The key of a step: just created, with its secret; created earlier and unused; or not created yet. */
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { OwnedKeysPage } from '#sdk/protocol/admin';
import type { CreatedKey, KeyInfo } from '#sdk/protocol/http';
import type { ExampleCall, Snippet } from '../../../../src/snippets/snippet';
import { CopyLine } from '../../parts/copy-line';
import { formatPlural } from '../../parts/format';
import { TimeAgo } from '../../parts/time-ago';
import { MakeKey } from './make-key';
import { SnippetTabs } from './snippet-tabs';
import { freeName } from './unused-key';

/** The key of a step, and the data that the step shows. */
export interface StepKey {
  /** Address of the service. */
  url: string;
  /** The key that was created on this visit. */
  created: CreatedKey | undefined;
  /** The key in the snippets: the created one, or an unused one. */
  current: KeyInfo | undefined;
  /** The newest active keys of the person, and the number of all. */
  own: OwnedKeysPage;
  onCreated: (created: CreatedKey) => void;
}

export interface KeyAndSnippetsProps extends StepKey {
  kind: 'agent' | 'toolkit';
  defaultName: string;
  snippets: readonly Snippet[];
  /** The call in the snippets. */
  example?: ExampleCall | undefined;
}

export function KeyAndSnippets({ kind, url, created, current, own, defaultName, snippets, example, onCreated }: KeyAndSnippetsProps) {
  const [again, setAgain] = useState(false);
  const hidden = `svc_${kind}_…`;
  const take = (key: CreatedKey) => {
    setAgain(false);
    onCreated(key);
  };
  const form = (action: string) => <MakeKey kind={kind} defaultName={freeName(defaultName, own.keys)} action={action} onMade={take} />;
  if (!current)
    return (
      <Stack>
        {own.total > 0 && (
          <Text size="sm">
            You already use{' '}
            <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" search={{ kind }} {...props} />}>
              {formatPlural(own.total, `${kind} key`)}
            </Anchor>
            . Create another one for a new {kind === 'agent' ? 'agent' : 'toolkit'}.
          </Text>
        )}
        {form(`Create ${kind} key`)}
      </Stack>
    );
  return (
    <Stack>
      {created ? (
        <div>
          <CopyLine label={`Key ${created.name}`} value={created.key} />
          <Text size="sm" c="dimmed" mt={6}>
            Shown only once. The snippets below contain it until you leave this page.
          </Text>
        </div>
      ) : (
        <Group justify="space-between" gap="xs">
          <Text size="sm" flex="1 1 16rem">
            You created the key{' '}
            <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" search={{ id: current.id }} {...props} />}>
              {current.name}
            </Anchor>{' '}
            <TimeAgo at={current.createdAt} /> and have not used it yet. Its secret cannot be shown again: replace <Code>{hidden}</Code>{' '}
            with it.
          </Text>
          {!again && (
            <Button size="xs" variant="default" onClick={() => setAgain(true)}>
              Create another key
            </Button>
          )}
        </Group>
      )}
      {again && form('Create another key')}
      <SnippetTabs snippets={snippets} url={url} secret={created?.key ?? hidden} name={current.name} example={example} />
    </Stack>
  );
}
