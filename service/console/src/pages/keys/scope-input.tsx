/** Input for the toolkits and actions that an agent key may use. */
import { ActionIcon, Group, MultiSelect, Radio, Select, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { actionChoicesQuery, toolkitChoicesQuery } from '../../api/toolkit-choices';
import type { ScopeRow } from './key-scope';

export interface ScopeInputProps {
  /** null allows everything. */
  rows: ScopeRow[] | null;
  onChange: (rows: ScopeRow[] | null) => void;
  error: ReactNode;
}

export function ScopeInput({ rows, onChange, error }: ScopeInputProps) {
  return (
    <Radio.Group
      label="Access"
      value={rows === null ? 'everything' : 'chosen'}
      onChange={(value) => onChange(value === 'everything' ? null : [])}
      error={rows !== null && rows.length === 0 ? error : undefined}
    >
      <Stack gap="xs" mt={6}>
        <Radio value="everything" label="All actions, including future ones" />
        <Radio value="chosen" label="Chosen toolkits and actions" />
        {rows !== null && <Rows rows={rows} onChange={onChange} />}
      </Stack>
    </Radio.Group>
  );
}

function Rows({ rows, onChange }: { rows: ScopeRow[]; onChange: (rows: ScopeRow[]) => void }) {
  const toolkits = useQuery(toolkitChoicesQuery);
  const left = (toolkits.data ?? []).filter(({ id }) => !rows.some(({ toolkit }) => toolkit === id));
  const change = (changed: ScopeRow) => onChange(rows.map((row) => (row.toolkit === changed.toolkit ? changed : row)));
  return (
    <Stack gap="sm" pl="md">
      {rows.map((row) => (
        <Group key={row.toolkit} gap="xs" align="flex-end" wrap="nowrap">
          <Actions row={row} onChange={change} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Leave out ${row.toolkit}`}
            onClick={() => onChange(rows.filter(({ toolkit }) => toolkit !== row.toolkit))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Select
        // Each choice becomes a row, and the input is cleared.
        key={rows.length}
        aria-label="Add a toolkit"
        placeholder={toolkits.isPending ? 'Loading…' : left.length === 0 ? 'No more toolkits' : 'Add a toolkit'}
        disabled={left.length === 0}
        searchable
        limit={50}
        data={left.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))}
        onChange={(toolkit) => toolkit !== null && onChange([...rows, { toolkit, actions: [] }])}
      />
      {toolkits.error && (
        <Text size="sm" c="var(--text-alarming)">
          {toolkits.error.message}
        </Text>
      )}
    </Stack>
  );
}

function Actions({ row, onChange }: { row: ScopeRow; onChange: (row: ScopeRow) => void }) {
  const { data: known = [] } = useQuery(actionChoicesQuery(row.toolkit));
  return (
    <MultiSelect
      label={row.toolkit}
      placeholder={row.actions.length === 0 ? 'All its actions' : undefined}
      searchable
      clearable
      limit={100}
      flex={1}
      miw={0}
      // Chosen actions stay in the list while their toolkit does not offer them.
      data={[...new Set([...known, ...row.actions])].map((action) => ({ value: action, label: action.slice(row.toolkit.length + 2) }))}
      value={row.actions}
      onChange={(actions) => onChange({ ...row, actions })}
    />
  );
}
