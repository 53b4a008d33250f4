import type { ExpressionBuilder, Kysely } from 'kysely';
import { asFormer } from '../former-secret';
import type { KeyListQuery } from '../key-list';
import type { KeyChange, KeyPage, KeyRecord, KeyStore } from '../store';
import { endFlowsOfKey, removeAppOfKey } from './connect';
import { removeConnectionsOfKey } from './connections';
import { listKeyPage } from './key-list';
import { toKey, toKeyRow } from './key-row';
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
      .values(toKeyRow(key))
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
    const found = rows.map(toKey);
    return by === 'hash' ? [...found, ...(await this.#foundByFormer(values))] : found;
  }

  async #foundByFormer(hashes: readonly string[]): Promise<KeyRecord[]> {
    const rows: KeyRow[] = [];
    for (const some of inPieces(hashes))
      rows.push(...(await this.#db.selectFrom('keys').selectAll().where('former_hash', 'in', some).execute()));
    return rows.map((row) => asFormer(toKey(row)));
  }

  async ofOwner(ownerId: string): Promise<KeyRecord[]> {
    const query = this.#db.selectFrom('keys').selectAll().where('owner_id', '=', ownerId);
    return (await query.orderBy('created_at').orderBy('id').execute()).map(toKey);
  }

  async list(): Promise<KeyRecord[]> {
    const rows = await this.#db.selectFrom('keys').selectAll().orderBy('created_at').orderBy('id').execute();
    return rows.map(toKey);
  }

  page(query: KeyListQuery): Promise<KeyPage> {
    return listKeyPage(this.#db, query);
  }

  async activeCounts(now: number): Promise<Map<string, number>> {
    const rows = await this.#db
      .selectFrom('keys')
      .where('revoked_at', 'is', null)
      .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .where('owner_id', 'is not', null)
      .select(({ fn }) => ['owner_id', fn.countAll<number>().as('keys')])
      .groupBy('owner_id')
      .execute();
    return new Map(rows.map(({ owner_id, keys }) => [owner_id ?? '', Number(keys)]));
  }

  async replaceHash(id: string, hash: string, formerUntil?: number): Promise<boolean> {
    const query = this.#db
      .updateTable('keys')
      .set(({ ref }) => ({ hash, former_hash: formerUntil === undefined ? null : ref('hash'), former_until: formerUntil ?? null }))
      .where('id', '=', id)
      .where('revoked_at', 'is', null);
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
