import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { wasCancelled } from '../../api/passkeys';
import { useFocusBack } from '../../parts/focus-back';
import { FormError } from '../../parts/form-error';

export interface PasskeyNameModalProps {
  title: string;
  /** Label of the button. */
  action: string;
  description?: string;
  name?: string;
  onSave: (name: string) => Promise<unknown>;
  onClose: () => void;
}

export function PasskeyNameModal({ title, action, description, name = '', onSave, onClose }: PasskeyNameModalProps) {
  useFocusBack();
  const form = useForm({ initialValues: { name }, validate: { name: isNotEmpty('Enter a name') } });
  const save = useMutation({ mutationFn: onSave, onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={title} centered>
      <form onSubmit={form.onSubmit((values) => save.mutate(values.name.trim()))}>
        <Stack>
          <TextInput label="Name" description={description} maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <FormError error={wasCancelled(save.error) ? null : save.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
