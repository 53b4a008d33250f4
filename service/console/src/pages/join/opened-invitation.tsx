import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { previewInvitation } from '../../api/invitations';
import { ApiError } from '../../api/request';
import { CardPage } from '../../parts/card-page';
import { FormError, waitLabel } from '../../parts/form-error';
import { useWait } from '../../parts/use-wait';
import { AccountForm } from './account-form';
import { PasswordOnlyForm } from './password-only-form';

/** Loads the invitation of a link and shows its form. A mutation, because no cache should store the token. */
export function OpenedInvitation({ token }: { token: string }) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: previewInvitation });
  useEffect(() => mutate(token), [mutate, token]);
  const wait = useWait(error);
  if (data?.email !== undefined) return <PasswordOnlyForm token={token} email={data.email} />;
  if (data) return <AccountForm token={token} preview={data} />;
  if (error instanceof ApiError && error.status === 404)
    return (
      <CardPage title="This link cannot be used" description={`${error.message}.`}>
        <Stack>
          <Text size="sm">If you used it yourself, you already have an account.</Text>
          <Button renderRoot={(props) => <Link to="/sign-in" {...props} />}>Sign in</Button>
        </Stack>
      </CardPage>
    );
  return (
    <CardPage title="Checking your link">
      {error ? (
        <Stack>
          <FormError error={error} />
          <Button variant="default" loading={isPending} disabled={wait > 0} onClick={() => mutate(token)}>
            {waitLabel(wait, 'Try again')}
          </Button>
        </Stack>
      ) : (
        <Stack aria-busy="true" aria-label="Loading">
          <Skeleton height={36} />
          <Skeleton height={36} />
          <Skeleton height={36} />
        </Stack>
      )}
    </CardPage>
  );
}
