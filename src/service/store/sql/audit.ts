import type { Kysely } from 'kysely';
import type { AuditRecord, AuditStore } from '../console-store';
import type { AuditRow, Tables } from './tables';

export class SqlAudit implements AuditStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async insert(entry: AuditRecord): Promise<void> {
    await this.#db.insertInto('audit').values(toRow(entry)).execute();
  }

  async list({ limit, before }: { limit: number; before?: string | undefined }): Promise<AuditRecord[]> {
    const query = this.#db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
    const rows = await (before === undefined ? query : query.where('id', '<', before)).execute();
    return rows.map(toEntry);
  }
}

function toRow({ id, at, actor, what, subject, details }: AuditRecord): AuditRow {
  return { id, at, actor: JSON.stringify(actor), what, subject, details: JSON.stringify(details) };
}

function toEntry({ id, at, actor, what, subject, details }: AuditRow): AuditRecord {
  return { id, at, actor: JSON.parse(actor), what: what as AuditRecord['what'], subject, details: JSON.parse(details) };
}
