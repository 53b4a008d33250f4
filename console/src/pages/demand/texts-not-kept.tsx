import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { keepUnmetSearchTexts } from '../../api/keep-search-texts';
import { meQuery } from '../../api/me';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';

/** Texts of searches may hold what an agent's user said: keeping them is an owner's decision. */
export function TextsNotKept() {
  const { data: me } = useSuspenseQuery(meQuery);
  const queryClient = useQueryClient();
  const keep = useMutation({
    mutationFn: keepUnmetSearchTexts,
    onSuccess: async () => {
      notifications.show({ message: 'Texts of unmet searches are kept from now on.' });
      await Promise.all(['searches', 'settings'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
    },
  });
  return (
    <Stack gap="md">
      {keep.error && <ErrorNotice error={keep.error} title="It is still off" />}
      <EmptyState
        title="Texts of searches are not kept"
        action={
          me.role === 'owner' && (
            <Button mt="sm" loading={keep.isPending} onClick={() => keep.mutate()}>
              Keep texts of unmet searches
            </Button>
          )
        }
      >
        To see what is missed, the service has to keep what agents search for. A text may hold what their users said, so it is off until an
        owner turns it on; only texts of searches that found nothing, or nothing that was used, are kept then.
        {me.role === 'member' && (
          <Text span display="block" mt="sm">
            Ask an owner of this service to turn it on in the settings.
          </Text>
        )}
      </EmptyState>
    </Stack>
  );
}
