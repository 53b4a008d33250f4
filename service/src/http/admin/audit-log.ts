/** `GET /v1/audit`: the log of changes and sign-ins, for owners. */
import { auditPage, listAuditQuery } from '#sdk/protocol/admin-schemas';
import { toTime } from '../../lib/to-time';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';

export const auditRoutes = [
  defineRoute({
    id: 'listAuditEntries',
    summary: 'Changes and sign-ins, newest first',
    method: 'GET',
    path: '/v1/audit',
    access: { owner: 'see who changed what' },
    query: listAuditQuery,
    answer: auditPage,
    async handle({ query: { limit, cursor } }, { store }: AppDeps) {
      const found = await store.audit.list({ limit: limit + 1, before: cursor });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return { entries: shown.map((entry) => ({ ...entry, at: toTime(entry.at) })), ...(last && { nextCursor: last.id }) };
    },
  }),
] as const;
