import { Button, Group, Modal, Stack, Text } from '@mantine/core';

export interface ConfirmDestructiveProps {
  action: string;
  /** Name of the key. */
  agent: string;
  opened: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

export function ConfirmDestructive({ action, agent, opened, onCancel, onConfirm }: ConfirmDestructiveProps) {
  return (
    <Modal opened={opened} onClose={onCancel} title="Run a destructive action?" centered>
      <Stack gap="md">
        <Text size="sm">
          <span className="ids">{action}</span> may destroy or overwrite something, as its toolkit says. It runs for real, as the agent “
          {agent}”.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} data-autofocus>
            Do not run it
          </Button>
          <Button color="red.9" onClick={onConfirm}>
            Run it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
