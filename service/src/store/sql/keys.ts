import type { ExpressionBuilder, Kysely } from 'kysely';
import type { KeyKind } from '#sdk/protocol/http';
import type { KeyChange, KeyRecord, KeyStore } from '../store';
import { endFlowsOfKey, removeAppOfKey } from './connect';
import { removeConnectionsOfKey } from './connections';
import { inPieces } from './statements';
import type { KeyRow, Tables } from './tables';

export class SqlKeys implements KeyStore {
  readonly #db: Kysely<Tables>;
  readonly findByHash: KeyStore['findByHash'];

  /** @param findByHash optimised by the engine: thousands of toolkits, each with its own key, may reconnect at the same time */
  constructor(db: Kysely<Tables>, findByHash: KeyStore['findByHash']) {
    this.#db = db;
    this.findByHash = findByHash;
  }

  async insert(key: KeyRecord): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await this.#db
      .insertInto('keys')
      .values(toRow(key))
      .onConflict((conflict) =>
        conflict.columns(['owner_id', 'client_id']).where('client_id', 'is not', null).where('revoked_at', 'is', null).doNothing(),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows > 0n;
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    const row = await this.#db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toKey(row);
  }

  async findAll(by: 'id' | 'hash', values: readonly string[]): Promise<KeyRecord[]> {
    const rows: KeyRow[] = [];
    for (const some of inPieces(values)) rows.push(...(await this.#db.selectFrom('keys').selectAll().where(by, 'in', some).execute()));
    return rows.map(toKey);
  }

  async ofOwner(ownerId: string): Promise<KeyRecord[]> {
    const query = this.#db.selectFrom('keys').selectAll().where('owner_id', '=', ownerId);
    return (await query.orderBy('created_at').orderBy('id').execute()).map(toKey);
  }

  async list(): Promise<KeyRecord[]> {
    const rows = await this.#db.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute();
    return rows.map(toKey);
  }

  async replaceHash(id: string, hash: string): Promise<boolean> {
    const query = this.#db.updateTable('keys').set({ hash }).where('id', '=', id).where('revoked_at', 'is', null);
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async change(id: string, change: KeyChange): Promise<boolean> {
    const query = this.#db.updateTable('keys').set(toChangedColumns(change)).where('id', '=', id).where('revoked_at', 'is', null);
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async revoke(id: string, at: number): Promise<boolean> {
    const query = this.#db
      .updateTable('keys')
      .set(({ fn, ref, val }) => ({ revoked_at: fn.coalesce(ref('revoked_at'), val(at)) }))
      .where('id', '=', id);
    const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
    await removeConnectionsOfKey(this.#db, id).execute();
    await removeAppOfKey(this.#db, id).execute();
    await endFlowsOfKey(this.#db, id).execute();
    return numUpdatedRows > 0n;
  }
}

/** An UPDATE must set a column: without a change, it sets one that stays the same. */
function toChangedColumns({ name, allow, callsPerMinute, budget, rules, code }: KeyChange) {
  return ({ ref }: ExpressionBuilder<Tables, 'keys'>) => ({
    name: name ?? ref('name'),
    ...(allow !== undefined && { allow: allow && JSON.stringify(allow) }),
    ...(callsPerMinute !== undefined && { calls_per_minute: callsPerMinute }),
    ...(budget !== undefined && { budget: budget && JSON.stringify(budget) }),
    ...(rules !== undefined && { rules: rules && JSON.stringify(rules) }),
    ...(code !== undefined && { code: code ? 1 : null }),
  });
}

function toRow(key: KeyRecord): KeyRow {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hash: key.hash,
    toolkit_id: key.toolkitId,
    allow: key.allow && JSON.stringify(key.allow),
    calls_per_minute: key.callsPerMinute,
    budget: key.budget && JSON.stringify(key.budget),
    rules: key.rules && JSON.stringify(key.rules),
    code: key.code ? 1 : null,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    owner_id: key.ownerId,
    client_id: key.clientId,
  };
}

export function toKey(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    kind: row.kind as KeyKind,
    name: row.name,
    hash: row.hash,
    toolkitId: row.toolkit_id,
    allow: row.allow === null ? null : JSON.parse(row.allow),
    callsPerMinute: row.calls_per_minute,
    budget: row.budget === null ? null : JSON.parse(row.budget),
    rules: row.rules === null ? null : JSON.parse(row.rules),
    code: row.code === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    ownerId: row.owner_id,
    clientId: row.client_id,
  };
}
