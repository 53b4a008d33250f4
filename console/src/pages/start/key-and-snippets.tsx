/** The key of a step: made just now, with its secret; made before, without; or still to be made. */
import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedKey, KeyInfo } from '../../../../src/protocol/http';
import { CopyLine } from '../../parts/copy-line';
import { TimeAgo } from '../../parts/time-ago';
import type { ExampleCall } from './example-call';
import { MakeKey } from './make-key';
import { SnippetTabs } from './snippet-tabs';
import type { Snippet } from './snippets';

export interface KeyAndSnippetsProps {
  kind: 'agent' | 'toolkit';
  url: string;
  made: CreatedKey | undefined;
  /** One that works, which may be the one that was made just now. */
  existing: KeyInfo | undefined;
  defaultName: string;
  snippets: readonly Snippet[];
  /** What the snippets call. */
  example?: ExampleCall;
  onMade: (made: CreatedKey) => void;
}

export function KeyAndSnippets({ kind, url, made, existing, defaultName, snippets, example, onMade }: KeyAndSnippetsProps) {
  const [again, setAgain] = useState(false);
  const hidden = `svc_${kind}_…`;
  const take = (key: CreatedKey) => {
    setAgain(false);
    onMade(key);
  };
  if (!existing) return <MakeKey kind={kind} defaultName={defaultName} action={`Make the ${kind} key`} onMade={take} />;
  return (
    <Stack>
      {made ? (
        <div>
          <CopyLine label={`Key ${made.name}`} value={made.key} />
          <Text size="sm" c="dimmed" mt={6}>
            It is shown this once: it is in the snippets below too, until you leave this page.
          </Text>
        </div>
      ) : (
        <Group justify="space-between" gap="xs">
          <Text size="sm" flex="1 1 16rem">
            You have the key{' '}
            <Anchor inherit underline="always" renderRoot={(props) => <Link to="/keys" search={{ id: existing.id }} {...props} />}>
              {existing.name}
            </Anchor>
            , made <TimeAgo at={existing.createdAt} />. Its secret was shown then and cannot be shown again: put it where{' '}
            <Code>{hidden}</Code> stands.
          </Text>
          {!again && (
            <Button size="xs" variant="default" onClick={() => setAgain(true)}>
              Make another key
            </Button>
          )}
        </Group>
      )}
      {again && <MakeKey kind={kind} defaultName={defaultName} action="Make another key" onMade={take} />}
      <SnippetTabs snippets={snippets} url={url} secret={made?.key ?? hidden} example={example} />
    </Stack>
  );
}
