/** Selects the agent key for a search or a call. The key's limits and allow list apply. The service finds the choices: there may be thousands. */
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnedKey } from '#sdk/protocol/admin';
import { agentKeySuggestionsQuery } from '../api/agent-keys';
import { keyLabels } from './key-labels';

const PAUSE_MS = 150;

export interface AgentKeySelectProps extends Pick<SelectProps, 'label' | 'description' | 'w' | 'size'> {
  value: OwnedKey;
  onChange: (key: OwnedKey) => void;
}

export function AgentKeySelect({ value, onChange, ...rest }: AgentKeySelectProps) {
  const [isOpened, { open, close }] = useDisclosure();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const { data: found = [] } = useQuery({ ...agentKeySuggestionsQuery(asked === value.name ? '' : asked.trim()), enabled: isOpened });
  // The chosen key stays a choice: without it, its name would leave the field.
  const keys = found.some(({ id }) => id === value.id) ? found : [value, ...found];
  const labels = keyLabels(keys);
  return (
    <Select
      {...rest}
      value={value.id}
      data={keys.map(({ id }) => ({ value: id, label: labels.get(id) ?? id }))}
      onChange={(keyId) => {
        const key = keys.find(({ id }) => id === keyId);
        if (key) onChange(key);
      }}
      onDropdownOpen={open}
      onDropdownClose={close}
      onSearchChange={(typed) => setText(typed === labels.get(value.id) ? '' : typed)}
      // The service has searched already, including ids and owners.
      filter={({ options }) => options}
      allowDeselect={false}
      searchable
      nothingFoundMessage="No match"
      comboboxProps={{ withinPortal: true }}
    />
  );
}
