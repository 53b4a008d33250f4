/** Editors, which a link opens. */
import { Button, Code, Group } from '@mantine/core';
import { cursorLink, type McpServer, vsCodeLink } from '../../../../src/snippets/client-links';
import { ClientCard } from './client-card';
import { ConsentStep } from './consent-step';

/** Where Cursor waits for the answer to its sign-in, on the person's computer. */
const CURSOR_PORT = '8787';

export function EditorCards({ server }: { server: McpServer }) {
  const { port, hostname } = new URL(server.url);
  const isCursorsPort = port === CURSOR_PORT && (hostname === 'localhost' || hostname === '127.0.0.1');
  return (
    <>
      <ClientCard
        client="Cursor"
        steps={[
          <>
            Cursor opens and shows the server <b>{server.name}</b>. Select <b>Install</b>.
          </>,
          'In the list of servers it says that a login is needed. Select it.',
          <ConsentStep key="consent" />,
        ]}
        note={
          isCursorsPort && (
            <>
              Cursor 3.10 and newer wait for the answer at port {CURSOR_PORT} of this computer, which this service uses. If the sign-in does
              not end, start the service with <Code>--port 8788</Code>, and add it to Cursor again.
            </>
          )
        }
      >
        <Group>
          <Button component="a" href={cursorLink(server)}>
            Add to Cursor
          </Button>
        </Group>
      </ClientCard>
      <ClientCard
        client="VS Code"
        steps={[
          <>
            VS Code opens and shows the server <b>{server.name}</b>. Select <b>Install</b>.
          </>,
          <>
            When the server starts, VS Code asks whether it may sign in. Select <b>Allow</b>.
          </>,
          <ConsentStep key="consent" />,
        ]}
      >
        <Group gap="sm">
          <Button component="a" href={vsCodeLink(server, 'vscode')}>
            Add to VS Code
          </Button>
          <Button variant="default" component="a" href={vsCodeLink(server, 'vscode-insiders')}>
            VS Code Insiders
          </Button>
        </Group>
      </ClientCard>
    </>
  );
}
