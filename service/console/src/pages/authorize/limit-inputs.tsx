/** The limits of a new app. */
import { Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Budget } from '#sdk/protocol/http';
import { BudgetInput } from '../keys/budget-input';
import type { ScopeRow } from '../keys/key-scope';
import { LimitInput } from '../keys/limit-input';
import { ScopeInput } from '../keys/scope-input';

interface Limits {
  kind: 'agent';
  rows: ScopeRow[] | null;
  callsPerMinute: number | string;
  budget: Budget;
}

export function LimitInputs({ form }: { form: UseFormReturnType<Limits> }) {
  return (
    <Stack>
      <ScopeInput rows={form.values.rows} onChange={(rows) => form.setFieldValue('rows', rows)} error={form.errors.rows} />
      <LimitInput description="Leave empty for no limit." {...form.getInputProps('callsPerMinute')} />
      <BudgetInput perCall={form.getInputProps('budget.perCall')} perDay={form.getInputProps('budget.perDay')} />
    </Stack>
  );
}
