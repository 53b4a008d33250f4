/** `/v1/invocations`: the calls, newest first, the stored details of one, and its cancel. */
import { stream } from 'hono/streaming';
import type * as z from 'zod';
import type { InvocationInfo, KeptContent, Settings } from '#sdk/protocol/admin';
import { invocationDetail, invocationsExportQuery, invocationsPage, invocationsQuery } from '#sdk/protocol/admin-schemas';
import type { ModelError, SvcErrorCode } from '#sdk/protocol/errors';
import { SvcError } from '#sdk/protocol/errors';
import { parseActionId } from '#sdk/protocol/ids';
import type { Principal } from '../../accounts/principal';
import { readTimeline } from '../../calls/timeline';
import type { Catalog } from '../../catalog/catalog';
import { toTime } from '../../lib/to-time';
import { toKeptContent } from '../../records/content';
import type { SessionRequest } from '../../store/console-store';
import type { InvocationOutcome, InvocationRecord } from '../../store/store';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { actorOf } from './authorize';
import { CALL_FILES } from './call-file';
import { refusedMinutes } from './refused-minutes';
import { toCallCost } from './to-call-cost';
import { type Own, ownOf, seesAction, seesKey, shownName, visibleTo } from './visibility';

/** Maximum number of calls in one export, newest first. For older calls, send `to`. */
const MAX_EXPORTED = 100_000;
const EXPORT_PAGE = 1_000;
/** A program makes at most 100 calls. */
const MAX_OF_RUN = 200;

export const invocationRoutes = [
  defineRoute({
    id: 'listInvocations',
    summary: 'Calls, newest first',
    method: 'GET',
    path: '/v1/invocations',
    access: 'person',
    query: invocationsQuery,
    answer: invocationsPage,
    async handle({ principal, query: { limit, cursor, ...filters } }, deps: AdminRouteDeps) {
      const { calls, last } = await listCalls(principal, filters, { limit, before: cursor }, deps);
      return { invocations: calls, ...(last !== undefined && { nextCursor: last }) };
    },
  }),
  defineRoute({
    id: 'exportInvocations',
    summary: 'Calls as a file, newest first',
    method: 'GET',
    path: '/v1/invocations/export',
    access: 'person',
    query: invocationsExportQuery,
    stream: {
      'text/csv': 'With `format=csv`: RFC 4180, with a header line',
      'application/jsonl': 'With `format=jsonl`: one call as in the list a line',
    },
    handle({ context, principal, query: { format, ...filters } }, deps: AdminRouteDeps) {
      const { contentType, head, line } = CALL_FILES[format];
      const answer = stream(context, async (file) => {
        await file.write(head);
        let before: string | undefined;
        for (let count = 0; count < MAX_EXPORTED && !file.aborted; count += EXPORT_PAGE) {
          const { calls, last } = await listCalls(principal, filters, { limit: EXPORT_PAGE, before }, deps);
          await file.write(calls.map(line).join(''));
          if (last === undefined) return;
          before = last;
        }
      });
      answer.headers.set('content-type', contentType);
      answer.headers.set('content-disposition', `attachment; filename="calls.${format}"`);
      return answer;
    },
  }),
  defineRoute({
    id: 'getInvocation',
    summary: 'One call, with its timeline and its stored content',
    method: 'GET',
    path: '/v1/invocations/{id}',
    access: 'person',
    answer: invocationDetail,
    async handle({ principal, params: { id } }, deps: AdminRouteDeps) {
      const { store, records } = deps;
      const { record, visible } = await requireCall(principal, id, deps);
      const details = await store.invocations.details(id);
      const { entries, traceId } = readTimeline(details?.timeline ?? '[]');
      const error = details?.result && records.settings.content !== 'off' ? errorOf(record, details.result) : undefined;
      const [info] = await shownCalls([record], { principal, visible }, deps);
      return {
        ...(info as InvocationInfo),
        node: record.node,
        ...(record.idempotencyKey !== null && { idempotencyKey: record.idempotencyKey }),
        timeline: entries,
        ...(traceId !== undefined && { trace: toTrace(traceId, records.settings) }),
        payload: kept(details?.payload ?? null, record, records.settings),
        result: kept(details?.result ?? null, record, records.settings),
        ...(error && { error }),
      };
    },
  }),
  defineRoute({
    id: 'cancelCall',
    summary: 'Cancel a running call, as when its caller disconnects: for the people of its key',
    method: 'DELETE',
    path: '/v1/invocations/{id}',
    access: 'person',
    async handle({ principal, params: { id } }, deps: AdminRouteDeps) {
      const { record, visible } = await requireCall(principal, id, deps);
      if (!seesKey(visible, record.agentKeyId))
        throw new SvcError('NOT_PERMITTED', `Call ${id} is of another person's key: only this person and owners may cancel it`);
      if (record.outcome) return;
      await deps.calls.cancel(id);
      await deps.audit.write(actorOf(principal), 'call.cancel', id, { name: record.action, key: record.agentKeyId });
    },
  }),
] as const;

async function requireCall(
  principal: Principal,
  id: string,
  { store, keys, catalog }: Pick<AdminRouteDeps, 'store' | 'keys' | 'catalog'>,
): Promise<{ record: InvocationRecord; visible: Own | undefined }> {
  const record = await store.invocations.get(id);
  const visible = await visibleTo(principal, keys);
  if (record && seesCall(visible, record, catalog)) return { record, visible };
  throw new SvcError(
    'NOT_FOUND',
    `There is no call ${id.slice(0, 100)} that you may see: it may have been deleted after its retention time`,
  );
}

type InvocationDeps = Pick<AdminRouteDeps, 'store' | 'keys' | 'catalog' | 'records'>;

type Filters = Omit<z.output<typeof invocationsQuery>, 'limit' | 'cursor'>;

/** Returns one page of the calls that the principal may see. `last` is the cursor of the next page. */
async function listCalls(
  principal: Principal,
  { mine, key, toolkit, action, outcome, origin, toolkitCode, from, to, session, user }: Filters,
  { limit, before }: { limit: number; before: string | undefined },
  deps: InvocationDeps,
): Promise<{ calls: InvocationInfo[]; last: string | undefined }> {
  const { store, keys, records } = deps;
  const visible = await visibleTo(principal, keys);
  const isOfCaller = session !== undefined || user !== undefined;
  if (isOfCaller) await records.sessions.write();
  const found = await store.invocations.list({
    // A caller may send any id of a session or a user: a member finds only those of their own keys.
    ...(isOfCaller && visible && { agentKeyIds: visible.agentKeyIds }),
    ...(key !== undefined && { agentKeyIds: isOfCaller && !seesKey(visible, key) ? [] : [key] }),
    sessionId: session,
    userId: user,
    ...(toolkit !== undefined && { toolkits: [toolkit] }),
    ...(action !== undefined && { actions: [action] }),
    outcome: outcome === 'OK' ? 'ok' : outcome,
    origin,
    toolkitCode,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    visible: mine === undefined ? visible : ownPart(mine, visible ?? (await ownOf(principal, keys))),
    limit: limit + 1,
    before,
  });
  const page = found.slice(0, limit);
  return { calls: await shownCalls(page, { principal, visible }, deps), last: found.length > limit ? page.at(-1)?.id : undefined };
}

function ownPart(mine: 'keys' | 'toolkits', own: Own): Own {
  return mine === 'keys' ? { ...own, toolkits: [] } : { ...own, agentKeyIds: [] };
}

/** The newest calls that a run of code made. */
export async function callsOfRun(principal: Principal, run: string, deps: InvocationDeps): Promise<InvocationInfo[]> {
  const visible = await visibleTo(principal, deps.keys);
  const found = await deps.store.invocations.list({ madeBy: run, limit: MAX_OF_RUN });
  return shownCalls(found, { principal, visible }, deps);
}

/** Returns those of the calls with these ids that the principal may see. */
export async function callsById(principal: Principal, ids: readonly string[], deps: InvocationDeps): Promise<Map<string, InvocationInfo>> {
  const visible = await visibleTo(principal, deps.keys);
  const found = await deps.store.invocations.list({ ids, limit: ids.length });
  return new Map((await shownCalls(found, { principal, visible }, deps)).map((call) => [call.id, call]));
}

async function shownCalls(
  found: readonly InvocationRecord[],
  { principal, visible }: { principal: Principal; visible: Own | undefined },
  { store, keys, catalog, records }: InvocationDeps,
): Promise<InvocationInfo[]> {
  const shown = found.filter((record) => seesCall(visible, record, catalog));
  const ids = shown.map(({ id }) => id);
  const failed = records.settings.content === 'off' ? [] : shown.filter(({ outcome }) => outcome && outcome.code !== 'OK');
  const [byId, minutes, callers, costs, errors] = await Promise.all([
    keys.findAll(shown.map(({ agentKeyId }) => agentKeyId)),
    refusedMinutes(store.counts, shown),
    records.sessions.ofCalls(ids),
    store.ledger.ofCalls(ids),
    store.invocations.results(failed.map(({ id }) => id)),
  ]);
  return shown.map((record) => {
    const { id, agentKeyId } = record;
    const info = toInfo(record, shownName(byId.get(agentKeyId), principal), minutes(record));
    const cost = costs.get(id);
    const message = errorOf(record, errors.get(id) ?? '')?.message;
    return {
      ...info,
      ...(message !== undefined && { message }),
      ...(cost && { cost: toCallCost(cost) }),
      ...toCaller(seesKey(visible, agentKeyId) ? callers.get(id) : undefined),
    };
  });
}

/** The names that the caller gave a call. Members do not see the names from other people's agents. */
function toCaller(request: SessionRequest | undefined): Pick<InvocationInfo, 'session' | 'user' | 'search'> {
  return {
    ...(typeof request?.sessionId === 'string' && { session: request.sessionId }),
    ...(typeof request?.userId === 'string' && { user: request.userId }),
    ...(typeof request?.searchId === 'string' && { search: request.searchId }),
  };
}

/** A member does not see calls that named their toolkit before it existed. */
function seesCall(visible: Own | undefined, { agentKeyId, action, startedAt }: InvocationRecord, catalog: Catalog): boolean {
  if (visible === undefined || visible.agentKeyIds.includes(agentKeyId)) return true;
  const toolkit = catalog.toolkit(parseActionId(action)?.toolkitId ?? '');
  return seesAction(visible, action) && startedAt >= (toolkit?.createdAt ?? Number.POSITIVE_INFINITY);
}

function toInfo(
  { id, action, agentKeyId, startedAt, outcome, madeBy, origin }: InvocationRecord,
  name: string | undefined,
  standsFor: number | undefined,
): InvocationInfo {
  return {
    id,
    action,
    key: { id: agentKeyId, ...(name !== undefined && { name }) },
    ...(outcome && { code: outcome.code as 'OK' | SvcErrorCode, ms: durationOf(startedAt, outcome) }),
    ...(outcome?.toolkitCode !== undefined && { toolkitCode: outcome.toolkitCode }),
    startedAt: toTime(startedAt),
    ...(standsFor !== undefined && { standsFor }),
    ...(madeBy !== undefined && { madeBy }),
    ...(origin !== undefined && { origin }),
  };
}

function durationOf(startedAt: number, { endedAt, took }: InvocationOutcome): number {
  return took === undefined ? endedAt - startedAt : took / 10;
}

function kept(json: string | null, { outcome }: InvocationRecord, { content }: Pick<Settings, 'content'>): KeptContent {
  // Another node may have stored content before it received the setting `off`.
  if (content === 'off') return { kept: false, why: outcome ? 'off' : 'not ended' };
  if (json !== null) return toKeptContent(json);
  if (!outcome) return { kept: false, why: 'not ended' };
  return { kept: false, why: content === 'errors' && outcome.code === 'OK' ? 'not an error' : 'gone' };
}

function toTrace(id: string, { traceUrl }: Pick<Settings, 'traceUrl'>): { id: string; url?: string } {
  return { id, ...(traceUrl !== '' && { url: traceUrl.replaceAll('{traceId}', id) }) };
}

/** The stored result of a failed call is its error. */
function errorOf({ outcome }: InvocationRecord, result: string): ModelError | undefined {
  if (!outcome || outcome.code === 'OK' || result === '') return undefined;
  const content = toKeptContent(result);
  return 'json' in content && !content.cut ? (JSON.parse(content.json) as ModelError) : undefined;
}
