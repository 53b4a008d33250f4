/** Inputs for the budget of an agent key. Only owners can change it. */
import { Box, Group, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Budget } from '#sdk/protocol/http';
import { meQuery } from '../../api/me';
import { budgetWords } from './budget-use';

export interface BudgetInputProps {
  /** The present budget of the key. */
  current?: Budget | undefined;
  perCall: TextInputProps;
  perDay: TextInputProps;
}

export function BudgetInput({ current, perCall, perDay }: BudgetInputProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  if (me.role === 'member')
    return (
      <Box>
        <Text size="sm" fw={500}>
          Budget
        </Text>
        <Text size="sm">{budgetWords(current, me.currency)}</Text>
        <Text size="xs" c="dimmed">
          Only owners can change a budget, because it spends their money.
        </Text>
      </Box>
    );
  const look = { inputMode: 'decimal', autoComplete: 'off', placeholder: 'None' } as const;
  return (
    <Box>
      <Group grow align="flex-start">
        <TextInput label={`Budget per call (${me.currency})`} {...look} {...perCall} />
        <TextInput label={`Budget per day (${me.currency})`} {...look} {...perDay} />
      </Group>
      <Text size="xs" c="dimmed" mt={5}>
        The most that paid actions may cost, per call and per UTC day. Leave both empty for free actions only.
      </Text>
    </Box>
  );
}
