import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import type { LookedInvitation } from '../../../../src/protocol/admin';
import { FormError, waitLabel } from '../../parts/form-error';
import { checkPassword, PASSWORD_ADVICE } from '../../parts/new-password';
import { SignedOutPage } from '../../parts/signed-out-page';
import { useWait } from '../../parts/use-wait';
import { useAccept } from './use-accept';

/** For the first owner, and for everybody who was invited. */
export function AccountForm({ token, looked: { first, role } }: { token: string; looked: LookedInvitation }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: isNotEmpty('Write how others call you'),
      email: isEmail('Write an e-mail address'),
      password: checkPassword,
    },
  });
  const accept = useAccept('/start');
  const wait = useWait(accept.error);
  const description = first
    ? 'You are the first here: this account owns the service, and invites the others.'
    : role === 'owner'
      ? 'You are invited as an owner: you see and change everything.'
      : 'You are invited as a member: you make keys of your own, and see what they do.';
  return (
    <SignedOutPage title="Make your account" description={description}>
      <form onSubmit={form.onSubmit((values) => accept.mutate({ token, ...values }))} noValidate>
        <Stack>
          <TextInput
            label="Name"
            name="name"
            autoComplete="name"
            maxLength={100}
            autoFocus
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <TextInput
            label="E-mail"
            description="You sign in with it. Nothing is sent there."
            type="email"
            name="email"
            autoComplete="username"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            description={PASSWORD_ADVICE}
            name="password"
            autoComplete="new-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <FormError error={accept.error} />
          <Button type="submit" fullWidth loading={accept.isPending} disabled={wait > 0}>
            {waitLabel(wait, 'Make the account')}
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
