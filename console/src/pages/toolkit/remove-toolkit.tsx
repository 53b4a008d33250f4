import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { removeToolkit } from '../../api/reports';
import { ConfirmModal } from '../../parts/confirm-modal';

/** For owners. */
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
        <ConfirmModal title={`Remove ${name}?`} action="Remove the toolkit" onConfirm={remove} onClose={close}>
          This can't be undone. Its actions and numbers are deleted, its keys are revoked, and its processes are disconnected. Calls of it
          stay in the list.
        </ConfirmModal>
      )}
    </>
  );
}
