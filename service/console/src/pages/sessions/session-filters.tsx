/** The filters of the list of sessions. All of them are in the address, so that links and the back button keep them. */
import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { AMOUNT } from '#sdk/protocol/amount';
import { FilterChoice } from '../../parts/filter-choice';
import { TimeChoice } from '../../parts/time-choice';
import { SESSION_OUTCOMES, type SessionsSearch } from './sessions-search';

type FilterChange = { [Name in keyof SessionsSearch]?: SessionsSearch[Name] | undefined };

export function SessionFilters({ search, currency }: { search: SessionsSearch; currency: string }) {
  const navigate = useNavigate();
  const { sort, order, cursor: _, ...filters } = search;
  const inOrder = { ...(sort && { sort }), ...(order && { order }) };
  // A page of the former list is no page of the new one.
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

interface TextFilterProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  problemOf?: (text: string) => string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Applied with Enter, or when the field loses the focus. */
function TextFilter({ label, placeholder, value = '', problemOf, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const problem = text.trim() === '' ? undefined : problemOf?.(text.trim());
  const apply = () => text.trim() !== value && !problem && onChange(text.trim() || undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
  };
  return (
    <form onSubmit={submit} className="filter">
      <TextInput
        label={label}
        placeholder={placeholder}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={apply}
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  );
}
