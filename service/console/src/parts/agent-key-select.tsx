/** Selects the agent key for a search or a call. The key's limits and allow list apply. */
import { Select, type SelectProps } from '@mantine/core';
import type { OwnedKey } from '#sdk/protocol/admin';

export interface AgentKeySelectProps extends Pick<SelectProps, 'label' | 'description' | 'w' | 'size'> {
  keys: readonly OwnedKey[];
  value: string;
  onChange: (keyId: string) => void;
}

export function AgentKeySelect({ keys, onChange, ...rest }: AgentKeySelectProps) {
  const names = new Map<string, number>();
  for (const { name } of keys) names.set(name, (names.get(name) ?? 0) + 1);
  const label = ({ id, name, owner }: OwnedKey) => {
    const isShared = (names.get(name) ?? 0) > 1;
    return isShared ? `${name} (${owner?.name ?? id})` : name;
  };
  return (
    <Select
      {...rest}
      data={keys.map((key) => ({ value: key.id, label: label(key) }))}
      onChange={(keyId) => keyId && onChange(keyId)}
      allowDeselect={false}
      searchable={keys.length > 10}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
