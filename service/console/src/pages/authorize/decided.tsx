/** The person has decided, and the browser opens the app's address. With a private scheme this page stays. */
import { Button, Stack, Text } from '@mantine/core';
import { CardPage } from '../../parts/card-page';

export function Decided({ redirect }: { redirect: string }) {
  const isWebPage = /^https?:/i.test(redirect);
  return (
    <CardPage title={isWebPage ? 'Going back to the app…' : 'You can close this page'}>
      <Stack>
        <Text size="sm">
          {isWebPage ? 'The app opens in a moment.' : 'Your browser may ask whether it should open the app. Allow it, and go on there.'}
        </Text>
        <Button variant="default" fullWidth component="a" href={redirect}>
          Open the app
        </Button>
      </Stack>
    </CardPage>
  );
}
