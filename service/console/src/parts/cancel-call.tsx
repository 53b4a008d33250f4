/** Cancels a running call of a key that one manages: only then the service sends the name of the key. */
import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { cancelCall } from '../api/invocations';

export function CancelCall({ call: { id, code, key } }: { call: Pick<InvocationInfo, 'id' | 'code' | 'key'> }) {
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelCall(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['invocations'] }),
  });
  if (code !== undefined || key.name === undefined) return null;
  if (cancel.isSuccess)
    return (
      <Text size="sm" c="dimmed" role="status">
        Cancelled: the handler was asked to stop
      </Text>
    );
  return (
    <Group gap="xs">
      {cancel.error && (
        <Text size="sm" c="red" role="alert">
          {cancel.error.message}
        </Text>
      )}
      <Button variant="default" size="xs" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel this call
      </Button>
    </Group>
  );
}
