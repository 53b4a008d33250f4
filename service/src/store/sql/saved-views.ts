import type { Kysely } from 'kysely';
import type { ViewPage } from '#sdk/protocol/admin';
import type { SavedViewRecord, SavedViewStore } from '../saved-view-store';
import type { SavedViewRow, Tables } from './tables';

export class SqlSavedViews implements SavedViewStore {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async list(ownerId: string): Promise<SavedViewRecord[]> {
    const rows = await this.#db
      .selectFrom('saved_views')
      .selectAll()
      .where(({ or, eb }) => or([eb('owner_id', '=', ownerId), eb('shared', '=', 1)]))
      .orderBy('name')
      .orderBy('id')
      .execute();
    return rows.map(toView);
  }

  async find(id: string): Promise<SavedViewRecord | undefined> {
    const row = await this.#db.selectFrom('saved_views').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toView(row);
  }

  async count(ownerId: string): Promise<number> {
    const query = this.#db.selectFrom('saved_views').where('owner_id', '=', ownerId);
    const { views } = await query.select(({ fn }) => fn.countAll<number>().as('views')).executeTakeFirstOrThrow();
    return Number(views);
  }

  async insert({ id, ownerId, page, name, query, shared, createdAt }: SavedViewRecord): Promise<void> {
    const row = { id, owner_id: ownerId, page, name, query, shared: shared ? 1 : 0, created_at: createdAt };
    await this.#db.insertInto('saved_views').values(row).execute();
  }

  async change(id: string, { name, query, shared }: Partial<Pick<SavedViewRecord, 'name' | 'query' | 'shared'>>): Promise<boolean> {
    // An UPDATE must set a column: without a change, it sets one that stays the same.
    const update = this.#db.updateTable('saved_views').set(({ ref }) => ({
      name: name ?? ref('name'),
      ...(query !== undefined && { query }),
      ...(shared !== undefined && { shared: shared ? 1 : 0 }),
    }));
    const { numUpdatedRows } = await update.where('id', '=', id).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db.deleteFrom('saved_views').where('id', '=', id).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}

function toView({ id, owner_id, page, name, query, shared, created_at }: SavedViewRow): SavedViewRecord {
  return { id, ownerId: owner_id, page: page as ViewPage, name, query, shared: shared === 1, createdAt: Number(created_at) };
}
