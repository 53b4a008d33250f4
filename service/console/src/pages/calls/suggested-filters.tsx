/** Filters with choices that the service suggests while the person types: there may be thousands. */
import { Autocomplete, Select } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { callerSuggestionsQuery } from '../../api/agent-keys';
import { keyQuery } from '../../api/keys';
import { actionSuggestionsQuery, toolkitSuggestionsQuery } from '../../api/reports';
import { keyLabels } from '../../parts/key-labels';

const PAUSE_MS = 150;

export interface SuggestedFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function KeyFilter({ value, onChange }: SuggestedFilterProps) {
  const [isOpened, { open, close }] = useDisclosure();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  // A key of the address has only an id. The list need not hold it.
  const { data: chosen } = useQuery({ ...keyQuery(value ?? ''), enabled: value !== undefined });
  const { data: found = [] } = useQuery({ ...callerSuggestionsQuery(asked.trim()), enabled: isOpened });
  const known = chosen && chosen.id === value ? [chosen] : [];
  const keys = [...known.filter(({ id }) => found.every((key) => key.id !== id)), ...found];
  const labels = keyLabels(keys);
  const isListed = value === undefined || labels.has(value);
  return (
    <Select
      className="filter"
      label="Key"
      placeholder="Any key"
      value={value ?? null}
      data={[...keys.map(({ id }) => ({ value: id, label: labels.get(id) ?? id })), ...(isListed ? [] : [value])]}
      // The service has searched already, including ids and owners.
      filter={({ options }) => options}
      onChange={(id) => onChange(id ?? undefined)}
      onDropdownOpen={open}
      onDropdownClose={close}
      onSearchChange={(typed) => setText(value !== undefined && typed === (labels.get(value) ?? value) ? '' : typed)}
      searchable
      clearable
      nothingFoundMessage="No match"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

export function ToolkitFilter({ value, onChange }: SuggestedFilterProps) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text === value ? '' : text, PAUSE_MS);
  const { data } = useQuery(toolkitSuggestionsQuery(asked));
  const suggested = data?.toolkits.map(({ id }) => id) ?? [];
  return (
    <Select
      className="filter"
      label="Toolkit"
      placeholder="Any toolkit"
      value={value ?? null}
      // A value of the address is shown even if it is not suggested.
      data={[...new Set([...suggested, ...(value === undefined ? [] : [value])])]}
      // The service has searched already, including names.
      filter={({ options }) => options}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      onSearchChange={setText}
      searchable
      clearable
      nothingFoundMessage="No match"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

/** Applied when an action is chosen, or with Enter, which chooses the first suggestion. */
export function ActionFilter({ value = '', onChange }: SuggestedFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const { data } = useQuery({ ...actionSuggestionsQuery(asked), enabled: asked.trim() !== '' && asked !== value });
  const suggested = asked.trim() === '' ? [] : (data?.actions.map(({ action }) => action) ?? []);
  const apply = (wanted: string) => wanted !== value && onChange(wanted || undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = text.trim();
    const isWhole = typed === '' || typed.includes('__') || suggested.includes(typed);
    apply(isWhole ? typed : (suggested[0] ?? typed));
  };
  return (
    <form onSubmit={submit} className="filter">
      <Autocomplete
        label="Action"
        placeholder="Any action"
        value={text}
        data={suggested}
        filter={({ options }) => options}
        onChange={setText}
        onOptionSubmit={apply}
        onClear={() => apply('')}
        clearable
        spellCheck={false}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      />
    </form>
  );
}
