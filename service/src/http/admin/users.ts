/**
 * `/v1/users`: the end users of agents, as callers name them. An agent may name any user, so a member sees only what their own keys did for one.
 */
import { SvcError } from '#sdk/protocol/errors';
import { listUsersQuery, userDetail, usersPage } from '#sdk/protocol/session-schemas';
import { DAY_MS, dayText } from '../../lib/utc-day';
import { defineRoute } from '../define-route';
import { nextPlace, readPlace, sortValue } from './activity-place';
import type { AdminRouteDeps } from './admin-route-deps';
import { toCounts, toModelTokens, toUserInfo } from './to-activity';
import { agentKeysFor, visibleTo } from './visibility';

export const userRoutes = [
  defineRoute({
    id: 'listUsers',
    summary: 'End users of agents with their sums',
    method: 'GET',
    path: '/v1/users',
    access: 'person',
    query: listUsersQuery,
    answer: usersPage,
    async handle({ principal, query: { key, from, to, cursor, limit, ...query } }, { store, keys, records, currency }: AdminRouteDeps) {
      const agentKeyIds = agentKeysFor(await visibleTo(principal, keys), key);
      await records.writeSums();
      const [value, userId] = readPlace(cursor, 2) ?? [];
      const found = await store.sessionSums.users({
        ...query,
        agentKeyIds,
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
        ...(value !== undefined && userId !== undefined && { after: { value, userId } }),
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const sessions = await store.sessionSums.sessionsOf(
        page.map((user) => user.userId),
        agentKeyIds,
      );
      return {
        items: page.map((user) => toUserInfo(user, sessions.get(user.userId) ?? 0)),
        currency,
        ...(last && found.length > limit && { nextCursor: nextPlace([sortValue(last, query.sort), last.userId]) }),
      };
    },
  }),
  defineRoute({
    id: 'getUser',
    summary: 'One end user: sums, tokens by model, and each day',
    method: 'GET',
    path: '/v1/users/{id}',
    access: 'person',
    answer: userDetail,
    async handle({ principal, params: { id } }, { store, keys, records, currency }: AdminRouteDeps) {
      const agentKeyIds = agentKeysFor(await visibleTo(principal, keys), undefined);
      await records.writeSums();
      const user = await store.sessionSums.user(id, agentKeyIds);
      if (!user)
        throw new SvcError(
          'NOT_FOUND',
          `There is no user ${JSON.stringify(id.slice(0, 200))} that you may see: no request named them, or their records were deleted after their retention time`,
        );
      const [sessions, models, days] = await Promise.all([
        store.sessionSums.sessionsOf([id], agentKeyIds),
        store.sessionSums.models({ userId: id }, agentKeyIds),
        store.sessionSums.daysOf(id, agentKeyIds),
      ]);
      return {
        ...toUserInfo(user, sessions.get(id) ?? 0),
        currency,
        models: models.map(toModelTokens),
        days: days.map(({ day, ...counts }) => ({ day: dayText(day / DAY_MS), ...toCounts(counts) })),
      };
    },
  }),
] as const;
