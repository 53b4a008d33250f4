/** What went in, what came out, and the error as the model saw it: as far as any of it is kept. */
import { Alert, Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InvocationDetail, KeptContent } from '../../../../src/protocol/admin';
import { meQuery } from '../../api/me';
import { CodeBlock } from '../../parts/code-block';
import { Section } from '../../parts/section';
import { readable } from './readable-json';

const WHY = {
  off: 'Payloads and results are not kept: the settings say so.',
  'not an error': 'Kept are only payloads and results of calls that failed: the settings say so.',
  'not ended': 'It is there when the call has ended.',
  gone: 'It is not kept any more, or was not kept when the call was made.',
} as const;

const ERROR_TITLE = 'Error as the model saw it';

export function CallContent({ call: { payload, result, error, code } }: { call: InvocationDetail }) {
  const isFailed = code !== undefined && code !== 'OK';
  return (
    <Stack gap="md">
      {error && (
        <Section title={ERROR_TITLE}>
          <CodeBlock code={JSON.stringify({ error }, null, 2)} label="Error as JSON" />
        </Section>
      )}
      {/* What was cut cannot be read as an error. */}
      {isFailed && !error && 'json' in result && <Content title={ERROR_TITLE} content={result} />}
      <SimpleGrid cols={{ base: 1, lg: isFailed ? 1 : 2 }}>
        <Content title="Payload" content={payload} />
        {!isFailed && <Content title="Result" content={result} />}
      </SimpleGrid>
    </Stack>
  );
}

function Content({ title, content }: { title: string; content: KeptContent }) {
  if ('kept' in content)
    return (
      <Section title={title}>
        <Text size="sm" c="dimmed">
          {WHY[content.why]} {(content.why === 'off' || content.why === 'not an error') && <ToSettings />}
        </Text>
      </Section>
    );
  return (
    <Section title={title}>
      <Stack gap="xs">
        <CodeBlock code={readable(content.json)} label={`${title} as JSON`} />
        {content.cut && (
          <Alert color="gray" variant="light" p="xs">
            It was longer than what the settings let be kept: the end is cut off.
          </Alert>
        )}
        {content.json.includes('[redacted]') && (
          <Text size="xs" c="dimmed">
            [redacted] stands where a value has a name that the settings list; the value was not kept.
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function ToSettings() {
  const { data: me } = useSuspenseQuery(meQuery);
  if (me.role !== 'owner') return <>An owner can change that.</>;
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to="/settings" {...props} />}>
      Change the settings
    </Anchor>
  );
}
