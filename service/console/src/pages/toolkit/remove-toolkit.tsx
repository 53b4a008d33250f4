import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { removeToolkit } from '../../api/reports';
import { ConfirmModal } from '../../parts/confirm-modal';

const removalOf = (id: string) => ['remove toolkit', id];

/** True until the person leaves the page: requests about the removed toolkit would fail. */
export const useIsBeingRemoved = (id: string): boolean => useIsMutating({ mutationKey: removalOf(id) }) > 0;

/** A button for owners. */
export function RemoveToolkit({ id, name }: { id: string; name: string }) {
  const [asking, { open, close }] = useDisclosure();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await removeToolkit(id);
    notifications.show({ message: `Removed ${name}` });
    await navigate({ to: '/toolkits' });
    queryClient.removeQueries({ queryKey: ['reports', 'toolkit', id] });
    await queryClient.invalidateQueries({ queryKey: ['reports'] });
  };
  return (
    <>
      <Button variant="default" c="var(--text-alarming)" leftSection={<IconTrash size={16} aria-hidden />} onClick={open}>
        Remove
      </Button>
      {asking && (
        <ConfirmModal title={`Remove ${name}?`} action="Remove the toolkit" mutationKey={removalOf(id)} onConfirm={remove} onClose={close}>
          This can't be undone. Its actions and numbers are deleted, its keys are revoked, and its processes are disconnected. Its calls
          stay in the list.
        </ConfirmModal>
      )}
    </>
  );
}
