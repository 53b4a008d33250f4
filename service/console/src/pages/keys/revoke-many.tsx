/** Revokes the chosen keys, after a question that names them. */
import { List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { OwnedKey } from '#sdk/protocol/admin';
import { revokeKey } from '../../api/keys';
import { ConfirmModal } from '../../parts/confirm-modal';
import { formatPlural } from '../../parts/format';

const MOST_NAMED = 8;

export function RevokeMany({ keys, onClose }: { keys: readonly OwnedKey[]; onClose: () => void }) {
  const queryClient = useQueryClient();
  const revoke = async () => {
    let revoked = 0;
    try {
      // One after the other: the service limits changes, and a refusal must leave the rest as it is.
      for (const { id } of keys) {
        await revokeKey(id);
        revoked += 1;
      }
    } catch (error) {
      throw new Error(`${revoked} of ${formatPlural(keys.length, 'key')} revoked. ${(error as Error).message}`);
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
    }
  };
  const recent = keys.filter(({ day }) => day !== undefined && day.calls > 0).length;
  return (
    <ConfirmModal
      title={`Revoke ${formatPlural(keys.length, 'key')}?`}
      action={`Revoke ${formatPlural(keys.length, 'key')}`}
      onConfirm={revoke}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          This can't be undone. Within a second, programs with these keys are refused.
          {recent > 0 && ` ${formatPlural(recent, 'key')} made calls in the last 24 hours.`}
        </Text>
        <List size="sm" className="names">
          {keys.slice(0, MOST_NAMED).map(({ id, name }) => (
            <List.Item key={id}>{name}</List.Item>
          ))}
          {keys.length > MOST_NAMED && <List.Item>and {keys.length - MOST_NAMED} more</List.Item>}
        </List>
      </Stack>
    </ConfirmModal>
  );
}
