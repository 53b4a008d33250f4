/** The filters of the list of sessions. All of them are in the address, so that links and the back button keep them. */
import { Button, Checkbox, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { AMOUNT } from '#sdk/protocol/amount';
import { FilterChoice } from '../../parts/filter-choice';
import { TextFilter } from '../../parts/text-filter';
import { TimeChoice } from '../../parts/time-choice';
import { SESSION_OUTCOMES, type SessionsSearch } from './sessions-search';

type FilterChange = { [Name in keyof SessionsSearch]?: SessionsSearch[Name] | undefined };

export function SessionFilters({ search, currency }: { search: SessionsSearch; currency: string }) {
  const navigate = useNavigate();
  const { sort, order, cursor: _, ...filters } = search;
  const inOrder = { ...(sort && { sort }), ...(order && { order }) };
  // A place in the former list means nothing in the new one.
  const change = (changed: FilterChange) => void navigate({ to: '/sessions', search: given({ ...filters, ...inOrder, ...changed }) });
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Filter the sessions" mb="md">
      <TextFilter label="Session" placeholder="Part of its id" value={filters.text} onChange={(text) => change({ text })} />
      <TextFilter label="User" placeholder="Any user" value={filters.user} onChange={(user) => change({ user })} />
      <TextFilter label="Key" placeholder="key_…" value={filters.key} onChange={(key) => change({ key })} />
      <FilterChoice
        label="Outcome"
        any="Any outcome"
        value={filters.outcome}
        data={SESSION_OUTCOMES}
        onChange={(outcome) => change({ outcome: outcome as SessionsSearch['outcome'] })}
      />
      <TextFilter
        label={`Dearer than (${currency})`}
        placeholder="Any cost"
        value={filters.dearerThan}
        problemOf={(text) => (AMOUNT.test(text) ? undefined : 'An amount, such as 0.05')}
        onChange={(dearerThan) => change({ dearerThan })}
      />
      <TimeChoice from={filters.from} to={filters.to} onChange={change} />
      <Checkbox
        label="Searched in vain"
        pb="xs"
        checked={filters.inVain === true}
        onChange={({ currentTarget }) => change({ inVain: currentTarget.checked ? true : undefined })}
      />
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => void navigate({ to: '/sessions', search: inOrder })}>
          Clear
        </Button>
      )}
    </Group>
  );
}

const given = (filters: FilterChange): SessionsSearch =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
