/** The person's own accounts, with which connected apps act for them. */
import { Alert, Button, Paper, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { connectionsQuery, personalToolkitsQuery } from '../../api/connections';
import { meQuery } from '../../api/me';
import { ConnectAccount } from '../../parts/connect-account';
import { ConnectionTable } from '../../parts/connection-table';
import { EmptyState } from '../../parts/empty-state';
import { MoreButton } from '../../parts/more-button';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';

export function ConnectionsPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  if (!me.person)
    return (
      <Page title="My connections">
        <Alert color="gray">You are using an admin key, which has no accounts of its own. The page of a toolkit lists its accounts.</Alert>
      </Page>
    );
  return <OwnConnections />;
}

function OwnConnections() {
  const query = useInfiniteQuery(connectionsQuery());
  const { data: toolkits = [] } = useQuery(personalToolkitsQuery);
  const [connecting, { open, close }] = useDisclosure();
  const connect = toolkits.length > 0 && <Button onClick={open}>Connect an account</Button>;
  return (
    <Page
      title="My connections"
      description="Your accounts at other services. Apps that you connected, such as Claude, act with them when they call a toolkit."
      actions={connect}
    >
      <QueryView query={query}>
        {({ pages }) => {
          const connections = pages.flatMap((page) => page.connections);
          if (connections.length === 0) return <NoConnections canConnect={toolkits.length > 0} />;
          return (
            <Stack gap="md">
              <Paper withBorder px="md">
                <ConnectionTable connections={connections} by="toolkit" empty="" />
              </Paper>
              <MoreButton query={query} />
            </Stack>
          );
        }}
      </QueryView>
      {connecting && <ConnectAccount asked={{ owner: 'me' }} toolkits={toolkits} onClose={close} />}
    </Page>
  );
}

function NoConnections({ canConnect }: { canConnect: boolean }) {
  return (
    <EmptyState
      title="No account is connected"
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/toolkits" {...props} />}>
          View toolkits
        </Button>
      }
    >
      {canConnect ? 'Connect one now, or when an app asks for it: its answer has a link.' : 'No toolkit asks for accounts of its users.'}
    </EmptyState>
  );
}
