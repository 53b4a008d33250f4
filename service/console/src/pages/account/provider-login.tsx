import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { linkProvider, providerLoginQuery, unlinkProvider } from '../../api/provider-login';
import { ConfirmModal } from '../../parts/confirm-modal';
import { FormError } from '../../parts/form-error';
import { oidcRefusal } from '../../parts/oidc-refusal';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';

/** @param name of the provider */
export function ProviderLogin({ name }: { name: string }) {
  const login = useQuery(providerLoginQuery);
  const { error } = useSearch({ from: '/signed-in/account' });
  const [ending, setEnding] = useState(false);
  const queryClient = useQueryClient();
  const link = useMutation({ mutationFn: linkProvider });
  return (
    <Section title={name} description="Sign in with your account there.">
      <QueryView query={login} rows={1}>
        {({ linked }) => (
          <Stack align="flex-start" gap="sm">
            <Text size="sm">{linked ? 'Connected.' : 'Not connected.'}</Text>
            {error && !linked && <FormError error={oidcRefusal(error)} />}
            <FormError error={link.error} />
            {linked ? (
              <Button variant="default" onClick={() => setEnding(true)}>
                Disconnect
              </Button>
            ) : (
              <Button variant="default" loading={link.isPending || link.isSuccess} onClick={() => link.mutate()}>
                Connect
              </Button>
            )}
          </Stack>
        )}
      </QueryView>
      {ending && (
        <ConfirmModal
          title={`Disconnect ${name}?`}
          action="Disconnect"
          onConfirm={() => unlinkProvider().then(() => queryClient.invalidateQueries({ queryKey: providerLoginQuery.queryKey }))}
          onClose={() => setEnding(false)}
        >
          You can no longer sign in with it. Your password and passkeys keep working.
        </ConfirmModal>
      )}
    </Section>
  );
}
