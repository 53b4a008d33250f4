import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InvocationInfo } from '../../../../src/protocol/admin';
import { CallsTable } from '../../parts/calls-table';
import { Section } from '../../parts/section';

export function LastCalls({ calls }: { calls: readonly InvocationInfo[] }) {
  return (
    <Section
      title="Last calls"
      aside={
        <Anchor size="sm" renderRoot={(props) => <Link to="/calls" {...props} />}>
          All calls
        </Anchor>
      }
    >
      <CallsTable calls={calls} label="Last calls" />
    </Section>
  );
}
