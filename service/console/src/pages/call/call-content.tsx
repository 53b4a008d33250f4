/** Payload, result, and the error as the model saw it, if they are stored. */
import { Alert, Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InvocationDetail, KeptContent } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { CodeBlock } from '../../parts/code-block';
import { ContentBlocks } from '../../parts/content/content-blocks';
import { Section } from '../../parts/section';
import { readStored, type StoredResult } from './read-stored';
import { readable } from './readable-json';

const WHY = {
  off: 'Payloads and results are not stored (see Settings).',
  'not an error': 'Only failed calls are stored (see Settings).',
  'not ended': 'Available when the call has ended.',
  gone: 'Not stored (see Settings → Stored data).',
} as const;

const ERROR_TITLE = 'Error as the model saw it';

export function CallContent({ call: { payload, result, error, code } }: { call: InvocationDetail }) {
  const isFailed = code !== undefined && code !== 'OK';
  return (
    <Stack gap="md">
      {error && (
        <Section title={ERROR_TITLE}>
          <CodeBlock code={JSON.stringify({ error }, null, 2)} label="Error as JSON" wrap />
        </Section>
      )}
      {/* A result that was cut cannot be parsed as an error, so it is shown as text. */}
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
  const { json, blocks }: StoredResult = title === 'Result' && !content.cut ? readStored(content.json) : { json: content.json };
  return (
    <Section title={title}>
      <Stack gap="xs">
        {blocks && <ContentBlocks blocks={blocks} />}
        {json !== undefined && <CodeBlock code={readable(json)} label={`${title} as JSON`} wrap />}
        {content.cut && (
          <Alert color="gray" variant="light" p="xs">
            Longer than the maximum stored size: the end is cut off.
          </Alert>
        )}
        {content.json.includes('[redacted]') && (
          <Text size="xs" c="dimmed">
            [redacted] replaces values of the fields to redact (see Settings). They were never stored.
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
