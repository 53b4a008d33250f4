import { type Kysely, sql } from 'kysely';
import { DAY_MS } from '../../lib/utc-day';
import type { StoreKind, StoreSize, SystemStore } from '../system-store';
import type { DatabaseClock } from './connections';
import type { Tables } from './tables';

const HOUR_MS = 60 * 60 * 1_000;
const KEPT_MS = 35 * DAY_MS;

export interface SqlSystemOptions {
  kind: StoreKind;
  now: DatabaseClock;
  bytes: () => Promise<number>;
}

export class SqlSystem implements SystemStore {
  readonly kind: StoreKind;
  readonly #db: Kysely<Tables>;
  readonly #options: SqlSystemOptions;

  constructor(db: Kysely<Tables>, options: SqlSystemOptions) {
    this.kind = options.kind;
    this.#db = db;
    this.#options = options;
  }

  async now(): Promise<number> {
    const { rows } = await sql<{ now: number }>`select ${this.#options.now()} as now`.execute(this.#db);
    return Number(rows[0]?.now);
  }

  bytes(): Promise<number> {
    return this.#options.bytes();
  }

  async recordSize(bytes: number): Promise<void> {
    const now = await this.now();
    const size = { at: now - (now % HOUR_MS), bytes };
    await this.#db
      .insertInto('store_sizes')
      .values(size)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await this.#db
      .deleteFrom('store_sizes')
      .where('at', '<', now - KEPT_MS)
      .execute();
  }

  async sizes(from: number): Promise<StoreSize[]> {
    const rows = await this.#db.selectFrom('store_sizes').selectAll().where('at', '>=', from).orderBy('at').execute();
    return rows.map(({ at, bytes }) => ({ at: Number(at), bytes: Number(bytes) }));
  }

  async recordBackup(): Promise<void> {
    const at = await this.now();
    await this.#db
      .insertInto('backups')
      .values({ at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await this.#db.deleteFrom('backups').where('at', '<', at).execute();
  }

  async lastBackup(): Promise<number | undefined> {
    const row = await this.#db.selectFrom('backups').select('at').orderBy('at', 'desc').limit(1).executeTakeFirst();
    return row && Number(row.at);
  }

  async silentNodes(ms: number): Promise<{ id: string; seenAt: number }[]> {
    const now = await this.now();
    const { rows } = await sql<{ id: string; seen_at: number }>`
      select id, seen_at from nodes where seen_at < ${now - ms} and seen_at > ${now - DAY_MS} order by id`.execute(this.#db);
    return rows.map(({ id, seen_at }) => ({ id, seenAt: Number(seen_at) }));
  }
}
