import { Button, Divider, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import type { ConsoleInfo } from '#sdk/protocol/admin';
import { consoleQuery } from '../../api/me';
import { passkeysPossible } from '../../api/passkeys';
import { signInWithOidc } from '../../api/sign-in';
import { CardPage } from '../../parts/card-page';
import { FormError } from '../../parts/form-error';
import { oidcRefusal } from '../../parts/oidc-refusal';
import { isOutsideRouter } from '../../parts/outside-router';
import { QueryView } from '../../parts/query-view';
import { NotSetUp } from './not-set-up';
import { PasskeySignIn } from './passkey-sign-in';
import { PasswordForm } from './password-form';
import { SignedOutNotice } from './signed-out-notice';

export function SignInPage() {
  const info = useQuery(consoleQuery);
  if (info.data?.setUp === false) return <NotSetUp again={() => void info.refetch()} />;
  return (
    <CardPage title="Sign in" description={info.data && 'Use the account you created from your invitation.'}>
      <SignedOutNotice />
      <QueryView query={info}>{({ signIn }) => <WaysIn signIn={signIn} />}</QueryView>
    </CardPage>
  );
}

function WaysIn({ signIn }: Pick<ConsoleInfo, 'signIn'>) {
  const { from = '/', error } = useSearch({ from: '/sign-in' });
  const queryClient = useQueryClient();
  const router = useRouter();
  const enter = () => {
    queryClient.clear();
    if (isOutsideRouter(from)) window.location.replace(from);
    else router.history.replace(from);
  };
  const oidc = useMutation({ mutationFn: () => signInWithOidc(from) });
  const withPasskeys = signIn.passkeys && passkeysPossible();
  return (
    <Stack gap="lg">
      {error && <FormError error={oidcRefusal(error)} />}
      <PasswordForm withPasskeys={withPasskeys} onSignedIn={enter} />
      {(withPasskeys || signIn.oidc) && <Divider label="or" />}
      {(withPasskeys || signIn.oidc) && (
        <Stack gap="sm">
          {withPasskeys && <PasskeySignIn onSignedIn={enter} />}
          {signIn.oidc && (
            <Button variant="default" fullWidth loading={oidc.isPending || oidc.isSuccess} onClick={() => oidc.mutate()}>
              Continue with {signIn.oidc.name}
            </Button>
          )}
          <FormError error={oidc.error} />
        </Stack>
      )}
    </Stack>
  );
}
