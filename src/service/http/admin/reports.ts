/**
 * `/v1/reports`: toolkits and actions as their developers look at them. The texts of the whole marketplace are for everybody who is signed in;
 * numbers, processes and calls are for those whose toolkit it is.
 */
import { Hono } from 'hono';
import {
  type ActionReport,
  type ActionSummariesPage,
  ADMIN_PATHS,
  type CallCounts,
  type RemovedToolkit,
  type ToolkitReport,
  type ToolkitReportDetail,
  type ToolkitReportsPage,
} from '../../../protocol/admin';
import { actionsReportQuery, reportsQuery } from '../../../protocol/admin-schemas';
import { SvcError } from '../../../protocol/errors';
import { actionInfo } from '../../catalog/action-info';
import { nearestIds } from '../../catalog/search/nearest-ids';
import { parseOrThrow } from '../../lib/parse';
import { toTime } from '../../lib/to-time';
import type { ToolkitRecord } from '../../store/store';
import type { AdminDeps, AppDeps } from '../app-deps';
import { page } from '../page';
import { hasWords } from '../words-in';
import { type AdminEnv, actorOf, ownersOnly, signedIn } from './admin-env';
import { dayCounts } from './call-counts';
import { listToolkits } from './toolkit-list';
import { seesToolkit, sightOf } from './visibility';

export function reportRoutes(deps: AppDeps, { records }: AdminDeps): Hono<AdminEnv> {
  const { store, keys, catalog, online, everywhere, audit } = deps;
  const app = new Hono<AdminEnv>();
  const toolkits = `${ADMIN_PATHS.reports}/toolkits` as const;

  const known = {
    replicas: (id: string) => online.replicas(id),
    actions: (id: string) => catalog.actionCount(id),
    hints: (toolkit: ToolkitRecord) => catalog.findings(toolkit).length,
    days: (ids: readonly string[]) => dayCounts(store.counts, 'toolkit', ids),
    lastSeen: (ids: readonly string[]) => store.sightings.lastSeen(ids),
  };
  const reportToolkit = (toolkit: ToolkitRecord, day: CallCounts | undefined, lastSeen: ReadonlyMap<string, number>): ToolkitReport => {
    const { id, name, description } = toolkit;
    const replicas = online.replicas(id);
    const isMine = day !== undefined;
    const seen = isMine ? (lastSeen.get(id) ?? 0) : 0;
    // An earlier one was of a toolkit that had the id before, and was removed.
    const seenAt = replicas > 0 ? Date.now() : seen >= toolkit.createdAt ? seen : undefined;
    return {
      id,
      name,
      description,
      online: replicas > 0,
      replicas,
      actions: catalog.actionCount(id),
      ...(seenAt !== undefined && { lastSeenAt: toTime(seenAt) }),
      ...(day && { day }),
      hints: catalog.findings(toolkit).length,
      mine: isMine,
    };
  };
  const reportActions = async (toolkit: ToolkitRecord, ids: readonly string[], isMine: boolean): Promise<ActionReport[]> => {
    const findings = Map.groupBy(catalog.findings(toolkit), ({ action }) => action);
    const days = isMine ? await dayCounts(store.counts, 'action', ids) : undefined;
    return ids.map((id) => {
      const day = days?.get(id);
      const action = catalog.requireAction(id, () => true);
      const isOnline = online.has(id);
      return { ...actionInfo(id, action), toolkit: toolkit.id, online: isOnline, ...(day && { day }), findings: findings.get(id) ?? [] };
    });
  };
  const requireToolkit = (id: string): ToolkitRecord => {
    const toolkit = catalog.toolkit(id);
    if (toolkit) return toolkit;
    const others = catalog.toolkits().map((other) => other.id);
    const didYouMean = nearestIds(id, others);
    throw new SvcError('TOOLKIT_NOT_FOUND', `There is no toolkit "${id.slice(0, 100)}"`, didYouMean.length > 0 ? { didYouMean } : {});
  };

  app.get(toolkits, signedIn(deps), async (context) => {
    const { mine: isMine, ...asked } = parseOrThrow(reportsQuery, context.req.query(), 'query');
    const sight = await sightOf(context.get('principal'), keys);
    const facts = { ...known, isMine: (id: string) => seesToolkit(sight, id) };
    const { items, counts, nextCursor } = await listToolkits(catalog.toolkits(), { ...asked, mine: isMine === 'true' }, facts);
    const mine = items.map(({ id }) => id).filter(facts.isMine);
    const [days, lastSeen] = await Promise.all([known.days(mine), known.lastSeen(mine)]);
    const reports = items.map((toolkit) => reportToolkit(toolkit, days.get(toolkit.id), lastSeen));
    return context.json<ToolkitReportsPage>({ toolkits: reports, counts, ...nextCursor });
  });

  app.get(`${toolkits}/:id`, signedIn(deps), async (context) => {
    const toolkit = requireToolkit(context.req.param('id'));
    const isMine = seesToolkit(await sightOf(context.get('principal'), keys), toolkit.id);
    const own = isMine ? [toolkit.id] : [];
    const [days, lastSeen, actionReports, seen] = await Promise.all([
      known.days(own),
      known.lastSeen(own),
      reportActions(toolkit, catalog.actionIds(toolkit.id), isMine),
      isMine ? everywhere.look({ toolkitIds: [toolkit.id], processes: true }) : undefined,
    ]);
    const processes = seen?.nodes.flatMap((node) =>
      node.processes.map(({ instance, sdk, connectedAt, running, concurrency }) => {
        return { instance, node: node.node, sdk, connectedAt: toTime(connectedAt), running, concurrency };
      }),
    );
    return context.json<ToolkitReportDetail>({
      ...reportToolkit(toolkit, days.get(toolkit.id), lastSeen),
      ...(processes && { processes }),
      ...(seen && seen.silent.length > 0 && { silentNodes: seen.silent }),
      findings: catalog.findings(toolkit).filter(({ action }) => action === undefined),
      actionReports,
    });
  });

  app.delete(`${toolkits}/:id`, signedIn(deps), ownersOnly('remove a toolkit'), async (context) => {
    const principal = actorOf(context.get('principal'));
    const asked = context.req.param('id');
    // Its first key may just have been made, here or by another process.
    if (!catalog.toolkit(asked)) await catalog.refresh('new');
    const { id, name } = requireToolkit(asked);
    const ofToolkit = (await keys.records()).filter((key) => key.toolkitId === id && key.revokedAt === null);
    // Its sockets close with them.
    for (const key of ofToolkit) await keys.revoke(key.id);
    await catalog.removeToolkit(id);
    await Promise.all([store.counts.removeToolkit(id), store.searches.removeToolkit(id), store.sightings.remove(id)]);
    const revokedKeys = ofToolkit.map((key) => key.id);
    await audit.write(principal, 'toolkit.remove', id, { name, revokedKeys });
    records.changed('toolkits', 'keys', 'counts');
    return context.json<RemovedToolkit>({ revokedKeys });
  });

  app.get(`${ADMIN_PATHS.reports}/actions`, signedIn(deps), (context) => {
    const { q = '', toolkit, ...place } = parseOrThrow(actionsReportQuery, context.req.query(), 'query');
    const fitting = catalog.actionIds(toolkit).filter((id) => hasWords(q, id));
    const { items, nextCursor } = page(fitting, place);
    const actions = items.map((id) => {
      const { toolkitId, description } = catalog.requireAction(id, () => true);
      return { action: id, toolkit: toolkitId, description, online: online.has(id) };
    });
    return context.json<ActionSummariesPage>({ actions, total: fitting.length, ...nextCursor });
  });

  app.get(`${ADMIN_PATHS.reports}/actions/:id`, signedIn(deps), async (context) => {
    const id = context.req.param('id');
    const toolkit = requireToolkit(catalog.requireAction(id, () => true).toolkitId);
    const isMine = seesToolkit(await sightOf(context.get('principal'), keys), toolkit.id);
    const [report] = await reportActions(toolkit, [id], isMine);
    return context.json<ActionReport | undefined>(report);
  });
  return app;
}
