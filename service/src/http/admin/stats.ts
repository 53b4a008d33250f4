/** `/v1/stats`: numbers of calls, their outcomes and durations, and the current load. */
import type * as z from 'zod';
import { seriesQuery, statsNow, statsSeries, statsTop, topQuery } from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import type { Principal } from '../../accounts/principal';
import type { KeyRing } from '../../keys/key-ring';
import { toTime } from '../../lib/to-time';
import type { CountQuery } from '../../store/console-store';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { callCounts, sum } from './call-counts';
import { readRange, readSpan } from './time-range';
import { ownOf, requireKey, requireSeen, seesAction, seesKey, seesToolkit, visibleTo } from './visibility';

export const statsRoutes = [
  defineRoute({
    id: 'getStatsSeries',
    summary: 'Calls over time',
    method: 'GET',
    path: '/v1/stats/series',
    access: 'person',
    query: seriesQuery,
    answer: statsSeries,
    async handle({ principal, query: { from, to, ...filters } }, { store, keys }: AdminRouteDeps) {
      const range = readRange({ from, to });
      const subject = await subjectOf(filters, principal, keys);
      const counts = subject.names.length === 0 ? [] : await store.counts.series({ ...subject, ...range });
      const byStart = Map.groupBy(counts, ({ start }) => start);
      const byCode = Map.groupBy(counts, ({ code }) => code);
      const stepMs = range.step * 1_000;
      const starts = Array.from({ length: (range.to - range.from) / stepMs }, (_, step) => range.from + step * stepMs);
      return {
        from: toTime(range.from),
        to: toTime(range.to),
        stepSeconds: range.step,
        total: callCounts(counts),
        points: starts.map((start) => ({ at: toTime(start), ...callCounts(byStart.get(start) ?? []) })),
        codes: Array.from(byCode, ([code, ofCode]) => ({ code, calls: sum(ofCode) })).sort((a, b) => b.calls - a.calls),
      };
    },
  }),
  defineRoute({
    id: 'getStatsTop',
    summary: 'Most called, failing or slowest',
    method: 'GET',
    path: '/v1/stats/top',
    access: 'person',
    query: topQuery,
    answer: statsTop,
    async handle({ principal, query: { by, order, limit, ...asked } }, deps: AdminRouteDeps) {
      const range = readSpan(asked);
      const visible = await visibleTo(principal, deps.keys);
      const { sees, namesOf } = SUBJECTS[by];
      const top = await deps.topLists.list({ dimension: by, ...range, order, limit, sees: (id) => sees(visible, id) });
      const names = await namesOf(
        top.map(({ id }) => id),
        deps,
      );
      return {
        items: top.map((item) => {
          const name = names.get(item.id);
          return { ...item, ...(name !== undefined && { name }) };
        }),
      };
    },
  }),
  defineRoute({
    id: 'getStatsNow',
    summary: 'Online toolkits, and running and waiting calls',
    method: 'GET',
    path: '/v1/stats/now',
    access: 'person',
    answer: statsNow,
    async handle({ principal }, { keys, catalog, online, clusterStatus }: AdminRouteDeps) {
      const visible = await visibleTo(principal, keys);
      const all = catalog.toolkits().map(({ id }) => id);
      const toolkits = visible?.toolkits ?? all;
      const replicas = toolkits.map((id) => online.replicas(id));
      const { nodes, silent } = await clusterStatus.activity({ ...(visible && { toolkitIds: toolkits }), processes: false });
      return {
        toolkitsOnline: replicas.filter((count) => count > 0).length,
        toolkits: toolkits.length,
        actions: toolkits.reduce((actions, id) => actions + catalog.actionCount(id), 0),
        replicas: replicas.reduce((all, count) => all + count, 0),
        running: nodes.reduce((running, node) => running + node.running, 0),
        waiting: nodes.reduce((waiting, node) => waiting + node.queued, 0),
        nodes: nodes.length,
        offered: { toolkits: all.length, online: all.filter((id) => online.replicas(id) > 0).length },
        ...(silent.length > 0 && { silentNodes: silent }),
      };
    },
  }),
] as const;

/** Returns the names whose calls the series counts. Rejects with NOT_FOUND when the principal may not see them. */
async function subjectOf(
  { key, toolkit, action, mine }: Omit<z.output<typeof seriesQuery>, 'from' | 'to'>,
  principal: Principal,
  keys: KeyRing,
): Promise<Pick<CountQuery, 'dimension'> & { names: readonly string[] }> {
  const given = [key, toolkit, action, mine].filter((filter) => filter !== undefined);
  if (given.length > 1) throw new SvcError('INVALID_REQUEST', 'Calls are counted by key, toolkit, action or mine: give one of them');
  const visible = await visibleTo(principal, keys);
  if (key !== undefined) return { dimension: 'key', names: [(await requireKey(principal, keys, key)).id] };
  if (toolkit !== undefined) {
    requireSeen(seesToolkit(visible, toolkit), 'toolkit', toolkit);
    return { dimension: 'toolkit', names: [toolkit] };
  }
  if (action !== undefined) {
    requireSeen(seesAction(visible, action), 'action', action);
    return { dimension: 'action', names: [action] };
  }
  if (mine === undefined && !visible) return { dimension: 'all', names: [''] };
  const own = await ownOf(principal, keys);
  return mine === 'toolkits' ? { dimension: 'toolkit', names: own.toolkits } : { dimension: 'key', names: own.agentKeyIds };
}

type NamesById = Pick<ReadonlyMap<string, string>, 'get'>;

const SUBJECTS = {
  action: { sees: seesAction, namesOf: async (): Promise<NamesById> => new Map() },
  toolkit: {
    sees: seesToolkit,
    namesOf: async (_: readonly string[], { catalog }: AdminRouteDeps): Promise<NamesById> => ({
      get: (id) => catalog.toolkit(id)?.name,
    }),
  },
  key: {
    sees: seesKey,
    namesOf: async (ids: readonly string[], { keys }: AdminRouteDeps): Promise<NamesById> => {
      const found = await keys.findAll(ids);
      return { get: (id) => found.get(id)?.name };
    },
  },
};
