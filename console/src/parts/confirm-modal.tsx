/** Asks before something that cannot be undone, and says what will happen. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { type MutationKey, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFocusBack } from './focus-back';
import { FormError } from './form-error';

export interface ConfirmModalProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the button says: the thing that is done. */
  action: string;
  /** A rejection is shown here. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** By which other parts of the page know that it is being done. */
  mutationKey?: MutationKey;
}

export function ConfirmModal({ title, children, action, onConfirm, onClose, mutationKey = [] }: ConfirmModalProps) {
  useFocusBack();
  const doing = useMutation({ mutationKey, mutationFn: onConfirm, onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <Stack>
        <div>{children}</div>
        <FormError error={doing.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" loading={doing.isPending} onClick={() => doing.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
