/** A snippet for each stack. */
import { Stack, Tabs, Text } from '@mantine/core';
import { CodeBlock } from '../../parts/code-block';
import type { ExampleCall } from './example-call';
import type { Snippet } from './snippets';

export interface SnippetTabsProps {
  snippets: readonly Snippet[];
  /** Address of the service. */
  url: string;
  /** Secret of the key, or a placeholder for it. */
  secret: string;
  /** Name of the key. */
  name: string;
  /** The example call, for snippets that name an action. */
  example?: ExampleCall | undefined;
}

export function SnippetTabs({ snippets, url, secret, name, example }: SnippetTabsProps) {
  return (
    <Tabs defaultValue={snippets[0]?.id ?? null} variant="pills" keepMounted={false}>
      <Tabs.List mb="sm" aria-label="Stack">
        {snippets.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, label, note, install, code, run }) => (
        <Tabs.Panel key={id} value={id}>
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              {note}
            </Text>
            {install && <CodeBlock label={`Install for ${label}`} code={install} />}
            <CodeBlock label={label} code={code(url, secret, { name, example })} />
            {run && <CodeBlock label={`Run ${label}`} code={run} />}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
