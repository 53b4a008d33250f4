import { Button, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../parts/code-block';
import { SignedOutPage } from '../../parts/signed-out-page';

/** Nobody has an account: only whoever runs the service can make the first. */
export function NotSetUp({ again }: { again: () => void }) {
  return (
    <SignedOutPage title="Nobody is here yet" description="The first account belongs to whoever runs this service.">
      <Stack>
        <Text size="sm">The terminal that started the service shows a one-time link. Open it, and you are the owner.</Text>
        <Text size="sm">Is it gone? This command, on the machine of the service, makes another one:</Text>
        <CodeBlock label="Command that makes an invitation for an owner" code="npx svc-sdk people invite --role owner" />
        <Button variant="default" onClick={again}>
          Look again
        </Button>
      </Stack>
    </SignedOutPage>
  );
}
