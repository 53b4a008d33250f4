/** The service does not know the app or its redirect address, or its owners do not allow the app. Nothing goes back to the app. */
import { Anchor, Stack, Text } from '@mantine/core';
import { CardPage } from '../../parts/card-page';
import { FormError } from '../../parts/form-error';

export function RefusedApp({ error }: { error: Error }) {
  return (
    <CardPage title="This app cannot be connected">
      <Stack>
        <FormError error={error} />
        <Text size="sm">The app got no answer, and no access. You can close this page.</Text>
        <Anchor size="sm" href="/connect">
          How to connect an app
        </Anchor>
      </Stack>
    </CardPage>
  );
}
