/** `/v1/stats`: how many calls, how they ended, how long they took; and what goes on now. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type StatsNow, type StatsSeries, type StatsTop } from '../../../protocol/admin';
import { seriesQuery, topQuery } from '../../../protocol/admin-schemas';
import { SvcError } from '../../../protocol/errors';
import { parseOrThrow } from '../../lib/parse';
import { toTime } from '../../lib/to-time';
import type { CountQuery } from '../../store/console-store';
import type { AppDeps } from '../app-deps';
import { type AdminEnv, signedIn } from './admin-env';
import { callCounts, sum } from './call-counts';
import { readRange, readSpan } from './time-range';
import { Tops } from './tops';
import { type Own, ownOf, requireKey, requireSeen, seesAction, seesToolkit, sightOf } from './visibility';

type Counted = Pick<CountQuery, 'dimension'> & { names: readonly string[] };

export function statsRoutes(deps: AppDeps): Hono<AdminEnv> {
  const { store, keys, catalog, online, everywhere } = deps;
  const tops = new Tops(store.counts);
  const app = new Hono<AdminEnv>();

  app.get(`${ADMIN_PATHS.stats}/series`, signedIn(deps), async (context) => {
    const { from, to, ...filters } = parseOrThrow(seriesQuery, context.req.query(), 'query');
    const range = readRange({ from, to });
    const principal = context.get('principal');
    const counted = await countedOf(filters, principal);
    const counts = counted.names.length === 0 ? [] : await store.counts.series({ ...counted, ...range });
    const byStart = Map.groupBy(counts, ({ start }) => start);
    const byCode = Map.groupBy(counts, ({ code }) => code);
    const stepMs = range.step * 1_000;
    const starts = Array.from({ length: (range.to - range.from) / stepMs }, (_, step) => range.from + step * stepMs);
    return context.json<StatsSeries>({
      from: toTime(range.from),
      to: toTime(range.to),
      stepSeconds: range.step,
      total: callCounts(counts),
      points: starts.map((start) => ({ at: toTime(start), ...callCounts(byStart.get(start) ?? []) })),
      codes: Array.from(byCode, ([code, ofCode]) => ({ code, calls: sum(ofCode) })).sort((a, b) => b.calls - a.calls),
    });
  });

  /** What the counts are of, which the principal must be allowed to see. */
  const countedOf = async (
    { key, toolkit, action, mine }: { key?: string; toolkit?: string; action?: string; mine?: 'keys' | 'toolkits' },
    principal: AdminEnv['Variables']['principal'],
  ): Promise<Counted> => {
    const given = [key, toolkit, action, mine].filter((filter) => filter !== undefined);
    if (given.length > 1) throw new SvcError('INVALID_REQUEST', 'Calls are counted by key, toolkit, action or mine: give one of them');
    const sight = await sightOf(principal, keys);
    if (key !== undefined) return { dimension: 'key', names: [(await requireKey(principal, keys, key)).id] };
    if (toolkit !== undefined) {
      requireSeen(seesToolkit(sight, toolkit), 'toolkit', toolkit);
      return { dimension: 'toolkit', names: [toolkit] };
    }
    if (action !== undefined) {
      requireSeen(seesAction(sight, action), 'action', action);
      return { dimension: 'action', names: [action] };
    }
    if (mine === undefined && !sight) return { dimension: 'all', names: [''] };
    const own = await ownOf(principal, keys);
    return mine === 'toolkits' ? { dimension: 'toolkit', names: own.toolkits } : { dimension: 'key', names: own.agentKeyIds };
  };

  app.get(`${ADMIN_PATHS.stats}/top`, signedIn(deps), async (context) => {
    const { by, order, limit, ...asked } = parseOrThrow(topQuery, context.req.query(), 'query');
    const range = readSpan(asked);
    const sight = await sightOf(context.get('principal'), keys);
    const top = await tops.list({ dimension: by, ...range, order, limit, sees: (id) => sees[by](sight, id) });
    const nameOf = await namesBy[by](top.map(({ id }) => id));
    const items = top.map((item) => {
      const name = nameOf(item.id);
      return { ...item, ...(name !== undefined && { name }) };
    });
    return context.json<StatsTop>({ items });
  });
  const sees = {
    action: seesAction,
    toolkit: seesToolkit,
    key: (sight: Own | undefined, id: string) => sight === undefined || sight.agentKeyIds.includes(id),
  };
  const namesBy = {
    action: async () => () => undefined,
    toolkit: async () => (id: string) => catalog.toolkit(id)?.name,
    key: async (ids: string[]) => {
      const found = await keys.findAll(ids);
      return (id: string) => found.get(id)?.name;
    },
  };

  app.get(`${ADMIN_PATHS.stats}/now`, signedIn(deps), async (context) => {
    const sight = await sightOf(context.get('principal'), keys);
    const all = catalog.toolkits().map(({ id }) => id);
    const toolkits = sight?.toolkits ?? all;
    const replicas = toolkits.map((id) => online.replicas(id));
    const { nodes, silent } = await everywhere.look({ ...(sight && { toolkitIds: toolkits }), processes: false });
    return context.json<StatsNow>({
      toolkitsOnline: replicas.filter((count) => count > 0).length,
      toolkits: toolkits.length,
      actions: toolkits.reduce((actions, id) => actions + catalog.actionCount(id), 0),
      replicas: replicas.reduce((all, count) => all + count, 0),
      running: nodes.reduce((running, node) => running + node.running, 0),
      waiting: nodes.reduce((waiting, node) => waiting + node.queued, 0),
      nodes: nodes.length,
      offered: { toolkits: all.length, online: all.filter((id) => online.replicas(id) > 0).length },
      ...(silent.length > 0 && { silentNodes: silent }),
    });
  });
  return app;
}
