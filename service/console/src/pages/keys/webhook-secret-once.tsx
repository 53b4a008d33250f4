/** The secret that signs the messages to the webhook of an app, shown once: only the state of the parent component holds it. */
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { CopyLine } from '../../parts/copy-line';

export function WebhookSecretOnce({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text fw={600} role="status">
          Copy the webhook secret now
        </Text>
        <Text size="sm" c="dimmed">
          It is shown only once. The app checks with it that a message is the service's.
        </Text>
        <CopyLine label="Webhook secret" value={secret} />
        <Group>
          <Button onClick={onDone}>I've saved it</Button>
        </Group>
      </Stack>
    </Paper>
  );
}
