/**
 * `/v1/reports`: toolkits and actions as their developers look at them. The texts of the whole marketplace are for everybody who is signed in;
 * numbers, processes and calls are for those whose toolkit it is.
 */
import { Hono } from 'hono';
import {
  type ActionReport,
  ADMIN_PATHS,
  type CallCounts,
  type ToolkitReport,
  type ToolkitReportDetail,
  type ToolkitReportsPage,
} from '../../../protocol/admin';
import { reportsQuery } from '../../../protocol/admin-schemas';
import { SvcError } from '../../../protocol/errors';
import { actionInfo } from '../../catalog/action-info';
import { nearestIds } from '../../catalog/search/nearest-ids';
import { parseOrThrow } from '../../parse';
import type { ToolkitRecord } from '../../store/store';
import { toTime } from '../../to-time';
import type { AppParts } from '../app-parts';
import { page } from '../page';
import { type AdminEnv, signedIn } from './admin-env';
import { dayCounts } from './call-counts';
import { seesToolkit, sightOf } from './visibility';

export function reportRoutes(parts: AppParts): Hono<AdminEnv> {
  const { store, keys, catalog, online, everywhere } = parts;
  const app = new Hono<AdminEnv>();
  const toolkits = `${ADMIN_PATHS.reports}/toolkits` as const;

  const lastSeenAt = async (id: string): Promise<number | undefined> => {
    if (online.replicas(id) > 0) return Date.now();
    const [last] = await store.invocations.list({ toolkits: [id], outcome: 'ok', limit: 1 });
    return last?.outcome?.endedAt;
  };
  const reportToolkit = async (toolkit: ToolkitRecord, day: CallCounts | undefined): Promise<ToolkitReport> => {
    const { id, name, description } = toolkit;
    const replicas = online.replicas(id);
    const isMine = day !== undefined;
    const seenAt = isMine || replicas > 0 ? await lastSeenAt(id) : undefined;
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

  app.get(toolkits, signedIn(parts), async (context) => {
    const asked = parseOrThrow(reportsQuery, context.req.query(), 'query');
    const sight = await sightOf(context.get('principal'), keys);
    const { items, nextCursor } = page(
      catalog.toolkits().map(({ id }) => id),
      asked,
    );
    const mine = items.filter((id) => seesToolkit(sight, id));
    const days = await dayCounts(store.counts, 'toolkit', mine);
    const reports = await Promise.all(items.map((id) => reportToolkit(requireToolkit(id), days.get(id))));
    return context.json<ToolkitReportsPage>({ toolkits: reports, ...nextCursor });
  });

  app.get(`${toolkits}/:id`, signedIn(parts), async (context) => {
    const toolkit = requireToolkit(context.req.param('id'));
    const isMine = seesToolkit(await sightOf(context.get('principal'), keys), toolkit.id);
    const days = isMine ? await dayCounts(store.counts, 'toolkit', [toolkit.id]) : undefined;
    const [report, actionReports, seen] = await Promise.all([
      reportToolkit(toolkit, days?.get(toolkit.id)),
      reportActions(toolkit, catalog.actionIds(toolkit.id), isMine),
      isMine ? everywhere.look({ toolkitIds: [toolkit.id], processes: true }) : undefined,
    ]);
    const processes = seen?.nodes.flatMap((node) =>
      node.processes.map(({ instance, sdk, connectedAt, running, concurrency }) => {
        return { instance, node: node.node, sdk, connectedAt: toTime(connectedAt), running, concurrency };
      }),
    );
    return context.json<ToolkitReportDetail>({
      ...report,
      ...(processes && { processes }),
      ...(seen && seen.silent.length > 0 && { silentNodes: seen.silent }),
      findings: catalog.findings(toolkit).filter(({ action }) => action === undefined),
      actionReports,
    });
  });

  app.get(`${ADMIN_PATHS.reports}/actions/:id`, signedIn(parts), async (context) => {
    const id = context.req.param('id');
    const toolkit = requireToolkit(catalog.requireAction(id, () => true).toolkitId);
    const isMine = seesToolkit(await sightOf(context.get('principal'), keys), toolkit.id);
    const [report] = await reportActions(toolkit, [id], isMine);
    return context.json<ActionReport | undefined>(report);
  });
  return app;
}
