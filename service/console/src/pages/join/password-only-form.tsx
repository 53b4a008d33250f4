import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CardPage } from '../../parts/card-page';
import { FormError, waitLabel } from '../../parts/form-error';
import { checkPassword, PASSWORD_ADVICE } from '../../parts/new-password';
import { useWait } from '../../parts/use-wait';
import { useAccept } from './use-accept';

export function PasswordOnlyForm({ token, email }: { token: string; email: string }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' }, validate: { password: checkPassword } });
  const accept = useAccept('/');
  const wait = useWait(accept.error);
  return (
    <CardPage title="Choose a new password" description="This signs you out everywhere else, and signs you in here.">
      <form onSubmit={form.onSubmit(({ password }) => accept.mutate({ token, password }))} noValidate>
        <Stack>
          {/* Password managers store the new password under this name. */}
          <TextInput label="E-mail" name="email" type="email" autoComplete="username" value={email} readOnly />
          <PasswordInput
            label="New password"
            description={PASSWORD_ADVICE}
            name="password"
            autoComplete="new-password"
            autoFocus
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <FormError error={accept.error} />
          <Button type="submit" fullWidth loading={accept.isPending} disabled={wait > 0}>
            {waitLabel(wait, 'Set password')}
          </Button>
        </Stack>
      </form>
    </CardPage>
  );
}
