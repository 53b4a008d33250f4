/** The secret of a new key, shown once: only the state of the parent component holds it. */
import { Button, Collapse, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CreatedKey } from '#sdk/protocol/http';
import { AGENT_SNIPPETS, TOOLKIT_SNIPPETS } from '../../../../src/snippets/snippets';
import { CopyLine } from '../../parts/copy-line';
import { SnippetTabs } from '../start/snippet-tabs';
import { useExampleCall } from '../start/use-example-call';

export interface SecretOnceProps {
  made: CreatedKey;
  /** Address of the service. */
  url: string;
  onDone: () => void;
}

export function SecretOnce({ made, url, onDone }: SecretOnceProps) {
  const [opened, { toggle }] = useDisclosure();
  const example = useExampleCall();
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text fw={600} role="status">
          Copy the key now
        </Text>
        <Text size="sm" c="dimmed">
          It is shown only once. The service stores only a hash of it.
        </Text>
        <CopyLine label={`Key ${made.name}`} value={made.key} />
        {made.kind !== 'admin' && (
          <Collapse expanded={opened}>
            <SnippetTabs
              snippets={made.kind === 'agent' ? AGENT_SNIPPETS : TOOLKIT_SNIPPETS}
              url={url}
              secret={made.key}
              name={made.name}
              example={example}
            />
          </Collapse>
        )}
        <Group gap="sm">
          <Button onClick={onDone}>I've saved it</Button>
          {made.kind !== 'admin' && (
            <Button variant="default" onClick={toggle} aria-expanded={opened}>
              {opened ? 'Hide the snippets' : 'Snippets with this key'}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
