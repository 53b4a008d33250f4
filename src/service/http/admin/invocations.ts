/** `/v1/invocations`: the calls, newest first, and all that is kept of one. */
import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import type * as z from 'zod';
import {
  ADMIN_PATHS,
  type InvocationDetail,
  type InvocationInfo,
  type InvocationsPage,
  type KeptContent,
  type Settings,
  type TimelineEntry,
} from '../../../protocol/admin';
import { invocationsExportQuery, invocationsQuery } from '../../../protocol/admin-schemas';
import { type ModelError, SvcError, type SvcErrorCode } from '../../../protocol/errors';
import { parseActionId } from '../../../protocol/ids';
import type { Principal } from '../../accounts/principal';
import { parseOrThrow } from '../../lib/parse';
import { toTime } from '../../lib/to-time';
import { toKeptContent } from '../../records/content';
import type { InvocationRecord, KeyRecord } from '../../store/store';
import type { AdminDeps, AppDeps } from '../app-deps';
import { type AdminEnv, signedIn } from './admin-env';
import { CALL_FILES } from './call-file';
import { refusedMinutes } from './refused-minutes';
import { mayManage, type Own, seesAction, sightOf } from './visibility';

type Filters = Omit<z.output<typeof invocationsQuery>, 'limit' | 'cursor'>;

/** Newest first: whoever wants older ones gives `to`. */
const MAX_EXPORTED = 100_000;
const EXPORTED_AT_ONCE = 1_000;

export function invocationRoutes(deps: AppDeps, { records }: AdminDeps): Hono<AdminEnv> {
  const { store, keys, catalog } = deps;
  const app = new Hono<AdminEnv>();
  /** Calls that named a toolkit before there was one are not those of whoever takes its name later. */
  const sees = (sight: Own | undefined, { agentKeyId, action, startedAt }: InvocationRecord) =>
    sight === undefined ||
    sight.agentKeyIds.includes(agentKeyId) ||
    (seesAction(sight, action) &&
      startedAt >= (catalog.toolkit(parseActionId(action)?.toolkitId ?? '')?.createdAt ?? Number.POSITIVE_INFINITY));

  /** One page of what the principal sees; `last` is where the next one begins. */
  const list = async (
    principal: Principal,
    { key, toolkit, action, outcome, from, to }: Filters,
    { limit, before }: { limit: number; before: string | undefined },
  ): Promise<{ calls: InvocationInfo[]; last: string | undefined }> => {
    const sight = await sightOf(principal, keys);
    const found = await store.invocations.list({
      ...(key !== undefined && { agentKeyIds: [key] }),
      ...(toolkit !== undefined && { toolkits: [toolkit] }),
      ...(action !== undefined && { actions: [action] }),
      outcome: outcome === 'OK' ? 'ok' : outcome,
      from: from === undefined ? undefined : Date.parse(from),
      to: to === undefined ? undefined : Date.parse(to),
      visible: sight,
      limit: limit + 1,
      before,
    });
    const page = found.slice(0, limit);
    const shown = page.filter((record) => sees(sight, record));
    const [byId, minutes] = await Promise.all([
      keys.findAll(shown.map(({ agentKeyId }) => agentKeyId)),
      refusedMinutes(store.counts, shown),
    ]);
    return {
      calls: shown.map((record) => toInfo(record, nameOf(byId.get(record.agentKeyId), principal), minutes(record))),
      last: found.length > limit ? page.at(-1)?.id : undefined,
    };
  };

  app.get(ADMIN_PATHS.invocations, signedIn(deps), async (context) => {
    const { limit, cursor, ...filters } = parseOrThrow(invocationsQuery, context.req.query(), 'query');
    const { calls, last } = await list(context.get('principal'), filters, { limit, before: cursor });
    return context.json<InvocationsPage>({ invocations: calls, ...(last !== undefined && { nextCursor: last }) });
  });

  app.get(`${ADMIN_PATHS.invocations}/export`, signedIn(deps), (context) => {
    const { format, ...filters } = parseOrThrow(invocationsExportQuery, context.req.query(), 'query');
    const principal = context.get('principal');
    const { contentType, head, line } = CALL_FILES[format];
    const answer = stream(context, async (file) => {
      await file.write(head);
      let before: string | undefined;
      for (let count = 0; count < MAX_EXPORTED && !file.aborted; count += EXPORTED_AT_ONCE) {
        const { calls, last } = await list(principal, filters, { limit: EXPORTED_AT_ONCE, before });
        await file.write(calls.map(line).join(''));
        if (last === undefined) return;
        before = last;
      }
    });
    answer.headers.set('content-type', contentType);
    answer.headers.set('content-disposition', `attachment; filename="calls.${format}"`);
    return answer;
  });

  app.get(`${ADMIN_PATHS.invocations}/:id`, signedIn(deps), async (context) => {
    const id = context.req.param('id');
    const principal = context.get('principal');
    const record = await store.invocations.get(id);
    const sight = await sightOf(principal, keys);
    if (!record || !sees(sight, record))
      throw new SvcError('NOT_FOUND', `There is no call ${id.slice(0, 100)} that you may see: its time may be over`);
    const details = await store.invocations.details(id);
    const error = details?.result && records.settings.content !== 'off' ? errorOf(record, details.result) : undefined;
    return context.json<InvocationDetail>({
      ...toInfo(record, nameOf(await keys.find(record.agentKeyId), principal), (await refusedMinutes(store.counts, [record]))(record)),
      node: record.node,
      ...(record.idempotencyKey !== null && { idempotencyKey: record.idempotencyKey }),
      timeline: details ? (JSON.parse(details.timeline) as TimelineEntry[]) : [],
      payload: kept(details?.payload ?? null, record, records.settings),
      result: kept(details?.result ?? null, record, records.settings),
      ...(error && { error }),
    });
  });
  return app;
}

function toInfo(
  { id, action, agentKeyId, startedAt, outcome }: InvocationRecord,
  name: string | undefined,
  standsFor: number | undefined,
): InvocationInfo {
  return {
    id,
    action,
    key: { id: agentKeyId, ...(name !== undefined && { name }) },
    ...(outcome && { code: outcome.code as 'OK' | SvcErrorCode, ms: outcome.endedAt - startedAt }),
    startedAt: toTime(startedAt),
    ...(standsFor !== undefined && { standsFor }),
  };
}

/** Who calls a toolkit of one's own is somebody else's key, whose name is theirs. */
function nameOf(key: KeyRecord | undefined, principal: AdminEnv['Variables']['principal']): string | undefined {
  return key && mayManage(principal, key) ? key.name : undefined;
}

function kept(json: string | null, { outcome }: InvocationRecord, { content }: Pick<Settings, 'content'>): KeptContent {
  // Another node may have written it before it heard that nothing is kept any more.
  if (content === 'off') return { kept: false, why: outcome ? 'off' : 'not ended' };
  if (json !== null) return toKeptContent(json);
  if (!outcome) return { kept: false, why: 'not ended' };
  return { kept: false, why: content === 'errors' && outcome.code === 'OK' ? 'not an error' : 'gone' };
}

/** Of a call that failed the result is the error. */
function errorOf({ outcome }: InvocationRecord, result: string): ModelError | undefined {
  if (!outcome || outcome.code === 'OK') return undefined;
  const content = toKeptContent(result);
  return 'json' in content && !content.cut ? (JSON.parse(content.json) as ModelError) : undefined;
}
