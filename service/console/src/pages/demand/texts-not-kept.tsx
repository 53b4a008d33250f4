import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from '../../api/me';
import { useChangeSettings } from '../../api/settings';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';

/** Search texts may quote an agent's user, so an owner decides whether to record them. */
export function TextsNotKept() {
  const { data: me } = useSuspenseQuery(meQuery);
  const queryClient = useQueryClient();
  const change = useChangeSettings();
  const keep = () =>
    change.mutate(
      { searchTexts: 'unmet' },
      {
        onSuccess: () => {
          notifications.show({ message: 'Recording unmet searches from now on' });
          return queryClient.invalidateQueries({ queryKey: ['searches'] });
        },
      },
    );
  return (
    <Stack gap="md">
      {change.error && <ErrorNotice error={change.error} title="Couldn't start recording" />}
      <EmptyState
        title="Searches are not recorded"
        action={
          me.role === 'owner' && (
            <Button mt="sm" loading={change.isPending} onClick={keep}>
              Start recording unmet searches
            </Button>
          )
        }
      >
        To show unmet searches, the service must record what agents search for. These texts can contain what their users said, so recording
        is off until an owner turns it on. It covers only searches that found nothing, or whose results no agent used.
        {me.role === 'member' && (
          <Text span display="block" mt="sm">
            Ask an owner to turn it on in Settings.
          </Text>
        )}
      </EmptyState>
    </Stack>
  );
}
