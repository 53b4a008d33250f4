/**
 * `/v1/sessions`: the conversations of agents with their sums, and the searches and calls of one, oldest first. A caller may send any id, so a session belongs to the agent
 * keys that sent it: a member sees only the requests of their own keys.
 */
import type { SessionEntry } from '#sdk/protocol/admin';
import { sessionPage, sessionQuery } from '#sdk/protocol/admin-schemas';
import { millionthsOf } from '#sdk/protocol/amount';
import { SvcError } from '#sdk/protocol/errors';
import { listSessionsQuery, sessionsPage } from '#sdk/protocol/session-schemas';
import { toTime } from '../../lib/to-time';
import type { SessionRequest } from '../../store/console-store';
import { defineRoute } from '../define-route';
import { nextPlace, readPlace, sortValue } from './activity-place';
import type { AdminRouteDeps } from './admin-route-deps';
import { callsById } from './invocations';
import { toModelTokens, toSessionInfo } from './to-activity';
import { toCallCost } from './to-call-cost';
import { agentKeysFor, shownName, visibleTo } from './visibility';

export const sessionRoutes = [
  defineRoute({
    id: 'listSessions',
    summary: 'Sessions of agents with their sums',
    method: 'GET',
    path: '/v1/sessions',
    access: 'person',
    query: listSessionsQuery,
    answer: sessionsPage,
    async handle({ principal, query: { key, user, inVain, dearerThan, from, to, cursor, limit, ...query } }, deps: AdminRouteDeps) {
      const { store, keys, records, currency } = deps;
      const agentKeyIds = agentKeysFor(await visibleTo(principal, keys), key);
      await records.writeSums();
      const [value, agentKeyId, sessionId] = readPlace(cursor, 3) ?? [];
      const found = await store.sessionSums.list({
        ...query,
        ...{ agentKeyIds, userId: user, inVain: inVain && true },
        dearerThan: dearerThan === undefined ? undefined : millionthsOf(dearerThan),
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
        ...(value !== undefined && agentKeyId !== undefined && sessionId !== undefined && { after: { value, agentKeyId, sessionId } }),
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const names = await keys.findAll(page.map((session) => session.agentKeyId));
      return {
        items: page.map((session) => toSessionInfo(session, shownName(names.get(session.agentKeyId), principal))),
        currency,
        ...(last && found.length > limit && { nextCursor: nextPlace([sortValue(last, query.sort), last.agentKeyId, last.sessionId]) }),
      };
    },
  }),
  defineRoute({
    id: 'getSession',
    summary: 'The searches and calls of one session, oldest first',
    method: 'GET',
    path: '/v1/sessions/{id}',
    access: 'person',
    query: sessionQuery,
    answer: sessionPage,
    async handle({ principal, params: { id: session }, query: { key, limit, cursor } }, deps: AdminRouteDeps) {
      const { store, keys, records, currency } = deps;
      await records.writeSums();
      const visible = await visibleTo(principal, keys);
      const agentKeyIds = agentKeysFor(visible, key);
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const found = await records.sessions.list({ sessionId: session, agentKeyIds, after, limit: limit + 1 });
      if (found.length === 0 && cursor === undefined)
        throw new SvcError(
          'NOT_FOUND',
          `There is no session ${JSON.stringify(session.slice(0, 200))} that you may see: no request named it, or its records were deleted after their retention time`,
        );
      const page = found.slice(0, limit);
      const callIds = page.filter(({ shown }) => shown === null).map(({ id }) => id);
      const sums = await store.sessionSums.find(session, agentKeyIds);
      const [names, calls, costs, models] = await Promise.all([
        keys.findAll([...page, ...sums].map(({ agentKeyId }) => agentKeyId)),
        callsById(principal, callIds, deps),
        store.ledger.ofCalls(callIds),
        store.sessionSums.models({ sessionId: session }, agentKeyIds),
      ]);
      const toEntry = (request: SessionRequest): SessionEntry[] => {
        const { id, agentKeyId, userId, at, searchId, query, shown, origin } = request;
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
            ...(origin !== undefined && { origin }),
          },
        ];
      };
      const last = page.at(-1);
      return {
        session,
        texts: records.settings.searchTexts,
        entries: page.flatMap(toEntry),
        currency,
        sums: sums.map((sum) => toSessionInfo(sum, shownName(names.get(sum.agentKeyId), principal))),
        models: models.map(toModelTokens),
        ...(last && found.length > limit && { nextCursor: `${last.at}~${last.id}` }),
      };
    },
  }),
] as const;

function readCursor(cursor: string): Pick<SessionRequest, 'at' | 'id'> {
  const border = cursor.indexOf('~');
  return { at: Number(cursor.slice(0, border)), id: cursor.slice(border + 1) };
}
