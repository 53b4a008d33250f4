/** The app is known, and has to mend its request. The person takes the error back to it: a page that did so by itself would be a way to any address. */
import { Button, Stack, Text } from '@mantine/core';
import type { FaultyRequest } from '../../api/oauth-requests';
import { appPlace } from '../../parts/app-words';
import { CardPage } from '../../parts/card-page';

export function FaultyRequestPage({ request: { problem, redirect, redirectTo } }: { request: FaultyRequest }) {
  return (
    <CardPage title="The app's request is wrong" description="The app has to ask in another way. It has no access.">
      <Stack>
        <Text size="sm" className="written">
          {problem}
        </Text>
        <Button variant="default" fullWidth component="a" href={redirect}>
          Back to {appPlace(redirectTo)}
        </Button>
      </Stack>
    </CardPage>
  );
}
