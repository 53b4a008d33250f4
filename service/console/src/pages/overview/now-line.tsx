/** The current state in one line. */
import { Anchor, Flex, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StatsNow } from '#sdk/protocol/admin';
import { meQuery } from '../../api/me';
import { statsNowQuery } from '../../api/stats';
import { formatCount, formatPlural } from '../../parts/format';
import { QueryView } from '../../parts/query-view';

export function NowLine() {
  const { data: me } = useSuspenseQuery(meQuery);
  return (
    <QueryView query={useQuery(statsNowQuery)} rows={1}>
      {({ toolkitsOnline, toolkits, replicas, running, waiting, nodes, offered, silentNodes = [] }) => (
        <Flex component="ul" className="plain-list" aria-label="Now" wrap="wrap" columnGap="lg" rowGap={4} fz="sm">
          {me.role === 'member' && toolkits > 0 && (
            <Now
              figure={`${formatCount(toolkitsOnline)} of ${formatCount(toolkits)}`}
              of={toolkits === 1 ? 'toolkit of yours online' : 'toolkits of yours online'}
            />
          )}
          <Now figure={<ToolkitsLink {...offered} />} of={offered.toolkits === 1 ? 'toolkit online' : 'toolkits online'} />
          <Now figure={formatCount(replicas)} of={replicas === 1 ? 'process connected' : 'processes connected'} />
          <Now figure={formatCount(running)} of={running === 1 ? 'call running' : 'calls running'} />
          <Now figure={formatCount(waiting)} of="waiting" />
          {nodes > 1 && <Now figure={formatCount(nodes)} of="nodes" />}
          {silentNodes.length > 0 && (
            <Text component="li" inherit c="var(--text-alarming)">
              {formatPlural(silentNodes.length, 'node does', 'nodes do')} not answer; calls on them are not counted
            </Text>
          )}
        </Flex>
      )}
    </QueryView>
  );
}

/** The toolkits that agents can find; the link shows the offline ones. */
function ToolkitsLink({ online, toolkits }: StatsNow['offered']) {
  const state = online < toolkits ? ('offline' as const) : undefined;
  return (
    <Anchor inherit c="inherit" renderRoot={(props) => <Link to="/toolkits" search={state ? { state } : {}} {...props} />}>
      {formatCount(online)} of {formatCount(toolkits)}
    </Anchor>
  );
}

function Now({ figure, of }: { figure: ReactNode; of: string }) {
  return (
    <Text component="li" inherit c="dimmed">
      <Text span inherit fw={600} c="var(--mantine-color-text)" className="numbers">
        {figure}
      </Text>{' '}
      {of}
    </Text>
  );
}
