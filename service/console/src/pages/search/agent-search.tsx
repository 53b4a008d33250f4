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
  keys: readonly OwnedKey[];
  keyId: string;
  search: SearchPageSearch;
  onSearch: (changed: SearchPageSearch) => void;
}

export function AgentSearch({ keys, keyId, search, onSearch }: AgentSearchProps) {
  const { query = '', limit = AMOUNTS.limit.usual, maxTokens = AMOUNTS.maxTokens.usual } = search;
  const answer = useQuery({
    ...agentSearchQuery(keyId, { query, limit, maxTokens }),
    enabled: query !== '',
    // Never shows the results of another key.
    placeholderData: (previous, of) => (of?.queryKey[1] === keyId ? keepPreviousData(previous) : undefined),
  });
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <SearchBox key={query} query={query} isSearching={answer.isFetching} onSearch={(text) => onSearch({ query: text })} />
        <Group gap="sm" align="flex-end">
          <AgentKeySelect label="Agent" size="sm" w={220} keys={keys} value={keyId} onChange={(as) => onSearch({ as })} />
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
      {query === '' ? <SearchStart /> : <SearchAnswerView query={query} answer={answer} maxTokens={maxTokens} />}
    </Stack>
  );
}
