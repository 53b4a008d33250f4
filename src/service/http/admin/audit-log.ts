/** `GET /v1/audit`: who changed what, for owners. */
import { Hono } from 'hono';
import { ADMIN_PATHS, type AuditPage } from '../../../protocol/admin';
import { auditQuery } from '../../../protocol/admin-schemas';
import { parseOrThrow } from '../../lib/parse';
import { toTime } from '../../lib/to-time';
import type { AppDeps } from '../app-deps';
import { type AdminEnv, ownersOnly, signedIn } from './admin-env';

export function auditRoute(deps: AppDeps): Hono<AdminEnv> {
  return new Hono<AdminEnv>().get(ADMIN_PATHS.audit, signedIn(deps), ownersOnly('see who changed what'), async (context) => {
    const { limit, cursor } = parseOrThrow(auditQuery, context.req.query(), 'query');
    const found = await deps.store.audit.list({ limit: limit + 1, before: cursor });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return context.json<AuditPage>({
      entries: shown.map((entry) => ({ ...entry, at: toTime(entry.at) })),
      ...(last && { nextCursor: last.id }),
    });
  });
}
