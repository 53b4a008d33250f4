import { Group, NumberInput, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnedKey } from '../../../../src/protocol/admin';
import { DEFAULT_SEARCH_LIMIT, DEFAULT_SEARCH_TOKENS } from '../../../../src/protocol/http';
import { agentSearchQuery } from '../../api/as-agent';
import { AgentKeySelect } from '../../parts/agent-key-select';
import { SearchAnswer } from './search-answer';
import { SearchBox } from './search-box';
import { SearchStart } from './search-start';

const LIMITS = { limit: { min: 1, max: 50 }, maxTokens: { min: 100, max: 20_000 } };

export interface AgentSearchProps {
  keys: readonly OwnedKey[];
  keyId: string;
  query: string;
  onSearch: (search: { query?: string; as?: string }) => void;
}

export function AgentSearch({ keys, keyId, query, onSearch }: AgentSearchProps) {
  const [limit, setLimit] = useState(DEFAULT_SEARCH_LIMIT);
  const [maxTokens, setMaxTokens] = useState(DEFAULT_SEARCH_TOKENS);
  const [wish] = useDebouncedValue({ limit, maxTokens }, 400);
  const answer = useQuery({
    ...agentSearchQuery(keyId, { query, ...wish }),
    enabled: query !== '',
    // The results of one key are not those of another, also for a moment.
    placeholderData: (previous, of) => (of?.queryKey[1] === keyId ? keepPreviousData(previous) : undefined),
  });
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <SearchBox key={query} query={query} isSearching={answer.isFetching} onSearch={(text) => onSearch({ query: text })} />
        <Group gap="sm" align="flex-end">
          <AgentKeySelect label="As the agent" size="sm" w={220} keys={keys} value={keyId} onChange={(as) => onSearch({ as })} />
          <Amount label="Actions at most" value={limit} {...LIMITS.limit} onChange={setLimit} />
          <Amount label="Tokens at most" value={maxTokens} step={100} {...LIMITS.maxTokens} onChange={setMaxTokens} />
        </Group>
      </Stack>
      {query === '' ? <SearchStart /> : <SearchAnswer query={query} answer={answer} maxTokens={wish.maxTokens} />}
    </Stack>
  );
}

interface AmountProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  onChange: (value: number) => void;
}

function Amount({ onChange, min, max, ...rest }: AmountProps) {
  return (
    <NumberInput
      {...rest}
      min={min}
      max={max}
      size="sm"
      w={140}
      allowDecimal={false}
      thousandSeparator=","
      clampBehavior="blur"
      // What is being typed may be out of bounds for a moment; it is sent when it is not.
      onChange={(value) => typeof value === 'number' && value >= min && value <= max && onChange(value)}
    />
  );
}
