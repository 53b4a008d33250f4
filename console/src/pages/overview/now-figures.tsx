/** What is there at this moment. */
import { useQuery } from '@tanstack/react-query';
import { statsNowQuery } from '../../api/stats';
import { Figure, Figures } from '../../parts/figures';
import { formatCount } from '../../parts/format';
import { QueryView } from '../../parts/query-view';

export function NowFigures() {
  return (
    <QueryView query={useQuery(statsNowQuery)} rows={2}>
      {({ toolkitsOnline, toolkits, replicas, running, waiting, nodes }) => (
        <Figures label="Now">
          <Figure label="Toolkits online" value={formatCount(toolkitsOnline)} unit={`of ${formatCount(toolkits)}`} />
          <Figure label="Processes connected" value={formatCount(replicas)} />
          <Figure label="Calls running" value={formatCount(running)} />
          <Figure label="Calls waiting" value={formatCount(waiting)} />
          <Figure label="Nodes" value={formatCount(nodes)} />
        </Figures>
      )}
    </QueryView>
  );
}
