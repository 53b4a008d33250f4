import { Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { KEY_STATES } from '#sdk/protocol/admin';
import { formatCount, formatPlural } from '../../parts/format';
import type { KeysSearch } from './key-filter';

export interface KeyFiltersProps {
  search: KeysSearch;
  /** Number of keys that match. */
  shown: number;
  all: number;
  withAdmin: boolean;
}

export function KeyFilters({ search, shown, all, withAdmin }: KeyFiltersProps) {
  const navigate = useNavigate({ from: '/keys' });
  const change = (changed: KeysSearch) => void navigate({ search: (former) => ({ ...former, ...changed }), replace: true });
  const kinds = withAdmin ? ['agent', 'toolkit', 'admin'] : ['agent', 'toolkit'];
  return (
    <Group mb="md" gap="sm">
      <TextInput
        aria-label="Find keys by name, id, toolkit or owner"
        placeholder="Name, id, toolkit, owner"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search.text ?? ''}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        w={{ base: '100%', xs: 240 }}
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
      <Text size="sm" c="dimmed" ml={{ md: 'auto' }} role="status">
        {shown === all ? formatPlural(all, 'key') : `${formatCount(shown)} of ${formatPlural(all, 'key')}`}
      </Text>
    </Group>
  );
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
