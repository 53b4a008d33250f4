import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../api/me';
import { useChangeSettings } from '../../api/settings';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';

/** Texts of searches may hold what an agent's user said: keeping them is an owner's decision. */
export function TextsNotKept() {
  const { data: me } = useSuspenseQuery(meQuery);
  const queryClient = useQueryClient();
  const change = useChangeSettings();
  const keep = () =>
    change.mutate(
      { searchTexts: 'unmet' },
      {
        onSuccess: () => {
          notifications.show({ message: 'Texts of unmet searches are kept from now on.' });
          return queryClient.invalidateQueries({ queryKey: ['searches'] });
        },
      },
    );
  return (
    <Stack gap="md">
      {change.error && <ErrorNotice error={change.error} title="It is still off" />}
      <EmptyState
        title="Texts of searches are not kept"
        action={
          me.role === 'owner' && (
            <Button mt="sm" loading={change.isPending} onClick={keep}>
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
