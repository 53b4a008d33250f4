import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { newestCallsQuery } from '../../api/invocations';
import type { TimeWindow } from '../../api/spans';
import { CallsTable } from '../../parts/calls-table';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';

const LAST = 8;

/** @param time only calls of this range */
export function LastCalls({ time = {} }: { time?: Partial<TimeWindow> | undefined }) {
  const isBounded = time.to !== undefined;
  const title = isBounded ? 'Last calls of this time' : 'Last calls';
  return (
    <Section
      title={title}
      aside={
        <Anchor size="sm" renderRoot={(props) => <Link to="/calls" search={time} {...props} />}>
          {isBounded ? 'All calls of this time' : 'All calls'}
        </Anchor>
      }
    >
      <QueryView query={useQuery(newestCallsQuery(time, LAST))} rows={LAST}>
        {({ invocations }) => <CallsTable calls={invocations} label={title} />}
      </QueryView>
    </Section>
  );
}
