import { Group, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ToolkitReportsPage } from '#sdk/protocol/admin';
import { formatCount } from '../../parts/format';
import { ListSearchField } from '../../parts/search-field';
import type { ToolkitsSearch } from './toolkits-search';

/** @param counts of the toolkits that match the text; undefined while they load */
export function ToolkitFilters({ search, counts }: { search: ToolkitsSearch; counts: ToolkitReportsPage['counts'] | undefined }) {
  const navigate = useNavigate({ from: '/toolkits' });
  const counted = (label: string, count: number | undefined) => (count === undefined ? label : `${label} ${formatCount(count)}`);
  return (
    <Group gap="sm" role="search" aria-label="Filter the toolkits">
      <ListSearchField
        label="Search by name, id or description"
        placeholder="Search by name, id or description"
        value={search.q ?? ''}
        onChange={(q) => void navigate({ search: ({ q: _, ...former }) => ({ ...former, ...(q.trim() && { q }) }), replace: true })}
      />
      <SegmentedControl
        aria-label="State of the toolkit"
        className="numbers"
        value={search.state ?? 'all'}
        onChange={(state) =>
          void navigate({
            search: ({ state: _, ...former }) => ({ ...former, ...(state !== 'all' && { state: state as 'online' | 'offline' }) }),
            replace: true,
          })
        }
        data={[
          { value: 'all', label: counted('All', counts?.all) },
          { value: 'online', label: counted('Online', counts?.online) },
          { value: 'offline', label: counted('Offline', counts?.offline) },
        ]}
      />
    </Group>
  );
}
