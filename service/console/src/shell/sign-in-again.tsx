/** Shows a sign-in dialog when a change needs a fresh sign-in. Afterwards the change continues. */
import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Person } from '#sdk/protocol/admin';
import { consoleQuery, whoIsSignedIn } from '../api/me';
import { passkeysPossible, wasCancelled } from '../api/passkeys';
import { signInWithOidc, signInWithPasskey, signInWithPassword } from '../api/sign-in';
import { onSignInAgain } from '../api/sign-in-again';
import { useFocusBack } from '../parts/focus-back';
import { FormError, waitLabel } from '../parts/form-error';
import { useWait } from '../parts/use-wait';

type AccountOwner = Pick<Person, 'id' | 'email'>;

export function SignInAgain({ person }: { person: AccountOwner }) {
  const [waiting, setWaiting] = useState<((done: boolean) => void)[]>([]);
  useEffect(() => onSignInAgain(() => new Promise((resolve) => setWaiting((others) => [...others, resolve]))), []);
  const end = (done: boolean) => {
    for (const resolve of waiting) resolve(done);
    setWaiting([]);
  };
  return waiting.length > 0 && <SignInAgainModal person={person} onEnd={end} />;
}

function SignInAgainModal({ person, onEnd }: { person: AccountOwner; onEnd: (done: boolean) => void }) {
  useFocusBack();
  const { data: info } = useQuery(consoleQuery);
  const form = useForm({ initialValues: { password: '' }, validate: { password: isNotEmpty('Enter your password') } });
  const signIn = useMutation({
    mutationFn: async (way: () => Promise<void>) => {
      await way();
      // A passkey may belong to another account.
      if ((await whoIsSignedIn())?.person?.id !== person.id) window.location.assign('/');
      else onEnd(true);
    },
  });
  const wait = useWait(signIn.error);
  return (
    <Modal opened onClose={() => onEnd(false)} title="Sign in again" centered>
      <Stack>
        <Text size="sm">This change needs a sign-in of the last 15 minutes.</Text>
        <form
          onSubmit={form.onSubmit(({ password }) => signIn.mutate(() => signInWithPassword({ email: person.email, password })))}
          noValidate
        >
          <Stack>
            {/* Password managers find the password under this name. */}
            <input type="text" name="username" autoComplete="username" value={person.email} readOnly hidden />
            <PasswordInput label="Your password" autoComplete="current-password" data-autofocus {...form.getInputProps('password')} />
            <FormError error={wasCancelled(signIn.error) ? null : signIn.error} />
            <Button type="submit" fullWidth loading={signIn.isPending} disabled={wait > 0}>
              {waitLabel(wait, 'Continue')}
            </Button>
          </Stack>
        </form>
        {info?.signIn.passkeys && passkeysPossible() && (
          <Button
            variant="default"
            fullWidth
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => signIn.mutate(() => signInWithPasskey())}
          >
            Use a passkey
          </Button>
        )}
        {info?.signIn.oidc && (
          <Button variant="default" fullWidth onClick={() => void signInWithOidc(window.location.pathname + window.location.search)}>
            Leave this page and sign in with {info.signIn.oidc.name}
          </Button>
        )}
      </Stack>
    </Modal>
  );
}
