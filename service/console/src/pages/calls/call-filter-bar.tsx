/** The filters of the log. All of them are in the address, so that links and the back button keep them. */
import { Button, Group } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { CallFilters } from '../../api/invocations';
import { meQuery } from '../../api/me';
import { FilterChoice } from '../../parts/filter-choice';
import { TextFilter } from '../../parts/text-filter';
import { TimeChoice } from '../../parts/time-choice';
import { OUTCOMES } from './outcomes';
import { ActionFilter, KeyFilter, ToolkitFilter } from './suggested-filters';

const ORIGINS = [
  { value: 'agent', label: 'Agents' },
  { value: 'console', label: 'People in the console' },
];

const WHOSE = [
  { value: 'toolkits', label: 'To your toolkits' },
  { value: 'keys', label: 'Of your keys' },
];

type FilterChange = { [Name in keyof CallFilters | 'id']?: string | undefined };

const given = (filters: FilterChange): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

export function CallFilterBar({ filters, id }: { filters: CallFilters; id: string | undefined }) {
  const navigate = useNavigate();
  const { data: me } = useSuspenseQuery(meQuery);
  const change = (changed: FilterChange) => void navigate({ to: '/calls', search: given({ ...filters, ...changed }) });
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Filter the calls">
      {(me.role === 'member' || filters.mine !== undefined) && (
        <FilterChoice label="Whose" any="All of yours" value={filters.mine} data={WHOSE} onChange={(mine) => change({ mine })} />
      )}
      <KeyFilter value={filters.key} onChange={(key) => change({ key })} />
      <ToolkitFilter value={filters.toolkit} onChange={(toolkit) => change({ toolkit })} />
      <FilterChoice label="Outcome" any="Any outcome" value={filters.outcome} data={OUTCOMES} onChange={(outcome) => change({ outcome })} />
      <TimeChoice from={filters.from} to={filters.to} onChange={change} />
      <ActionFilter value={filters.action} onChange={(action) => change({ action })} />
      <TextFilter
        label="Error code"
        placeholder="Of a toolkit"
        value={filters.toolkitCode}
        onChange={(toolkitCode) => change({ toolkitCode })}
      />
      <TextFilter label="Session" placeholder="Any session" value={filters.session} onChange={(session) => change({ session })} />
      <TextFilter label="User" placeholder="Any user" value={filters.user} onChange={(user) => change({ user })} />
      <FilterChoice label="Made by" any="Anything" value={filters.origin} data={ORIGINS} onChange={(origin) => change({ origin })} />
      <TextFilter label="Call id" placeholder="inv_…" value={id} onChange={(id) => change({ id })} />
      {(id !== undefined || Object.keys(filters).length > 0) && (
        <Button variant="subtle" color="gray" onClick={() => void navigate({ to: '/calls' })}>
          Clear
        </Button>
      )}
    </Group>
  );
}
