import { Group, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { KEY_STATES } from '#sdk/protocol/admin';
import { ListSearchField } from '../../parts/search-field';
import { type KeysSearch, keysSearch } from './keys-search';

export interface KeyFiltersProps {
  search: KeysSearch;
  withAdmin: boolean;
}

export function KeyFilters({ search, withAdmin }: KeyFiltersProps) {
  const navigate = useNavigate({ from: '/keys' });
  const change = (changed: Record<string, string>) =>
    void navigate({ search: ({ cursor, ...former }) => keysSearch({ ...former, ...changed }), replace: true });
  const kinds = withAdmin ? ['agent', 'toolkit', 'admin'] : ['agent', 'toolkit'];
  return (
    <Group mb="md" gap="sm">
      <ListSearchField
        label="Find keys by name, id, toolkit or owner"
        placeholder="Name, id, toolkit, owner"
        value={search.text ?? ''}
        onChange={(text) => change({ text })}
      />
      <SegmentedControl
        aria-label="Kind of key"
        value={search.kind ?? ''}
        onChange={(kind) => change({ kind })}
        data={[{ value: '', label: 'All kinds' }, ...kinds.map((kind) => ({ value: kind, label: titled(kind) }))]}
      />
      <SegmentedControl
        aria-label="State of the key"
        value={search.state ?? 'active'}
        onChange={(state) => change({ state })}
        data={[...KEY_STATES.map((state) => ({ value: state, label: titled(state) })), { value: 'all', label: 'All' }]}
      />
    </Group>
  );
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
