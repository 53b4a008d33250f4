/** Entries of the audit log as lines of a file. JSON Lines have the same members as the list. */
import type { AuditEntry } from '#sdk/protocol/admin';
import { exportFiles } from './export-files';

const COLUMNS = ['id', 'at', 'actorKind', 'actorId', 'actorName', 'what', 'subject', 'details'] as const;

export const AUDIT_FILES = exportFiles(COLUMNS, ({ id, at, actor, what, subject, details }: AuditEntry) => [
  id,
  at,
  actor.kind,
  actor.id ?? '',
  actor.name,
  what,
  subject,
  JSON.stringify(details),
]);
