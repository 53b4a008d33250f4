import { Alert, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Me, OwnedKeysPage } from '#sdk/protocol/admin';
import type { CreatedKey, KeyKind } from '#sdk/protocol/http';
import { unusedToolkitKeyQuery } from '../../api/first-steps';
import { keyListQuery } from '../../api/keys';
import { meQuery } from '../../api/me';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { AgentStep } from './agent-step';
import { NextSteps } from './next-steps';
import { ToolkitStep } from './toolkit-step';
import { unusedKeys } from './unused-key';

const route = getRouteApi('/signed-in/start');

export function StartPage() {
  const { wanted } = route.useSearch();
  const { data: me } = useSuspenseQuery(meQuery);
  // An older answer may list a key as unused that is in use now.
  const toolkitKeys = useQuery({ ...ownKeysQuery('toolkit'), refetchOnMount: 'always' });
  const agentKeys = useQuery({ ...ownKeysQuery('agent'), refetchOnMount: 'always' });
  return (
    <Page title="Get started" description="Connect a toolkit and call it from an agent. It takes about a minute.">
      {wanted !== undefined && (
        <Alert variant="light" title="Agents looked for this and used nothing" mb="md">
          <Text size="sm" fw={600} className="written">
            {wanted}
          </Text>
          <Text size="sm" mt={4}>
            Build an action for it: its description should have these words.{' '}
            <Link to="/search" search={{ query: wanted }}>
              Search for it
            </Link>{' '}
            to see what agents find today.
          </Text>
        </Alert>
      )}
      <QueryView query={toolkitKeys} failed="Could not load your keys">
        {(toolkit) => (
          <QueryView query={agentKeys} failed="Could not load your keys">
            {(agent) =>
              toolkitKeys.isFetchedAfterMount && agentKeys.isFetchedAfterMount ? (
                <Steps me={me} toolkitKeys={toolkit} agentKeys={agent} />
              ) : (
                <Loading />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

/** More keys than a person has that were never used. */
const MOST = 20;

/** The newest active keys of the person. */
const ownKeysQuery = (kind: KeyKind) => keyListQuery({ kind, state: 'active', mine: 'true', limit: MOST });

function Steps({ me, toolkitKeys, agentKeys }: { me: Me; toolkitKeys: OwnedKeysPage; agentKeys: OwnedKeysPage }) {
  // Chosen once per visit: a key that gets used while the page is open stays on it.
  const { data: unusedToolkitKey, isPending } = useQuery(unusedToolkitKeyQuery(unusedKeys(toolkitKeys.keys)));
  const [unusedAgentKey] = useState(() => unusedKeys(agentKeys.keys)[0]);
  // The page's state holds the secrets, so they survive a refresh of the list and are removed with the page.
  const [toolkitKey, setToolkitKey] = useState<CreatedKey>();
  const [agentKey, setAgentKey] = useState<CreatedKey>();
  if (isPending) return <Loading />;
  const toolkit = toolkitKey ?? unusedToolkitKey ?? undefined;
  return (
    <Stack gap="lg">
      <ToolkitStep url={me.url} created={toolkitKey} current={toolkit} own={toolkitKeys} onCreated={setToolkitKey} />
      <AgentStep
        url={me.url}
        created={agentKey}
        current={agentKey ?? unusedAgentKey}
        own={agentKeys}
        toolkit={toolkit?.toolkit}
        onCreated={setAgentKey}
      />
      <NextSteps role={me.role} />
    </Stack>
  );
}

const Loading = () => <Skeleton height={240} aria-busy="true" aria-label="Loading" />;
