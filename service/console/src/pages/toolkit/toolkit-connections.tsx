/** The account that a toolkit asks for, its OAuth client, and the accounts that are connected. Empty for a toolkit that asks for none. */
import { Button, DataList, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ConnectLinkRequest, ToolkitReportDetail } from '#sdk/protocol/admin';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { connectionsQuery } from '../../api/connections';
import { meQuery } from '../../api/me';
import { ConnectAccount } from '../../parts/connect-account';
import { ConnectionTable } from '../../parts/connection-table';
import { authTypeWords, SOURCE_WORDS } from '../../parts/connection-words';
import { MoreButton } from '../../parts/more-button';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { OAuthClientSection } from './oauth-client-section';

export function ToolkitConnections({ report: { id, mine, auth } }: { report: ToolkitReportDetail }) {
  if (!auth) return null;
  return (
    <Section title="Account" description={SOURCE_WORDS[auth.from]} aside={<Connect id={id} mine={mine} auth={auth} />}>
      <Stack gap="lg">
        <AuthFacts auth={auth} />
        {mine && auth.from !== 'caller' && (
          <>
            {auth.type === 'oauth2' && <OAuthClientSection id={id} isOptional={auth.server !== undefined} />}
            <Accounts id={id} />
          </>
        )}
      </Stack>
    </Section>
  );
}

function AuthFacts({ auth }: { auth: ToolkitAuth }) {
  const { help, scopes = [], server, authorizationUrl, tokenUrl, account } = auth;
  return (
    <DataList withDivider labelWidth="9rem">
      <Fact label="Kind">{authTypeWords(auth)}</Fact>
      {help && (
        <Fact label="Help">
          <span className="written">{help}</span>
        </Fact>
      )}
      {scopes.length > 0 && (
        <Fact label="Scopes">
          <span className="ids">{scopes.join(' ')}</span>
        </Fact>
      )}
      {[
        ['MCP server', server],
        ['Sign-in at', authorizationUrl],
        ['Tokens from', tokenUrl],
        ['Account from', account?.url],
      ].map(
        ([label, url]) =>
          url && (
            <Fact key={label} label={label}>
              <span className="ids">{url}</span>
            </Fact>
          ),
      )}
    </DataList>
  );
}

function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}

function Connect({ id, mine, auth: { from } }: { id: string; mine: boolean; auth: ToolkitAuth }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const [connecting, { open, close }] = useDisclosure();
  const owner = { caller: undefined, user: me.person && 'me', agent: 'agent', everyone: mine ? 'everyone' : undefined } as const;
  const asked: ConnectLinkRequest['owner'] | undefined = owner[from];
  if (!asked) return null;
  return (
    <Group gap="sm">
      {from === 'user' && (
        <Button variant="subtle" renderRoot={(props) => <Link to="/connections" {...props} />}>
          My connections
        </Button>
      )}
      <Button variant="default" onClick={open}>
        {from === 'user' ? 'Connect my account' : 'Connect an account'}
      </Button>
      {connecting && <ConnectAccount asked={{ toolkit: id, owner: asked }} onClose={close} />}
    </Group>
  );
}

function Accounts({ id }: { id: string }) {
  const query = useInfiniteQuery(connectionsQuery({ toolkit: id }));
  return (
    <QueryView query={query} rows={1}>
      {({ pages }) => (
        <Stack gap="sm">
          <ConnectionTable connections={pages.flatMap(({ connections }) => connections)} by="owner" empty="No account is connected." />
          <MoreButton query={query} />
        </Stack>
      )}
    </QueryView>
  );
}
