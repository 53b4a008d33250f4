/** The same search as an agent's, with the same answer. */
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { agentKeyQuery } from '../../api/agent-keys';
import { NoAgentKey } from '../../parts/no-agent-key';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { AgentSearch } from './agent-search';
import { searchPageSearch } from './search-page-search';

const route = getRouteApi('/signed-in/search');

export function SearchPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const agent = useQuery(agentKeyQuery(search.as));
  return (
    <Page title="Search" description="Search as one of your agents: the same results, and the JSON that its model receives.">
      <QueryView query={agent}>
        {(key) => {
          if (!key) return <NoAgentKey purpose="A search runs as one of your agents, because the key decides what its agent can find." />;
          return (
            <Stack gap="lg">
              <AgentSearch
                agent={key}
                search={search}
                onSearch={(changed) => void navigate({ search: (former) => searchPageSearch({ ...former, ...changed }) })}
              />
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
