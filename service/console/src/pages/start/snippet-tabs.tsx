/** A snippet for each stack, in the language of the person. */
import { Button, Group, SegmentedControl, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { ExampleCall } from '../../../../src/snippets/snippet';
import { SDK_LANGUAGES, type SdkLanguage, type Snippet } from '../../../../src/snippets/snippet';
import { CodeBlock } from '../../parts/code-block';
import { useSdkLanguage } from './use-sdk-language';

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
  const [language, setLanguage] = useSdkLanguage();
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = snippets.filter(({ sdk }) => sdk === undefined || sdk === language);
  // The other language may not have the chosen stack.
  const { id: stack = null } = shown.find(({ id }) => id === chosen) ?? shown[0] ?? {};
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        size="xs"
        aria-label="Language"
        value={language}
        onChange={(value) => setLanguage(value as SdkLanguage)}
        data={Object.entries(SDK_LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <Tabs value={stack} onChange={setChosen} variant="pills" keepMounted={false} w="100%">
        <Tabs.List mb="sm" aria-label="Stack">
          {shown.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {shown.map(({ id, label, note, install, code, run, links }) => (
          <Tabs.Panel key={id} value={id}>
            <Stack gap="xs">
              <Text size="sm" c="dimmed">
                {note}
              </Text>
              {install && <CodeBlock label={`Install for ${label}`} code={install} />}
              <CodeBlock label={label} code={code(url, secret, { name, example })} />
              {links && (
                <Group gap="xs">
                  {links(url).map((link) => (
                    <Button key={link.label} component="a" href={link.href} variant="default" size="xs">
                      {link.label}
                    </Button>
                  ))}
                </Group>
              )}
              {run && <CodeBlock label={`Run ${label}`} code={run} />}
            </Stack>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
