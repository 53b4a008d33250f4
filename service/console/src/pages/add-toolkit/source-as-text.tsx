import { Stack } from '@mantine/core';
import { CodeBlock } from '../../parts/code-block';
import { Section } from '../../parts/section';
import { addCommandOf, yamlOf } from './source-texts';
import type { SourceValues } from './source-values';

/** The source for another machine. */
export function SourceAsText({ values }: { values: SourceValues }) {
  return (
    <Section
      title="On another machine"
      description="The command shows what agents would see, and writes the lines. Then svc-service run serves them."
    >
      <Stack gap="sm">
        <CodeBlock label="Command" code={addCommandOf(values)} wrap />
        <CodeBlock label="Lines of toolkits.yaml" code={yamlOf(values)} />
      </Stack>
    </Section>
  );
}
