/** The secret of a new key, this once: it is in the state of whoever shows this, and goes with it. */
import { Alert, Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import type { CreatedKey } from '../../../../src/protocol/http';
import { CopyLine } from '../../parts/copy-line';
import { SnippetTabs } from '../start/snippet-tabs';
import { AGENT_SNIPPETS, TOOLKIT_SNIPPETS } from '../start/snippets';
import { useExampleCall } from '../start/use-example-call';

export interface SecretOnceProps {
  made: CreatedKey;
  /** Of the service. */
  url: string;
  onDone: () => void;
}

export function SecretOnce({ made, url, onDone }: SecretOnceProps) {
  const [opened, { toggle }] = useDisclosure();
  const example = useExampleCall();
  return (
    <Alert variant="light" icon={<IconKey size={18} />} title="Copy the key now" role="status">
      <Stack gap="sm">
        <Text size="sm">It is shown this once. The service keeps only a fingerprint of it, so nobody can show it again.</Text>
        <CopyLine label={`Key ${made.name}`} value={made.key} />
        {made.kind !== 'admin' && (
          <Collapse expanded={opened}>
            <SnippetTabs
              snippets={made.kind === 'agent' ? AGENT_SNIPPETS : TOOLKIT_SNIPPETS}
              url={url}
              secret={made.key}
              example={example}
            />
          </Collapse>
        )}
        <Group gap="sm">
          <Button size="xs" onClick={onDone}>
            I have it
          </Button>
          {made.kind !== 'admin' && (
            <Button size="xs" variant="default" onClick={toggle} aria-expanded={opened}>
              {opened ? 'Hide the snippets' : 'Snippets with this key'}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
