/** Clients whose servers call this service over the internet. Their menus change often: the steps name them as of November 2026. */
import { Alert } from '@mantine/core';
import type { McpServer } from '../../../../src/snippets/client-links';
import { CopyLine } from '../../parts/copy-line';
import { ClientCard } from './client-card';
import { ConsentStep } from './consent-step';

export interface HostedCardsProps {
  server: McpServer;
  isReachable: boolean;
}

export function HostedCards({ server, isReachable }: HostedCardsProps) {
  const address = (client: string) => (
    <>
      {!isReachable && (
        <Alert color="yellow" variant="light" p="xs">
          {client} cannot reach this address.
        </Alert>
      )}
      <CopyLine label={`Address for ${client}`} value={server.url} />
    </>
  );
  return (
    <>
      <ClientCard
        client="Claude (web, desktop, phone)"
        steps={[
          <>
            On claude.ai or in Claude Desktop, open <b>Customize → Connectors</b> (in some versions <b>Settings → Connectors</b>), and
            select <b>Add custom connector</b>.
          </>,
          <>
            Enter a name and the address, and select <b>Add</b>. Leave the OAuth fields empty.
          </>,
          <>
            Select <b>Connect</b> beside the new connector.
          </>,
          <ConsentStep key="consent" />,
        ]}
        note="On Team and Enterprise plans an owner adds the connector first. Then each person connects for themselves."
      >
        {address('Claude')}
      </ClientCard>
      <ClientCard
        client="ChatGPT (web)"
        steps={[
          <>
            Open <b>Settings → Apps → Advanced settings</b>, and turn on <b>Developer mode</b>. In a workspace, an admin allows it first.
          </>,
          <>
            Back in <b>Apps</b>, select <b>Create app</b>. Enter a name and the address, with <b>OAuth</b> as authentication.
          </>,
          <ConsentStep key="consent" />,
          <>
            In a new chat, select the app with <b>+</b>.
          </>,
        ]}
        note="ChatGPT may call the menu Connectors or Plugins. It asks before each call that can change something, and takes the tool that calls actions for such a call. From the page of a toolkit you get an address that makes each of its actions a tool, which says whether it only reads."
      >
        {address('ChatGPT')}
      </ClientCard>
    </>
  );
}
