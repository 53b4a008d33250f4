/**
 * `GET /v1/sessions/{id}`: the searches and calls of one session, oldest first. A caller may send any id, so a session belongs to the agent
 * keys that sent it: a member sees only the requests of their own keys.
 */
import type { SessionEntry } from '#sdk/protocol/admin';
import { sessionPage, sessionQuery } from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { toTime } from '../../lib/to-time';
import type { SessionRequest } from '../../store/console-store';
import { defineRoute } from '../define-route';
import type { AdminRouteDeps } from './admin-route-deps';
import { callsById } from './invocations';
import { toCallCost } from './to-call-cost';
import { seesKey, shownName, visibleTo } from './visibility';

export const sessionRoutes = [
  defineRoute({
    id: 'getSession',
    summary: 'The searches and calls of one session, oldest first',
    method: 'GET',
    path: '/v1/sessions/{id}',
    access: 'person',
    query: sessionQuery,
    answer: sessionPage,
    async handle({ principal, params: { id: session }, query: { key, limit, cursor } }, deps: AdminRouteDeps) {
      const { store, keys, records } = deps;
      const visible = await visibleTo(principal, keys);
      const agentKeyIds = key === undefined ? visible?.agentKeyIds : seesKey(visible, key) ? [key] : [];
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const found = await records.sessions.list({ sessionId: session, agentKeyIds, after, limit: limit + 1 });
      if (found.length === 0 && cursor === undefined)
        throw new SvcError(
          'NOT_FOUND',
          `There is no session ${JSON.stringify(session.slice(0, 200))} that you may see: no request named it, or its records were deleted after their retention time`,
        );
      const page = found.slice(0, limit);
      const callIds = page.filter(({ shown }) => shown === null).map(({ id }) => id);
      const [names, calls, costs] = await Promise.all([
        keys.findAll(page.map(({ agentKeyId }) => agentKeyId)),
        callsById(principal, callIds, deps),
        store.ledger.ofCalls(callIds),
      ]);
      const toEntry = (request: SessionRequest): SessionEntry[] => {
        const { id, agentKeyId, userId, at, searchId, query, shown } = request;
        if (shown === null) {
          const call = calls.get(id);
          const cost = costs.get(id);
          return call ? [{ kind: 'call', at: toTime(at), call, ...(cost && { cost: toCallCost(cost) }) }] : [];
        }
        const name = shownName(names.get(agentKeyId), principal);
        return [
          {
            kind: 'search',
            at: toTime(at),
            id,
            key: { id: agentKeyId, ...(name !== undefined && { name }) },
            ...(userId !== null && { user: userId }),
            ...(searchId !== null && { previous: searchId }),
            ...(query !== null && { query }),
            shown: [...shown],
          },
        ];
      };
      const last = page.at(-1);
      return {
        session,
        texts: records.settings.searchTexts,
        entries: page.flatMap(toEntry),
        ...(last && found.length > limit && { nextCursor: `${last.at}~${last.id}` }),
      };
    },
  }),
] as const;

function readCursor(cursor: string): Pick<SessionRequest, 'at' | 'id'> {
  const border = cursor.indexOf('~');
  return { at: Number(cursor.slice(0, border)), id: cursor.slice(border + 1) };
}
