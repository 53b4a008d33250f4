import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import type { InvitationPreview } from '#sdk/protocol/admin';
import { CardPage } from '../../parts/card-page';
import { FormError, waitLabel } from '../../parts/form-error';
import { checkPassword, PASSWORD_ADVICE } from '../../parts/new-password';
import { useWait } from '../../parts/use-wait';
import { SignedInAlready } from './signed-in-already';
import { useAccept } from './use-accept';

/** The form for the first owner and for invited people. */
export function AccountForm({ token, preview: { first, role } }: { token: string; preview: InvitationPreview }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: isNotEmpty('Enter your name'),
      email: isEmail('Enter a valid e-mail address'),
      password: checkPassword,
    },
  });
  const accept = useAccept('/start');
  const wait = useWait(accept.error);
  const description = first
    ? 'This is the first account. It owns the service and can invite others.'
    : role === 'owner'
      ? 'You are invited as an owner. Owners can see and change everything.'
      : 'You are invited as a member. Members create their own keys and see the calls of those keys.';
  return (
    <CardPage title="Create your account" description={description}>
      <form onSubmit={form.onSubmit((values) => accept.mutate({ token, ...values }))} noValidate>
        <Stack>
          <SignedInAlready />
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
            description="You use it to sign in. We never send e-mail."
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
            {waitLabel(wait, 'Create account')}
          </Button>
        </Stack>
      </form>
    </CardPage>
  );
}
