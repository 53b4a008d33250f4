/** Asks how long the old secret of a key works beside the new one, and rotates it. */
import { Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnedKey } from '#sdk/protocol/admin';
import type { CreatedKey } from '#sdk/protocol/http';
import { rotateKey } from '../../api/keys';
import { ConfirmModal } from '../../parts/confirm-modal';

const HOUR_SECONDS = 3_600;

const OVERLAPS = [
  { seconds: 0, label: 'Stops at once' },
  { seconds: HOUR_SECONDS, label: 'Works for an hour' },
  { seconds: 24 * HOUR_SECONDS, label: 'Works for a day' },
  { seconds: 7 * 24 * HOUR_SECONDS, label: 'Works for a week' },
] as const;

export interface RotateModalProps {
  info: OwnedKey;
  /** The effect on programs whose secret has stopped. */
  afterEnd: string;
  onRotated: (created: CreatedKey) => void;
  onClose: () => void;
}

export function RotateModal({ info: { id, name, formerSecretUntil }, afterEnd, onRotated, onClose }: RotateModalProps) {
  const [seconds, setSeconds] = useState(0);
  const queryClient = useQueryClient();
  const rotate = async () => {
    onRotated(await rotateKey(id, seconds));
    await queryClient.invalidateQueries({ queryKey: ['keys'] });
  };
  return (
    <ConfirmModal title={`Rotate the secret of ${name}?`} action="Rotate secret" onConfirm={rotate} onClose={onClose}>
      <Stack gap="sm">
        <Radio.Group label="The old secret" value={String(seconds)} onChange={(value) => setSeconds(Number(value))}>
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(({ seconds, label }) => (
              <Radio key={seconds} value={String(seconds)} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Text size="sm">
          When it has stopped, {afterEnd} until each program has the new one. The key keeps its id, name and access.
          {seconds > 0 && ' Choose “at once” for a secret that others may have seen.'}
          {formerSecretUntil !== undefined && ' The secret before the old one stops now.'}
        </Text>
      </Stack>
    </ConfirmModal>
  );
}
