/**
 * `/v1/reports`: toolkits and actions for their developers. Every signed-in person sees the texts; owners, and members with a key of the toolkit,
 * also see numbers, processes and calls.
 */
import type { ActionReport, CallCounts, ToolkitReport } from '#sdk/protocol/admin';
import {
  actionReport,
  actionSummariesPage,
  actionsReportQuery,
  removedToolkit,
  reportsQuery,
  toolkitErrorsPage,
  toolkitReportDetail,
  toolkitReportsPage,
} from '#sdk/protocol/admin-schemas';
import { actionInfo } from '../../catalog/action-info';
import { shownResult } from '../../catalog/review/action-reviews';
import { toTime } from '../../lib/to-time';
import { DAY_MS } from '../../lib/utc-day';
import type { ToolkitRecord } from '../../store/store';
import type { ToolkitProfileRecord, ToolkitProfileSummary } from '../../store/toolkit-profile-store';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { includesWords } from '../includes-words';
import { page } from '../page';
import { toolkitUse } from '../toolkit-use';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf } from './authorize';
import { dayCounts } from './call-counts';
import { heldOf } from './held-of';
import { requireToolkit } from './require-toolkit';
import { listToolkits } from './toolkit-list';
import { requireSeen, seesToolkit, visibleTo } from './visibility';

type ReportDeps = Pick<AppDeps, 'store' | 'catalog' | 'online'>;

export const reportRoutes = [
  defineRoute({
    id: 'listToolkitReports',
    summary: 'List toolkits',
    method: 'GET',
    path: '/v1/reports/toolkits',
    access: 'person',
    query: reportsQuery,
    answer: toolkitReportsPage,
    async handle({ principal, query: { mine, ...query } }, deps: AdminRouteDeps) {
      const { store, keys, catalog, online } = deps;
      const visible = await visibleTo(principal, keys);
      const isMine = (id: string) => seesToolkit(visible, id);
      const days = (ids: readonly string[]) => dayCounts(store.counts, 'toolkit', ids);
      const lastSeen = (ids: readonly string[]) => store.sightings.lastSeen(ids);
      const { items, counts, nextCursor } = await listToolkits(
        catalog.toolkits(),
        { ...query, mine: mine === 'true' },
        {
          isMine,
          replicas: (id) => online.replicas(id),
          actions: (id) => catalog.actionCount(id),
          hints: (toolkit) => catalog.findings(toolkit).length,
          days,
          lastSeen,
          use: () => toolkitUse(store.counts, (id) => online.replicas(id) > 0),
        },
      );
      const own = items.map(({ id }) => id).filter(isMine);
      const shown = items.map(({ id }) => id);
      const [dayById, seenById, profiles] = await Promise.all([days(own), lastSeen(own), store.toolkitProfiles.list(shown)]);
      const toolkits = items.map((toolkit) => {
        const profile = profiles.get(toolkit.id);
        return { ...reportToolkit(toolkit, dayById.get(toolkit.id), seenById, deps), ...(profile && { profile: reportProfile(profile) }) };
      });
      return { toolkits, counts, ...nextCursor };
    },
  }),
  defineRoute({
    id: 'getToolkitReport',
    summary: 'One toolkit',
    method: 'GET',
    path: '/v1/reports/toolkits/{id}',
    access: 'person',
    answer: toolkitReportDetail,
    async handle({ principal, params }, deps: AdminRouteDeps) {
      const { store, keys, catalog, clusterStatus } = deps;
      const toolkit = requireToolkit(params.id, catalog);
      const isMine = seesToolkit(await visibleTo(principal, keys), toolkit.id);
      const own = isMine ? [toolkit.id] : [];
      const [dayById, seenById, actionReports, profile, status] = await Promise.all([
        dayCounts(store.counts, 'toolkit', own),
        store.sightings.lastSeen(own),
        reportActions(toolkit, catalog.actionIds(toolkit.id), isMine, deps),
        store.toolkitProfiles.get(toolkit.id),
        isMine ? clusterStatus.activity({ toolkitIds: [toolkit.id], processes: true }) : undefined,
      ]);
      const processes = status?.nodes.flatMap(({ node, processes }) =>
        processes.map(({ instance, sdk, connectedAt, running, concurrency }) => {
          return { instance, node, sdk, connectedAt: toTime(connectedAt), running, concurrency };
        }),
      );
      return {
        ...reportToolkit(toolkit, dayById.get(toolkit.id), seenById, deps),
        ...(profile && { profile: { ...reportProfile(profile), ...pageOf(profile) } }),
        ...(processes && { processes }),
        ...(status && status.silent.length > 0 && { silentNodes: status.silent }),
        findings: catalog.findings(toolkit).filter(({ action }) => action === undefined),
        actionReports,
      };
    },
  }),
  defineRoute({
    id: 'getToolkitErrors',
    summary: "The toolkit's own error codes, the most frequent of the last 7 days first",
    method: 'GET',
    path: '/v1/reports/toolkits/{id}/errors',
    access: 'person',
    answer: toolkitErrorsPage,
    async handle({ principal, params }, { store, keys, catalog }: AdminRouteDeps) {
      const { id, createdAt } = requireToolkit(params.id, catalog);
      requireSeen(seesToolkit(await visibleTo(principal, keys), id), 'toolkit', id);
      const now = Date.now();
      const since = (days: number) => store.invocations.toolkitErrors(id, Math.max(createdAt, now - days * DAY_MS));
      const [day, week] = await Promise.all([since(1), since(7)]);
      const recent = new Map(day.map(({ code, action, calls }) => [JSON.stringify([code, action]), calls]));
      return {
        errors: week.map(({ code, action, calls, lastAt }) => {
          return { code, action, day: recent.get(JSON.stringify([code, action])) ?? 0, week: calls, lastAt: toTime(lastAt) };
        }),
      };
    },
  }),
  defineRoute({
    id: 'removeToolkit',
    summary: 'Remove a toolkit, and revoke its keys',
    method: 'DELETE',
    path: '/v1/reports/toolkits/{id}',
    access: { owner: 'remove a toolkit' },
    answer: removedToolkit,
    async handle({ principal, params }, { store, keys, catalog, audit, records }: AdminRouteDeps) {
      // The toolkit may be newer than the catalogue: a new key creates it, at any node.
      if (!catalog.toolkit(params.id)) await catalog.refresh('new');
      const { id, name } = requireToolkit(params.id, catalog);
      const ofToolkit = (await keys.records()).filter((key) => key.toolkitId === id && key.revokedAt === null);
      // A revoked key closes its sockets.
      for (const key of ofToolkit) await keys.revoke(key.id);
      await catalog.removeToolkit(id);
      await Promise.all([
        store.counts.removeToolkit(id),
        store.searches.removeToolkit(id),
        store.sightings.remove(id),
        store.listings.removeToolkit(id),
      ]);
      const revokedKeys = ofToolkit.map((key) => key.id);
      await audit.write(actorOf(principal), 'toolkit.remove', id, { name, revokedKeys });
      records.changed('toolkits', 'keys', 'counts');
      return { revokedKeys };
    },
  }),
  defineRoute({
    id: 'listActionReports',
    summary: 'List actions by id',
    method: 'GET',
    path: '/v1/reports/actions',
    access: 'person',
    query: actionsReportQuery,
    answer: actionSummariesPage,
    handle({ query: { q = '', toolkit, ...place } }, { catalog, online }: AdminRouteDeps) {
      const fitting = catalog.actionIds(toolkit).filter((id) => includesWords(q, id));
      const { items, nextCursor } = page(fitting, place);
      const actions = items.map((id) => {
        const { toolkitId, description } = catalog.requireAction(id, () => true);
        return { action: id, toolkit: toolkitId, description, online: online.has(id) };
      });
      return { actions, total: fitting.length, ...nextCursor };
    },
  }),
  defineRoute({
    id: 'getActionReport',
    summary: 'One action',
    method: 'GET',
    path: '/v1/reports/actions/{id}',
    access: 'person',
    answer: actionReport,
    async handle({ principal, params: { id } }, deps: AdminRouteDeps) {
      const { keys, catalog } = deps;
      const toolkit = requireToolkit(catalog.requireAction(id, () => true).toolkitId, catalog);
      const isMine = seesToolkit(await visibleTo(principal, keys), toolkit.id);
      const [report] = await reportActions(toolkit, [id], isMine, deps);
      if (!report) throw new Error(`No report of action ${id}`);
      return report;
    },
  }),
] as const;

/** @param day undefined where the principal may not see the calls of the toolkit */
function reportToolkit(
  toolkit: ToolkitRecord,
  day: CallCounts | undefined,
  seenById: ReadonlyMap<string, number>,
  { catalog, online }: ReportDeps,
): ToolkitReport {
  const { id, name, description, auth, createdAt } = toolkit;
  const replicas = online.replicas(id);
  const isMine = day !== undefined;
  const seen = isMine ? (seenById.get(id) ?? 0) : 0;
  // A sighting from before `createdAt` belongs to a removed toolkit with the same id.
  const seenAt = replicas > 0 ? Date.now() : seen >= createdAt ? seen : undefined;
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
    ...(auth && { auth }),
    mine: isMine,
  };
}

function reportProfile({ changedAt, iconType, homepage, category, version }: ToolkitProfileSummary) {
  return {
    ...(iconType && { iconType }),
    ...(homepage && { homepage }),
    ...(category && { category }),
    ...(version && { version }),
    changedAt: toTime(changedAt),
  };
}

function pageOf({ readme, iconType, icon }: ToolkitProfileRecord) {
  return { ...(readme !== undefined && { readme }), ...(icon && { icon: `data:${iconType};base64,${icon}` }) };
}

async function reportActions(
  toolkit: ToolkitRecord,
  ids: readonly string[],
  isMine: boolean,
  { store, catalog, online }: ReportDeps,
): Promise<ActionReport[]> {
  const findings = Map.groupBy(catalog.findings(toolkit), ({ action }) => action);
  const days = isMine ? await dayCounts(store.counts, 'action', ids) : undefined;
  return ids.map((id) => {
    const day = days?.get(id);
    const action = catalog.requireAction(id, () => true);
    const resultSchema = shownResult(action);
    return {
      ...actionInfo(id, action),
      ...(resultSchema && { resultSchema }),
      toolkit: toolkit.id,
      online: online.has(id),
      ...heldOf(id, catalog),
      ...(day && { day }),
      findings: findings.get(id) ?? [],
    };
  });
}
