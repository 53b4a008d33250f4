/** The inputs of a condition on the payload: a place, an operator, and what it compares with. */
import { Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { OPERATORS, type Operator, type PayloadCondition } from './rule-rows';

const OPERATOR_LABELS: Record<Operator, string> = {
  is: 'is',
  in: 'is one of',
  above: 'is above',
  below: 'is below',
  matches: 'matches',
  exists: 'exists',
  missing: 'does not exist',
};

const VALUE_HINTS: Partial<Record<Operator, string>> = { above: '100', below: '100', matches: '^prod-' };

export interface PayloadConditionInputProps {
  condition: PayloadCondition;
  error: ReactNode;
  onChange: (changed: PayloadCondition) => void;
}

export function PayloadConditionInput({ condition, error, onChange }: PayloadConditionInputProps) {
  const { path, operator } = condition;
  return (
    <Stack gap={4} role="group" aria-label="Condition on the payload">
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Payload"
          placeholder="/amount"
          value={path}
          onChange={({ currentTarget }) => onChange({ ...condition, path: currentTarget.value })}
          error={error !== undefined}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'ids' }}
          flex="1 1 9rem"
        />
        <Select
          aria-label="Comparison"
          data={OPERATORS.map((name) => ({ value: name, label: OPERATOR_LABELS[name] }))}
          value={operator}
          onChange={(chosen) => chosen !== null && onChange({ ...condition, operator: chosen as Operator })}
          allowDeselect={false}
          flex="1 1 7rem"
        />
        <ValueInput condition={condition} onChange={onChange} />
      </Group>
      {error !== undefined && (
        <Text size="xs" c="var(--text-alarming)">
          {error}
        </Text>
      )}
    </Stack>
  );
}

function ValueInput({ condition, onChange }: Omit<PayloadConditionInputProps, 'error'>) {
  const { operator, values } = condition;
  if (operator === 'exists' || operator === 'missing') return null;
  const label = 'Value to compare with';
  if (operator === 'in')
    return (
      <TagsInput
        aria-label={label}
        placeholder={values.length === 0 ? 'Enter after each value' : ''}
        value={values}
        onChange={(changed) => onChange({ ...condition, values: changed })}
        splitChars={[]}
        flex="1 1 100%"
      />
    );
  return (
    <TextInput
      aria-label={label}
      placeholder={VALUE_HINTS[operator] ?? 'text, 100, true, null'}
      value={values[0] ?? ''}
      onChange={({ currentTarget }) => onChange({ ...condition, values: [currentTarget.value] })}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'ids' }}
      flex="1 1 9rem"
    />
  );
}
