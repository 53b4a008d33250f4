import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Payment } from '#sdk/protocol/http';
import { formatAmount } from '../../../parts/format';

export interface ConfirmDestructiveProps {
  action: string;
  /** Undefined for a free action. */
  price: Payment | undefined;
  /** Name of the agent key. */
  agent: string;
  opened: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

export function ConfirmDestructive({ action, price, agent, opened, onCancel, onConfirm }: ConfirmDestructiveProps) {
  return (
    <Modal opened={opened} onClose={onCancel} title="Run a destructive action?" centered>
      <Stack gap="md">
        <Text size="sm">
          <span className="ids">{action}</span> is marked as destructive by its toolkit: it can delete or overwrite data. It runs for real,
          as the agent “{agent}”{price && `, and costs up to ${formatAmount(price.amount, price.currency)}`}.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" onClick={onConfirm}>
            Run
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
