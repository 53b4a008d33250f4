/** `GET /v1/system`: the nodes, the data and the limits of the service, for owners. */
import { type SystemNode, systemReport } from '#sdk/protocol/alert-schemas';
import { growthPerDay } from '../../attention/growth';
import { toTime } from '../../lib/to-time';
import { DAY_MS } from '../../lib/utc-day';
import { version } from '../../lib/version';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';

const SIZES_MS = 7 * DAY_MS;

export const systemRoutes = [
  defineRoute({
    id: 'getSystem',
    summary: 'The nodes, the data and the limits of the service',
    method: 'GET',
    path: '/v1/system',
    access: { owner: 'see the state of the service' },
    answer: systemReport,
    async handle(_, { store: { system }, clusterStatus, shownLimits }: AdminRouteDeps) {
      const [activity, now, bytes, lastBackup] = await Promise.all([
        clusterStatus.activity({ processes: true, state: true }),
        system.now(),
        system.bytes(),
        system.lastBackup(),
      ]);
      const sizes = await system.sizes(now - SIZES_MS);
      const bytesPerDay = growthPerDay(sizes, now, bytes);
      return {
        version,
        nodes: nodesOf(activity),
        store: {
          ...{ kind: system.kind, bytes, sizes: sizes.map((size) => ({ at: toTime(size.at), bytes: size.bytes })) },
          ...(bytesPerDay !== undefined && { bytesPerDay }),
        },
        ...(lastBackup !== undefined && { lastBackupAt: toTime(lastBackup) }),
        sdks: sdksOf(activity),
        limits: shownLimits,
      };
    },
  }),
] as const;

type Activity = Awaited<ReturnType<AdminRouteDeps['clusterStatus']['activity']>>;

/** This node is the first. */
function nodesOf({ nodes, silent }: Activity): SystemNode[] {
  return [
    ...nodes.map(({ node, running, queued, state }, index) => ({
      id: node,
      isThis: index === 0,
      isSilent: false,
      running,
      queued,
      ...state,
    })),
    ...silent.map((id) => ({ id, isThis: false, isSilent: true, running: 0, queued: 0 })),
  ];
}

function sdksOf({ nodes }: Activity): { name: string; processes: number }[] {
  const byName = Map.groupBy(
    nodes.flatMap(({ processes }) => processes),
    ({ sdk }) => sdk,
  );
  return Array.from(byName, ([name, some]) => ({ name, processes: some.length })).sort(
    (a, b) => b.processes - a.processes || (a.name < b.name ? -1 : 1),
  );
}
