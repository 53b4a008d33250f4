import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { signInWithPassword } from '../../api/sign-in';
import { FormError, waitLabel } from '../../parts/form-error';
import { useWait } from '../../parts/use-wait';

export function PasswordForm({ withPasskeys, onSignedIn }: { withPasskeys: boolean; onSignedIn: () => void }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email: isNotEmpty('Enter your e-mail address'), password: isNotEmpty('Enter your password') },
  });
  const signIn = useMutation({ mutationFn: signInWithPassword, onSuccess: onSignedIn });
  const wait = useWait(signIn.error);
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete={withPasskeys ? 'username webauthn' : 'username'}
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <FormError error={signIn.error} />
        <Button type="submit" fullWidth loading={signIn.isPending} disabled={wait > 0}>
          {waitLabel(wait, 'Sign in')}
        </Button>
      </Stack>
    </form>
  );
}
