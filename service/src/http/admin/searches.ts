/**
 * `GET /v1/searches`: the searches of agents. A member sees searches that returned an action of one of their toolkits, without the actions of other
 * toolkits; and unmet searches of several agent keys, or of their own. A text from a single key may be private to its users.
 */

import type { SearchReport } from '#sdk/protocol/admin';
import { listSearchesQuery, searchReportsPage } from '#sdk/protocol/admin-schemas';
import type { Catalog } from '../../catalog/catalog';
import { toTime } from '../../lib/to-time';
import type { SearchSummary } from '../../store/console-store';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { type Own, requireSeen, seesAction, seesToolkit, visibleTo } from './visibility';

export const searchRoutes = [
  defineRoute({
    id: 'listSearches',
    summary: 'Searches of agents',
    method: 'GET',
    path: '/v1/searches',
    access: 'person',
    query: listSearchesQuery,
    answer: searchReportsPage,
    async handle({ principal, query: { limit, cursor, ...filters } }, { store, keys, catalog, records }: AdminRouteDeps) {
      const unmet = filters.unmet === 'true';
      const visible = await visibleTo(principal, keys);
      const actions = shownActions(visible, { ...filters, unmet }, catalog);
      const sharedWith = actions === undefined ? visible?.agentKeyIds : undefined;
      const offset = Number(cursor ?? 0);
      const found = actions?.length === 0 ? [] : await store.searches.list({ limit: limit + 1, offset, unmet, actions, sharedWith });
      return {
        texts: records.settings.searchTexts,
        searches: found.slice(0, limit).map((summary) => toReport(summary, visible)),
        ...(found.length > limit && { nextCursor: String(offset + limit) }),
      };
    },
  }),
] as const;

/** Returns the actions of which a search must have returned one. Undefined: all searches. */
function shownActions(
  visible: Own | undefined,
  { toolkit, action, unmet }: { toolkit?: string; action?: string; unmet: boolean },
  catalog: Catalog,
): string[] | undefined {
  if (toolkit !== undefined) requireSeen(seesToolkit(visible, toolkit), 'toolkit', toolkit);
  if (action !== undefined) requireSeen(seesAction(visible, action), 'action', action);
  if (action !== undefined) return [action];
  if (toolkit !== undefined) return catalog.actionIds(toolkit);
  return unmet ? undefined : visible?.toolkits.flatMap((id) => catalog.actionIds(id));
}

function toReport({ lastAt, actions, ...summary }: SearchSummary, visible: Own | undefined): SearchReport {
  return { ...summary, lastAt: toTime(lastAt), actions: actions.filter(({ action }) => seesAction(visible, action)) };
}
