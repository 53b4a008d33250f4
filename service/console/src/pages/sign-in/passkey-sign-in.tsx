/** Sign-in with a passkey, by the button or by the browser's offer in the e-mail field. */
import { Button } from '@mantine/core';
import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { wasCancelled } from '../../api/passkeys';
import { signInWithPasskey } from '../../api/sign-in';
import { FormError } from '../../parts/form-error';

export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const { mutate, error, isPending, variables } = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn });
  useEffect(() => {
    let left = false;
    void browserSupportsWebAuthnAutofill().then((supported) => {
      if (supported && !left) mutate({ offer: true });
    });
    return () => {
      left = true;
      WebAuthnAbortService.cancelCeremony();
    };
  }, [mutate]);
  return (
    <>
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isPending && !variables?.offer}
        onClick={() => mutate({})}
      >
        Sign in with a passkey
      </Button>
      <FormError error={wasCancelled(error) ? null : error} />
    </>
  );
}
