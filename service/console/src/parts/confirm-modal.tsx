/** Asks for confirmation of an action that cannot be undone, and describes its effects. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { type MutationKey, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFocusBack } from './focus-back';
import { FormError } from './form-error';

export interface ConfirmModalProps {
  title: string;
  /** Effects of the action. */
  children: ReactNode;
  /** Label of the button: the name of the action. */
  action: string;
  /** A rejection is shown in the dialog. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** Lets other parts of the page see that the action is running. */
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
