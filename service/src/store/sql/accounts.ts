/** Accounts, invitations, audit and settings. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Role } from '#sdk/protocol/admin';
import type {
  AccountStore,
  AccountTables,
  AuditHead,
  AuditQuery,
  AuditRecord,
  AuditStore,
  InvitationRecord,
  PersonRecord,
  SettingStore,
} from '../console-store';
import { auditRows } from './audit-rows';
import { endFlowsOfPerson } from './connect';
import { removeConnectionsOfPerson } from './connections';
import type { AuditRow, InvitationRow, PersonRow, Tables } from './tables';

/** Runs `change` while no other process changes accounts. */
export type WithPeopleLocked = <T>(change: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;

type PersonSeen = PersonRow & { last_seen_at: string | null };

export class SqlAccounts implements AccountStore {
  readonly #db: Kysely<Tables>;
  readonly #withPeopleLocked: WithPeopleLocked;

  constructor(db: Kysely<Tables>, withPeopleLocked: WithPeopleLocked) {
    this.#db = db;
    this.#withPeopleLocked = withPeopleLocked;
  }

  get tables(): Kysely<AccountTables> {
    return this.#db.$pickTables<keyof AccountTables>();
  }

  async list(): Promise<PersonRecord[]> {
    return (await this.#people().orderBy('created_at').orderBy('id').execute()).map(toPerson);
  }

  async find(id: string): Promise<PersonRecord | undefined> {
    const row = await this.#people().where('id', '=', id).executeTakeFirst();
    return row && toPerson(row);
  }

  async findByEmail(email: string): Promise<PersonRecord | undefined> {
    const row = await this.#people().where('email', '=', email).executeTakeFirst();
    return row && toPerson(row);
  }

  async changeRole(id: string, role: Role): Promise<boolean> {
    const changed = { role, updated_at: new Date().toISOString() };
    const { numUpdatedRows } = await this.#withPeopleLocked((db) => {
      const query = db.updateTable('people').set(changed).where('id', '=', id);
      return (role === 'owner' ? query : query.where((person) => isDispensable(person, id))).executeTakeFirstOrThrow();
    });
    return numUpdatedRows > 0n;
  }

  async remove(id: string): Promise<boolean> {
    return this.#withPeopleLocked(async (db) => {
      const query = db
        .deleteFrom('people')
        .where('id', '=', id)
        .where((person) => isDispensable(person, id));
      const { numDeletedRows } = await query.executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) {
        await removeConnectionsOfPerson(db, id).execute();
        await endFlowsOfPerson(db, id).execute();
      }
      return numDeletedRows > 0n;
    });
  }

  async invite(invitation: InvitationRecord): Promise<void> {
    await this.#db.insertInto('invitations').values(toInvitationRow(invitation)).execute();
  }

  async invitations(now: number): Promise<InvitationRecord[]> {
    const rows = await this.#usable(now).orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
    return rows.map(toInvitation);
  }

  async invitation(hash: string, now: number): Promise<InvitationRecord | undefined> {
    const row = await this.#usable(now).where('hash', '=', hash).executeTakeFirst();
    return row && toInvitation(row);
  }

  async useInvitation(id: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('invitations')
      .set({ used_at: now })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async returnInvitation(id: string): Promise<void> {
    await this.#db.updateTable('invitations').set({ used_at: null }).where('id', '=', id).execute();
  }

  async withdrawInvitation(id: string, now: number): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('invitations')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  #people() {
    return this.#db
      .selectFrom('people')
      .selectAll()
      .select(({ selectFrom }) =>
        selectFrom('sessions')
          .select(({ fn }) => fn.max('sessions.updated_at').as('last'))
          .whereRef('sessions.person_id', '=', 'people.id')
          .as('last_seen_at'),
      );
  }

  #usable(now: number) {
    return this.#db.selectFrom('invitations').selectAll().where('used_at', 'is', null).where('expires_at', '>', now);
  }
}

/** True for an account that is not an owner, or when there is another owner. */
function isDispensable({ eb, or, exists, selectFrom }: ExpressionBuilder<Tables, 'people'>, id: string) {
  const others = selectFrom('people as other').select('other.id').where('other.role', '=', 'owner').where('other.id', '<>', id);
  return or([eb('role', '<>', 'owner'), exists(others)]);
}

function toPerson({ id, name, email, role, created_at, last_seen_at }: PersonSeen): PersonRecord {
  const lastSeenAt = last_seen_at === null ? null : Date.parse(last_seen_at);
  return { id, name, email, role: role as Role, createdAt: Date.parse(created_at), lastSeenAt };
}

function toInvitationRow({ id, hash, role, name, personId, madeBy, createdAt, expiresAt }: InvitationRecord): InvitationRow {
  return { id, hash, role, name, person_id: personId, made_by: madeBy, created_at: createdAt, expires_at: expiresAt, used_at: null };
}

function toInvitation({ id, hash, role, name, person_id, made_by, created_at, expires_at }: InvitationRow): InvitationRecord {
  return { id, hash, role: role as Role, name, personId: person_id, madeBy: made_by, createdAt: created_at, expiresAt: expires_at };
}

export class SqlAudit implements AuditStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async insert(entry: AuditRecord): Promise<void> {
    await this.#db.insertInto('audit').values(toAuditRow(entry)).execute();
  }

  async list(query: AuditQuery): Promise<AuditRecord[]> {
    return (await auditRows(this.#db, query).selectAll().execute()).map(toEntry);
  }

  async heads(query: AuditQuery): Promise<AuditHead[]> {
    const rows = await auditRows(this.#db, query).select(['id', 'at', 'actor', 'what']).execute();
    return rows.map(({ actor, what, ...row }) => ({ ...row, actor: JSON.parse(actor), what: what as AuditHead['what'] }));
  }
}

function toAuditRow({ id, at, actor, what, subject, details }: AuditRecord): AuditRow {
  return { id, at, actor: JSON.stringify(actor), what, subject, details: JSON.stringify(details) };
}

function toEntry({ id, at, actor, what, subject, details }: AuditRow): AuditRecord {
  return { id, at, actor: JSON.parse(actor), what: what as AuditRecord['what'], subject, details: JSON.parse(details) };
}

export class SqlSettings implements SettingStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async all(): Promise<{ name: string; value: unknown }[]> {
    const rows = await this.#db.selectFrom('settings').selectAll().orderBy('name').execute();
    return rows.map(({ name, value }) => ({ name, value: JSON.parse(value) }));
  }

  async put(settings: readonly { name: string; value: unknown }[], at: number): Promise<void> {
    if (settings.length === 0) return;
    await this.#db
      .insertInto('settings')
      .values(settings.map(({ name, value }) => ({ name, value: JSON.stringify(value), changed_at: at })))
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({ value: ref('excluded.value'), changed_at: ref('excluded.changed_at') })),
      )
      .execute();
  }

  async putIfAbsent(name: string, value: unknown, at: number): Promise<unknown> {
    await this.#db
      .insertInto('settings')
      .values({ name, value: JSON.stringify(value), changed_at: at })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    // Another node may have stored its value first.
    const row = await this.#db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
    return JSON.parse(row.value);
  }
}
