import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePassword } from '../../api/sessions';
import { FormError, waitLabel } from '../../parts/form-error';
import { checkPassword, PASSWORD_ADVICE } from '../../parts/new-password';
import { Section } from '../../parts/section';
import { useWait } from '../../parts/use-wait';

export function PasswordChange({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { currentPassword: isNotEmpty('Enter your current password'), newPassword: checkPassword },
  });
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      form.reset();
      void queryClient.invalidateQueries({ queryKey: ['account'] });
      notifications.show({ message: 'Password changed. Your other sessions have ended.' });
    },
  });
  const wait = useWait(change.error);
  return (
    <Section title="Password">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))} noValidate>
        <Stack>
          {/* Password managers store the new password under this name. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput label="Current password" autoComplete="current-password" {...form.getInputProps('currentPassword')} />
          <PasswordInput
            label="New password"
            description={PASSWORD_ADVICE}
            autoComplete="new-password"
            {...form.getInputProps('newPassword')}
          />
          <FormError error={change.error} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending} disabled={wait > 0}>
              {waitLabel(wait, 'Change password')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
