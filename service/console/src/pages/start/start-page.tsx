import { Skeleton, Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Me, OwnedKey } from '#sdk/protocol/admin';
import type { CreatedKey } from '#sdk/protocol/http';
import { unusedToolkitKeyQuery } from '../../api/first-steps';
import { keysQuery } from '../../api/keys';
import { meQuery } from '../../api/me';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { AgentStep } from './agent-step';
import { NextSteps } from './next-steps';
import { ToolkitStep } from './toolkit-step';
import { activeKeys, unusedKeys } from './unused-key';

export function StartPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  // An older answer may list a key as unused that is in use now.
  const keys = useQuery({ ...keysQuery, refetchOnMount: 'always' });
  return (
    <Page title="Get started" description="Connect a toolkit and call it from an agent. It takes about a minute.">
      <QueryView query={keys} failed="Could not load your keys">
        {({ keys: all }) => (keys.isFetchedAfterMount ? <Steps me={me} keys={all} /> : <Loading />)}
      </QueryView>
    </Page>
  );
}

function Steps({ me, keys }: { me: Me; keys: readonly OwnedKey[] }) {
  const ownToolkitKeys = activeKeys(keys, 'toolkit', me.person?.id);
  const ownAgentKeys = activeKeys(keys, 'agent', me.person?.id);
  // Chosen once per visit: a key that gets used while the page is open stays on it.
  const { data: unusedToolkitKey, isPending } = useQuery(unusedToolkitKeyQuery(unusedKeys(ownToolkitKeys)));
  const [unusedAgentKey] = useState(() => unusedKeys(ownAgentKeys)[0]);
  // The page's state holds the secrets, so they survive a refresh of the list and are removed with the page.
  const [toolkitKey, setToolkitKey] = useState<CreatedKey>();
  const [agentKey, setAgentKey] = useState<CreatedKey>();
  if (isPending) return <Loading />;
  const toolkit = toolkitKey ?? unusedToolkitKey ?? undefined;
  return (
    <Stack gap="lg">
      <ToolkitStep url={me.url} created={toolkitKey} current={toolkit} own={ownToolkitKeys} onCreated={setToolkitKey} />
      <AgentStep
        url={me.url}
        created={agentKey}
        current={agentKey ?? unusedAgentKey}
        own={ownAgentKeys}
        toolkit={toolkit?.toolkit}
        onCreated={setAgentKey}
      />
      <NextSteps role={me.role} />
    </Stack>
  );
}

const Loading = () => <Skeleton height={240} aria-busy="true" aria-label="Loading" />;
