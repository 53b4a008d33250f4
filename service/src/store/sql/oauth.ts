import type { ExpressionBuilder, Kysely } from 'kysely';
import type { CodeRecord, GrantRecord, OAuthStore, UsedCode } from '../oauth-store';
import { inPieces } from './statements';
import type { OAuthCodeRow, OAuthGrantRow, Tables } from './tables';

/** The second use of a code is recognised for so long. */
const KEEP_CODES_MS = 600_000;
/** A use is written only when the recorded one is older. */
const USE_STEP_MS = 60_000;

export class SqlOAuth implements OAuthStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async addCode({ hash, request, expiresAt }: CodeRecord): Promise<void> {
    await this.#db
      .deleteFrom('oauth_codes')
      .where('expires_at', '<', Date.now() - KEEP_CODES_MS)
      .execute();
    await this.#db.insertInto('oauth_codes').values({ hash, request, expires_at: expiresAt, used_at: null, grant_id: null }).execute();
  }

  async code(hash: string): Promise<UsedCode | undefined> {
    const row = await this.#db.selectFrom('oauth_codes').selectAll().where('hash', '=', hash).executeTakeFirst();
    return row && toCode(row);
  }

  async useCode(hash: string, { at, grantId }: { at: number; grantId: string }): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('oauth_codes')
      .set({ used_at: at, grant_id: grantId })
      .where('hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async addGrant(grant: GrantRecord): Promise<void> {
    await this.#db.insertInto('oauth_grants').values(toRow(grant)).execute();
  }

  async grant(id: string): Promise<GrantRecord | undefined> {
    const row = await this.#db.selectFrom('oauth_grants').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toGrant(row);
  }

  async rotateGrant(id: string, { from, at, idleUntil }: { from: number; at: number; idleUntil: number }): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('oauth_grants')
      .set({ generation: from + 1, rotated_at: at, used_at: at, idle_until: idleUntil })
      .where('id', '=', id)
      .where('generation', '=', from)
      .where((grant) => isLive(grant, at))
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async useGrant(id: string, at: number): Promise<boolean> {
    const row = await this.#db
      .selectFrom('oauth_grants')
      .select('used_at')
      .where('id', '=', id)
      .where((grant) => isLive(grant, at))
      .executeTakeFirst();
    const before = at - USE_STEP_MS;
    if (row && row.used_at < before)
      await this.#db.updateTable('oauth_grants').set({ used_at: at }).where('id', '=', id).where('used_at', '<', before).execute();
    return row !== undefined;
  }

  async endGrant(id: string, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#ending(at).where('id', '=', id).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async endGrants(keyId: string, at: number): Promise<void> {
    await this.#ending(at).where('key_id', '=', keyId).execute();
  }

  async grantsOf(keyIds: readonly string[]): Promise<GrantRecord[]> {
    const now = Date.now();
    const rows: OAuthGrantRow[] = [];
    for (const some of inPieces(keyIds)) {
      const query = this.#db.selectFrom('oauth_grants').selectAll().where('key_id', 'in', some);
      rows.push(...(await query.where((grant) => isLive(grant, now)).execute()));
    }
    return rows.map(toGrant).sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  }

  async removeGrants(before: number): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('oauth_grants')
      .where(({ or, eb }) => or([eb('ended_at', '<', before), eb('idle_until', '<', before), eb('expires_at', '<', before)]))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  #ending(at: number) {
    return this.#db.updateTable('oauth_grants').set({ ended_at: at }).where('ended_at', 'is', null);
  }
}

function isLive({ and, eb }: ExpressionBuilder<Tables, 'oauth_grants'>, now: number) {
  return and([eb('ended_at', 'is', null), eb('expires_at', '>', now), eb('idle_until', '>', now)]);
}

function toCode({ hash, request, expires_at, used_at, grant_id }: OAuthCodeRow): UsedCode {
  return { hash, request, expiresAt: expires_at, usedAt: used_at, grantId: grant_id };
}

function toRow(grant: GrantRecord): OAuthGrantRow {
  return {
    id: grant.id,
    key_id: grant.keyId,
    person_id: grant.personId,
    client_hash: grant.clientHash,
    client: grant.client,
    generation: grant.generation,
    rotated_at: grant.rotatedAt,
    used_at: grant.usedAt,
    created_at: grant.createdAt,
    idle_until: grant.idleUntil,
    expires_at: grant.expiresAt,
    ended_at: grant.endedAt,
  };
}

function toGrant(row: OAuthGrantRow): GrantRecord {
  return {
    id: row.id,
    keyId: row.key_id,
    personId: row.person_id,
    clientHash: row.client_hash,
    client: row.client,
    generation: row.generation,
    rotatedAt: row.rotated_at,
    usedAt: row.used_at,
    createdAt: row.created_at,
    idleUntil: row.idle_until,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  };
}
