import { Text } from '@mantine/core';
import type { InvocationInfo } from '#sdk/protocol/admin';
import { CallsTable } from '../../parts/calls-table';
import { Section } from '../../parts/section';

export function RunCalls({ calls }: { calls: readonly InvocationInfo[] }) {
  return (
    <Section title="Calls" description="Each is a call of the key, under its rules and its budget.">
      {calls.length === 0 ? (
        <Text size="sm" c="dimmed">
          The program has called no action.
        </Text>
      ) : (
        <CallsTable label="Calls of the run" calls={calls} />
      )}
    </Section>
  );
}
