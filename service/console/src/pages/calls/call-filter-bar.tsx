/** The filters of the log. All of them are in the address, so that links and the back button keep them. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import type { CallFilters } from '../../api/invocations';
import { keysQuery } from '../../api/keys';
import { isSpan, SPAN_NAMES, SPANS, startOf } from '../../api/spans';
import { formatStretch, formatTime, toLocalTime } from '../../parts/format';
import { OUTCOMES } from './outcomes';
import { ActionFilter, ToolkitFilter } from './suggested-filters';

type FilterChange = { [Name in keyof CallFilters | 'id']?: string | undefined };

const given = (filters: FilterChange): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

export function CallFilterBar({ filters, id }: { filters: CallFilters; id: string | undefined }) {
  const navigate = useNavigate();
  const { data: keys } = useQuery(keysQuery);
  const change = (changed: FilterChange) => void navigate({ to: '/calls', search: given({ ...filters, ...changed }) });

  const keyChoices = keys?.keys.filter(({ kind }) => kind === 'agent').map((key) => ({ value: key.id, label: key.name || key.id })) ?? [];
  return (
    <Group gap="xs" align="flex-end" role="search" aria-label="Filter the calls">
      <Choice label="Key" any="Any key" value={filters.key} data={keyChoices} onChange={(key) => change({ key })} />
      <ToolkitFilter value={filters.toolkit} onChange={(toolkit) => change({ toolkit })} />
      <Choice label="Outcome" any="Any outcome" value={filters.outcome} data={OUTCOMES} onChange={(outcome) => change({ outcome })} />
      <TimeChoice filters={filters} onChange={change} />
      <ActionFilter value={filters.action} onChange={(action) => change({ action })} />
      <TextFilter label="Session" placeholder="Any session" value={filters.session} onChange={(session) => change({ session })} />
      <TextFilter label="User" placeholder="Any user" value={filters.user} onChange={(user) => change({ user })} />
      <TextFilter label="Call id" placeholder="inv_…" value={id} onChange={(id) => change({ id })} />
      {(id !== undefined || Object.keys(filters).length > 0) && (
        <Button variant="subtle" color="gray" onClick={() => void navigate({ to: '/calls' })}>
          Clear
        </Button>
      )}
    </Group>
  );
}

type ChoiceData = readonly (string | { value: string; label: string })[];

interface ChoiceProps {
  label: string;
  any: string;
  isWide?: boolean;
  value: string | undefined;
  data: ChoiceData;
  onChange: (value: string | undefined) => void;
}

function Choice({ label, any, isWide = false, value, data, onChange }: ChoiceProps) {
  const isListed = value === undefined || data.some((choice) => (typeof choice === 'string' ? choice : choice.value) === value);
  return (
    <Select
      className={isWide ? 'filter filter-wide' : 'filter'}
      label={label}
      placeholder={any}
      value={value ?? null}
      // A value of the address is shown even if it is not in the list.
      data={isListed ? [...data] : [...data, value]}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable
      clearable
      nothingFoundMessage="No match"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

/** A range that ends now, or the two times of the address. */
function TimeChoice({ filters: { from, to }, onChange }: { filters: CallFilters; onChange: (changed: FilterChange) => void }) {
  const spans = SPAN_NAMES.map((value) => ({ value: value as string, label: SPANS[value].label as string }));
  const isExact = to !== undefined || (from !== undefined && !isSpan(from));
  const formatEnd = (at: string | undefined) => (at === undefined ? '…' : isSpan(at) ? SPANS[at].label : formatTime(at));
  const exact = from && to && !isSpan(from) ? formatStretch(from, to) : `${formatEnd(from)} – ${formatEnd(to)}`;
  const data = [...spans, { value: 'exact', label: isExact ? exact : 'From … to …' }];
  const choose = (chosen: string | undefined) => {
    if (chosen === 'exact') onChange({ from: startOf('1h'), to: new Date().toISOString() });
    else onChange({ from: chosen, to: undefined });
  };
  const choice = (
    <Choice
      label="Time"
      any="Any time"
      isWide={isExact}
      value={isExact ? 'exact' : from}
      data={data}
      onChange={(chosen) => !(isExact && chosen === 'exact') && choose(chosen)}
    />
  );
  if (!isExact) return choice;
  return (
    <>
      {choice}
      <TimeInput label="From" value={isSpan(from) ? startOf(from) : from} onChange={(at) => onChange({ from: at })} />
      <TimeInput label="To" value={to} onChange={(at) => onChange({ to: at })} />
    </>
  );
}

/** A time in the browser's zone, which the label names. Applied when the field loses the focus. */
function TimeInput({ label, value, onChange }: Pick<TextFilterProps, 'label' | 'value' | 'onChange'>) {
  const shown = value === undefined ? '' : toLocalTime(value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <TextInput
      className="filter"
      type="datetime-local"
      label={`${label} (${zone})`}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => text !== shown && onChange(text === '' ? undefined : new Date(text).toISOString())}
    />
  );
}

interface TextFilterProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Applied with Enter, or when the field loses the focus. */
function TextFilter({ label, placeholder, value = '', onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = () => text.trim() !== value && onChange(text.trim() || undefined);
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
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  );
}
