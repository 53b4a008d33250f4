/**
 * `POST /v1/reports/actions/{id}/explain`: why a query finds an action or not, for its developer and for the manager of an agent key. Uses no rate
 * limit of a key, and counts in neither Demand nor the learning.
 */
import type { ListingExplanation } from '#sdk/protocol/admin';
import { explainListingRequest, listingExplanation } from '#sdk/protocol/admin-schemas';
import type { ExplainResponse } from '#sdk/protocol/http';
import type { Principal } from '../../accounts/principal';
import { cleanQuery } from '../../catalog/answer/index';
import { mayFind, mayUse } from '../../keys/may-find';
import { defineRoute } from '../define-route';
import { type AskedRank, explainAction, neverFound } from '../explain-action';
import type { AdminRouteDeps } from './admin-route-deps';
import { requireKey, requireSeen, seesAction, visibleTo } from './visibility';

const NOT_OF_KEY = 'This key may not use it, so no search with this key returns it';

export const explainListingRoutes = [
  defineRoute({
    id: 'explainListing',
    summary: 'Explain why a search returns an action or not, and the action before it',
    method: 'POST',
    path: '/v1/reports/actions/{id}/explain',
    access: 'person',
    limit: 'call-as-key',
    body: explainListingRequest,
    answer: listingExplanation,
    async handle({ principal, params: { id }, body: { query, limit, key } }, deps: AdminRouteDeps): Promise<ListingExplanation> {
      const { catalog, limits } = deps;
      const reach = key === undefined ? await reachOfDeveloper(id, principal, deps) : await reachOfKey(key, principal, deps);
      const action = catalog.requireAction(id, reach.mayBeNamed);
      if (!reach.mayAsk(id)) return neverFound(id, NOT_OF_KEY);
      const { text } = cleanQuery(query, limits.queryChars);
      const asked = { text, action: { id, record: action }, limit, mayBeNamed: reach.mayBeNamed };
      const explained = await explainAction(asked, deps);
      return { ...explained, ...(await rivalOf(explained, asked, deps)) };
    },
  }),
] as const;

interface Reach extends Pick<AskedRank, 'mayBeNamed'> {
  mayAsk: (id: string) => boolean;
}

async function reachOfDeveloper(id: string, principal: Principal, { keys }: AdminRouteDeps): Promise<Reach> {
  requireSeen(seesAction(await visibleTo(principal, keys), id), 'action', id);
  return { mayAsk: () => true, mayBeNamed: () => true };
}

async function reachOfKey(keyId: string, principal: Principal, deps: AdminRouteDeps): Promise<Reach> {
  const key = await deps.keys.again(await requireKey(principal, deps.keys, keyId), 'agent');
  return { mayAsk: (id) => mayUse(key, id, deps), mayBeNamed: (id) => mayFind(key, id, deps) };
}

/** People may read the texts of every action, so its points by words reveal nothing to them. */
async function rivalOf(
  { rank, outrankedBy }: ExplainResponse,
  asked: AskedRank,
  deps: AdminRouteDeps,
): Promise<Pick<ListingExplanation, 'rival'>> {
  const before = rank === null ? outrankedBy[0] : outrankedBy.at(-1);
  const record = before && deps.catalog.action(before.action);
  if (!before || !record) return {};
  const { action, score, features, terms, missing } = await explainAction({ ...asked, action: { id: before.action, record } }, deps);
  return { rival: { action, description: record.description, score, features, terms, missing } };
}
