import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Role } from '#sdk/protocol/admin';
import { invite } from '../../api/invitations';
import { useFocusBack } from '../../parts/focus-back';
import { FormError } from '../../parts/form-error';
import { OneTimeLink } from './link-modal';

const EXPIRIES = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
];

export function InviteModal({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { role: 'member', name: '', expiresInDays: '7' } });
  const inviting = useMutation({
    mutationFn: invite,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['invitations'] }),
  });
  const { data: made } = inviting;
  const submit = form.onSubmit(({ role, name, expiresInDays }) =>
    inviting.mutate({
      role: role as Role,
      ...(name.trim() && { name: name.trim() }),
      expiresInDays: Number(expiresInDays),
    }),
  );
  return (
    <Modal opened onClose={onClose} title={made ? 'Invitation created' : 'Invite a person'} size="lg" closeOnClickOutside={!made}>
      {made ? (
        <OneTimeLink made={made} onDone={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name or note"
              description="Helps you recognise the invitation in the list. They choose their own name."
              maxLength={100}
              data-autofocus
              {...form.getInputProps('name')}
            />
            <Radio.Group label="Role" {...form.getInputProps('role')}>
              <Stack gap="xs" mt={6}>
                <Radio value="member" label="Member" description="Their own keys and toolkits, and the calls of both" />
                <Radio value="owner" label="Owner" description="Everything: all keys and calls, people, settings" />
              </Stack>
            </Radio.Group>
            <Select label="Link expires" data={EXPIRIES} allowDeselect={false} maw={200} {...form.getInputProps('expiresInDays')} />
            <FormError error={inviting.error} />
            <Group justify="flex-end">
              <Button type="submit" loading={inviting.isPending}>
                Create link
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
