/** Each MCP client with the steps that connect it. The client gets the address alone: its sign-in opens the consent page. */
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { mcpServerOf } from '../../../../src/snippets/client-links';
import { meQuery } from '../../api/me';
import { CopyLine } from '../../parts/copy-line';
import { Page } from '../../parts/page';
import { Section } from '../../parts/section';
import { EditorCards } from './editor-cards';
import { HostedCards } from './hosted-cards';
import { reachOf } from './reach';
import { ReachNotice } from './reach-notice';
import { TerminalCards } from './terminal-cards';

const route = getRouteApi('/signed-in/connect');

export function ConnectPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const { staticToolkits: toolkit } = route.useSearch();
  const server = mcpServerOf(me.url, toolkit);
  const reach = reachOf(me.url);
  return (
    <Page
      title="Connect a client"
      description="An MCP client needs the address alone. It opens this console, where you sign in and choose what it may use."
    >
      <Stack gap="lg">
        <ReachNotice reach={reach} />
        <Section title="The address" description={<Tools toolkit={toolkit} />}>
          <CopyLine label="Address for any MCP client" value={server.url} />
          <Text size="sm" c="dimmed" mt="sm">
            The client must support remote servers (Streamable HTTP) with OAuth. A client that sends a fixed header instead uses an agent
            key:{' '}
            <Anchor inherit underline="always" renderRoot={(props) => <Link to="/start" {...props} />}>
              Get started
            </Anchor>
            .
          </Text>
        </Section>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" verticalSpacing="lg">
          <EditorCards server={server} />
          <TerminalCards server={server} />
          <HostedCards server={server} isReachable={reach === 'everywhere'} />
        </SimpleGrid>
      </Stack>
    </Page>
  );
}

function Tools({ toolkit }: { toolkit: string | undefined }) {
  if (toolkit === undefined) return 'The client gets two tools: one finds actions, the other calls them.';
  return (
    <>
      The client gets the two tools that find and call actions, and each action of <span className="ids">{toolkit}</span> as a tool of its
      own.{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link to="/connect" search={{}} {...props} />}>
        Without them
      </Anchor>
    </>
  );
}
