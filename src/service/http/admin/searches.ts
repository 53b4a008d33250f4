/**
 * `GET /v1/searches`: what agents looked for. What nobody offers is for everybody who is signed in; else members see searches that showed an action
 * of a toolkit of theirs. Of other toolkits' actions they are told nothing.
 */
import { Hono } from 'hono';
import { ADMIN_PATHS, type SearchReport, type SearchReportsPage } from '../../../protocol/admin';
import { searchesQuery } from '../../../protocol/admin-schemas';
import { parseOrThrow } from '../../lib/parse';
import { toTime } from '../../lib/to-time';
import type { SearchSummary } from '../../store/console-store';
import type { AdminDeps, AppDeps } from '../app-deps';
import { type AdminEnv, signedIn } from './admin-env';
import { type Own, requireSeen, seesAction, seesToolkit, sightOf } from './visibility';

export function searchReportRoutes(deps: AppDeps, { records }: AdminDeps): Hono<AdminEnv> {
  const { store, keys, catalog } = deps;
  const app = new Hono<AdminEnv>();

  /** Undefined: searches that showed anything or nothing. */
  const shownActions = (sight: Own | undefined, { toolkit, action, unmet }: { toolkit?: string; action?: string; unmet: boolean }) => {
    if (toolkit !== undefined) requireSeen(seesToolkit(sight, toolkit), 'toolkit', toolkit);
    if (action !== undefined) requireSeen(seesAction(sight, action), 'action', action);
    if (action !== undefined) return [action];
    if (toolkit !== undefined) return catalog.actionIds(toolkit);
    return unmet ? undefined : sight?.toolkits.flatMap((id) => catalog.actionIds(id));
  };

  app.get(ADMIN_PATHS.searches, signedIn(deps), async (context) => {
    const { limit, cursor, ...asked } = parseOrThrow(searchesQuery, context.req.query(), 'query');
    const unmet = asked.unmet === 'true';
    const sight = await sightOf(context.get('principal'), keys);
    const actions = shownActions(sight, { ...asked, unmet });
    const offset = Number(cursor ?? 0);
    const found = actions?.length === 0 ? [] : await store.searches.list({ limit: limit + 1, offset, unmet, actions });
    return context.json<SearchReportsPage>({
      texts: records.settings.searchTexts,
      searches: found.slice(0, limit).map((summary) => toReport(summary, sight)),
      ...(found.length > limit && { nextCursor: String(offset + limit) }),
    });
  });
  return app;
}

function toReport({ lastAt, actions, ...summary }: SearchSummary, sight: Own | undefined): SearchReport {
  return { ...summary, lastAt: toTime(lastAt), actions: actions.filter(({ action }) => seesAction(sight, action)) };
}
