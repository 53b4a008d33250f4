/** `GET /v1/audit`: the log of changes and sign-ins, for owners. */
import type * as z from 'zod';
import { AUDITED } from '#sdk/protocol/admin-constants';
import { auditExportQuery, auditPage, listAuditQuery } from '#sdk/protocol/admin-schemas';
import { SvcError } from '#sdk/protocol/errors';
import { toTime } from '../../lib/to-time';
import type { AuditQuery, AuditRecord } from '../../store/console-store';
import type { AppDeps } from '../app-deps';
import { defineRoute } from '../define-route';
import { AUDIT_FILES } from './audit-file';
import { groupedAudit } from './audit-groups';
import { fileStream } from './file-stream';

const access = { owner: 'see who changed what' } as const;
const EXPORT_PAGE = 1_000;

export const auditRoutes = [
  defineRoute({
    id: 'listAuditEntries',
    summary: 'Changes and sign-ins, newest first',
    method: 'GET',
    path: '/v1/audit',
    access,
    query: listAuditQuery,
    answer: auditPage,
    async handle({ query: { limit, cursor, grouped, since, ...filters } }, { store }: AppDeps) {
      const query = { ...auditQuery(filters), limit, since, before: cursor };
      if (grouped) {
        const { groups, next } = await groupedAudit(store.audit, query);
        return {
          entries: groups.map(({ entry, ...rest }) => ({ ...shown(entry), ...rest })),
          ...(next !== undefined && { nextCursor: next }),
        };
      }
      const found = await store.audit.list({ ...query, limit: limit + 1 });
      const entries = found.slice(0, limit);
      const last = found.length > limit ? entries.at(-1) : undefined;
      return { entries: entries.map(shown), ...(last && { nextCursor: last.id }) };
    },
  }),
  defineRoute({
    id: 'exportAuditEntries',
    summary: 'Changes and sign-ins as a file, newest first',
    method: 'GET',
    path: '/v1/audit/export',
    access,
    query: auditExportQuery,
    stream: {
      'text/csv': 'With `format=csv`: RFC 4180, with a header line',
      'application/jsonl': 'With `format=jsonl`: one entry as in the list a line',
    },
    handle({ context, query: { format, ...filters } }, { store, logger }: AppDeps) {
      const query = auditQuery(filters);
      const { contentType, head, line } = AUDIT_FILES[format];
      async function* texts() {
        yield head;
        for (let before: string | undefined; ; ) {
          const entries = await store.audit.list({ ...query, limit: EXPORT_PAGE, before });
          yield entries.map((entry) => line(shown(entry))).join('');
          if (entries.length < EXPORT_PAGE) return;
          before = entries.at(-1)?.id;
        }
      }
      return context.body(fileStream(texts(), logger, '/v1/audit/export'), 200, {
        'content-type': contentType,
        'content-disposition': `attachment; filename="audit.${format}"`,
      });
    },
  }),
] as const;

type AuditFilters = Omit<z.output<typeof auditExportQuery>, 'format'>;

function auditQuery({ q, person, what, from, to }: AuditFilters): Omit<AuditQuery, 'limit'> {
  return {
    words: q,
    personId: person,
    what: what === undefined ? undefined : kindsOf(what),
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
  };
}

/** @throws SvcError INVALID_REQUEST for a word that is not a kind */
function kindsOf(asked: string): AuditRecord['what'][] {
  const words = asked.split(',').map((word) => word.trim());
  return words.flatMap((word) => {
    const kinds = AUDITED.filter((kind) => kind === word || kind.startsWith(`${word}.`));
    if (kinds.length > 0) return kinds;
    throw new SvcError(
      'INVALID_REQUEST',
      `what: "${word.slice(0, 50)}" is not a kind of change. Kinds are, for example, key, key.create, person`,
    );
  });
}

function shown({ at, ...entry }: AuditRecord) {
  return { ...entry, at: toTime(at) };
}
