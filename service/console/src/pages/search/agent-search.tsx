import { Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OwnedKey } from '#sdk/protocol/admin';
import { agentSearchQuery } from '../../api/as-agent';
import { AgentKeySelect } from '../../parts/agent-key-select';
import { AmountInput } from './amount-input';
import { SearchAnswerView } from './search-answer';
import { SearchBox } from './search-box';
import { AMOUNTS, type SearchPageSearch } from './search-page-search';
import { SearchStart } from './search-start';

export interface AgentSearchProps {
  agent: OwnedKey;
  search: SearchPageSearch;
  onSearch: (changed: SearchPageSearch) => void;
}

export function AgentSearch({ agent, search, onSearch }: AgentSearchProps) {
  const { query = '', limit = AMOUNTS.limit.usual, maxTokens = AMOUNTS.maxTokens.usual } = search;
  const answer = useQuery({
    ...agentSearchQuery(agent.id, { query, limit, maxTokens }),
    enabled: query !== '',
    // Never shows the results of another key.
    placeholderData: (previous, of) => (of?.queryKey[1] === agent.id ? keepPreviousData(previous) : undefined),
  });
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <SearchBox key={query} query={query} isSearching={answer.isFetching} onSearch={(text) => onSearch({ query: text })} />
        <Group gap="sm" align="flex-end">
          <AgentKeySelect label="Agent" size="sm" w={220} value={agent} onChange={({ id }) => onSearch({ as: id })} />
          <AmountInput label="Max. actions" value={limit} {...AMOUNTS.limit} onChange={(limit) => onSearch({ limit })} />
          <AmountInput
            label="Max. tokens"
            value={maxTokens}
            step={100}
            {...AMOUNTS.maxTokens}
            onChange={(maxTokens) => onSearch({ maxTokens })}
          />
        </Group>
      </Stack>
      {query === '' ? <SearchStart /> : <SearchAnswerView query={query} keyId={agent.id} answer={answer} maxTokens={maxTokens} />}
    </Stack>
  );
}
