import type { Kysely } from 'kysely';
import type { SettingStore } from '../console-store';
import type { Tables } from './tables';

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
    // Another one may have been first.
    const stands = await this.#db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirstOrThrow();
    return JSON.parse(stands.value);
  }
}
