import { Button, Code, Stack, Text } from '@mantine/core';
import { CardPage } from '../../parts/card-page';
import { CodeBlock } from '../../parts/code-block';

/** No account exists: only the operator of the service can create the first one. */
export function NotSetUp({ again }: { again: () => void }) {
  return (
    <CardPage title="No accounts yet" description="The operator of this service creates the first account.">
      <Stack>
        <Text size="sm">The terminal that started the service shows a one-time link. Open it to become the owner.</Text>
        <Text size="sm">Lost the link? Run this where the service runs:</Text>
        <CodeBlock
          label="Command that creates an invitation for an owner"
          wrap
          code={`npx svc-service people invite --role owner --data ./svc-data --url ${window.location.origin}`}
        />
        <Text size="sm" c="dimmed">
          Replace <Code>./svc-data</Code> with the data directory that <Code>svc-service serve</Code> was started with. For PostgreSQL, use{' '}
          <Code>--database</Code> instead.
        </Text>
        <Button variant="default" onClick={again}>
          Check again
        </Button>
      </Stack>
    </CardPage>
  );
}
