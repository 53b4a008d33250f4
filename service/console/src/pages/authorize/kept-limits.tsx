/** The limits of an app that the person has connected before. They stay as they are. */
import { Anchor, DataList, Stack, Text } from '@mantine/core';
import type { WaitingApp } from '../../api/oauth-requests';
import { formatCount } from '../../parts/format';
import { budgetWords } from '../keys/budget-use';
import { scopeWords } from '../keys/key-scope';

export interface KeptLimitsProps {
  appKey: NonNullable<WaitingApp['key']>;
  currency: string;
}

export function KeptLimits({ appKey: { id, allow, rules, callsPerMinute, budget }, currency }: KeptLimitsProps) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        You have connected this app before. The limits of its key stay.{' '}
        <Anchor inherit underline="always" href={`/keys?id=${encodeURIComponent(id)}`} target="_blank">
          Change them
        </Anchor>
      </Text>
      <DataList labelWidth="8rem">
        {[
          ['Access', scopeWords({ kind: 'agent', ...(allow && { allow }), ...(rules && { rules }) })],
          ['Limit per minute', callsPerMinute === undefined ? 'none' : formatCount(callsPerMinute)],
          ['Budget', budgetWords(budget, currency)],
        ].map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue className="names">{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </Stack>
  );
}
