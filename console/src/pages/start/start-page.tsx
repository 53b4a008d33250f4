import { Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedKey } from '../../../../src/protocol/http';
import { keysQuery } from '../../api/keys';
import { meQuery } from '../../api/me';
import { toolkitReportsQuery } from '../../api/reports';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { AgentStep } from './agent-step';
import { NextSteps } from './next-steps';
import { ownKey } from './own-key';
import { ToolkitStep } from './toolkit-step';

export function StartPage() {
  const { data: me } = useSuspenseQuery(meQuery);
  const personId = me.person?.id;
  const keys = useQuery(keysQuery);
  const reports = useInfiniteQuery(toolkitReportsQuery);
  const online = new Set(reports.data?.pages.flatMap(({ toolkits }) => toolkits.flatMap(({ id, online }) => (online ? [id] : []))));
  // Here, so that the secrets stay while the list is loaded again, and are gone with the page.
  const [toolkitKey, setToolkitKey] = useState<CreatedKey>();
  const [agentKey, setAgentKey] = useState<CreatedKey>();
  return (
    <Page title="Get started" description="A toolkit that serves, an agent that calls: two keys and two pastes, about a minute.">
      <QueryView query={keys}>
        {({ keys: all }) => {
          const toolkit = toolkitKey ?? ownKey(all, { kind: 'toolkit', personId, isInUse: ({ toolkit = '' }) => online.has(toolkit) });
          const agent = agentKey ?? ownKey(all, { kind: 'agent', personId, isInUse: ({ lastUsedAt }) => lastUsedAt !== undefined });
          return (
            <Stack gap="lg">
              <ToolkitStep url={me.url} made={toolkitKey} existing={toolkit} onMade={setToolkitKey} />
              <AgentStep url={me.url} made={agentKey} existing={agent} toolkit={toolkit?.toolkit} onMade={setAgentKey} />
              <NextSteps role={me.role} />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
