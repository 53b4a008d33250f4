/** What is there at this moment, in one line: what is as ever is said quietly. */
import { Flex, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { statsNowQuery } from '../../api/stats';
import { formatCount, formatPlural } from '../../parts/format';
import { QueryView } from '../../parts/query-view';

export function NowLine() {
  return (
    <QueryView query={useQuery(statsNowQuery)} rows={1}>
      {({ toolkitsOnline, toolkits, replicas, running, waiting, nodes, silentNodes = [] }) => (
        <Flex component="ul" className="plain-list" aria-label="Now" wrap="wrap" columnGap="lg" rowGap={4} fz="sm">
          <Now
            figure={`${formatCount(toolkitsOnline)} of ${formatCount(toolkits)}`}
            of={toolkits === 1 ? 'toolkit online' : 'toolkits online'}
          />
          <Now figure={formatCount(replicas)} of={replicas === 1 ? 'process connected' : 'processes connected'} />
          <Now figure={formatCount(running)} of={running === 1 ? 'call running' : 'calls running'} />
          <Now figure={formatCount(waiting)} of="waiting" />
          {nodes > 1 && <Now figure={formatCount(nodes)} of="nodes" />}
          {silentNodes.length > 0 && (
            <Text component="li" inherit c="var(--text-alarming)">
              {formatPlural(silentNodes.length, 'node does', 'nodes do')} not answer, and what goes on there is not counted
            </Text>
          )}
        </Flex>
      )}
    </QueryView>
  );
}

function Now({ figure, of }: { figure: string; of: string }) {
  return (
    <Text component="li" inherit c="dimmed">
      <Text span inherit fw={600} c="var(--mantine-color-text)" className="numbers">
        {figure}
      </Text>{' '}
      {of}
    </Text>
  );
}
