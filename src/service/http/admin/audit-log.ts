/** `GET /v1/audit`: who changed what, for owners. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type AuditPage } from '../../../protocol/admin';
import { auditQuery } from '../../../protocol/admin-schemas';
import { parseOrThrow } from '../../parse';
import { toTime } from '../../to-time';
import type { AppParts } from '../app-parts';
import { type AdminEnv, ownersOnly, signedIn } from './admin-env';

export function auditRoute(parts: AppParts): Hono<AdminEnv> {
  return new Hono<AdminEnv>().get(ADMIN_PATHS.audit, signedIn(parts), ownersOnly('see who changed what'), async (context) => {
    const { limit, cursor } = parseOrThrow(auditQuery, context.req.query(), 'query');
    const found = await parts.store.audit.list({ limit: limit + 1, before: cursor });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return context.json<AuditPage>({
      entries: shown.map((entry) => ({ ...entry, at: toTime(entry.at) })),
      ...(last && { nextCursor: last.id }),
    });
  });
}
