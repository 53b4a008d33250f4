import type { Kysely } from 'kysely';
import type { Misfit, MisfitStore } from '../misfit-store';
import { inPieces } from './statements';
import type { Atomically, ResultMisfitRow, Tables } from './tables';

export class SqlMisfits implements MisfitStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async add(misfits: readonly Misfit[]): Promise<void> {
    if (misfits.length === 0) return;
    // The same order on every node prevents deadlocks between two of them.
    const rows = misfits
      .map(({ action, version, path, results, lastAt }) => ({ action, version, path, results, last_at: lastAt }))
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    await this.#atomically(inPieces(rows).map((some) => this.#upsert(some)));
  }

  async since(time: number): Promise<Misfit[]> {
    const query = this.#db.selectFrom('result_misfits').selectAll().where('last_at', '>=', time);
    const rows = await query.orderBy('action').orderBy('version').orderBy('path').execute();
    return rows.map(({ action, version, path, results, last_at }) => {
      return { action, version, path, results: Number(results), lastAt: Number(last_at) };
    });
  }

  async remove(versions: readonly Pick<Misfit, 'action' | 'version'>[]): Promise<void> {
    for (const { action, version } of versions)
      await this.#db.deleteFrom('result_misfits').where('action', '=', action).where('version', '=', version).execute();
  }

  async prune(before: number): Promise<void> {
    await this.#db.deleteFrom('result_misfits').where('last_at', '<', before).execute();
  }

  #upsert(rows: ResultMisfitRow[]) {
    return this.#db
      .insertInto('result_misfits')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['action', 'version', 'path']).doUpdateSet(({ eb, ref, case: when }) => ({
          results: eb('result_misfits.results', '+', ref('excluded.results')),
          last_at: when()
            .when('excluded.last_at', '>', ref('result_misfits.last_at'))
            .then(ref('excluded.last_at'))
            .else(ref('result_misfits.last_at'))
            .end(),
        })),
      );
  }
}

function placeOf({ action, version, path }: ResultMisfitRow): string {
  return JSON.stringify([action, version, path]);
}
