/** The toolkit of a new toolkit key: a new one, or one that has a key of the person. The service finds the choices. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keyListQuery } from '../../api/keys';

const PAUSE_MS = 150;
const SUGGESTED = 50;
const NEW_TOOLKIT = 'A new toolkit, with an id made from the name';

export interface KeyToolkitSelectProps {
  /** Empty for a new toolkit. */
  value?: string;
  onChange?: (toolkit: string) => void;
}

export function KeyToolkitSelect({ value = '', onChange }: KeyToolkitSelectProps) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const { data } = useQuery(keyListQuery({ q: asked.trim(), kind: 'toolkit', limit: SUGGESTED }));
  const found = data?.keys.flatMap(({ toolkit }) => toolkit ?? []) ?? [];
  const toolkits = [...new Set([...found, ...(value ? [value] : [])])].sort();
  return (
    <Select
      label="Toolkit"
      description="A second key for a toolkit lets you replace the first one without an interruption."
      value={value}
      data={[{ value: '', label: NEW_TOOLKIT }, ...toolkits.map((id) => ({ value: id, label: id }))]}
      // The service has searched already.
      filter={({ options }) => options}
      onChange={(toolkit) => onChange?.(toolkit ?? '')}
      onSearchChange={(typed) => setText(typed === NEW_TOOLKIT || typed === value ? '' : typed)}
      allowDeselect={false}
      searchable
    />
  );
}
