import type { Kysely } from 'kysely';
import type { VectorRecord, VectorStore } from '../store';
import { inPieces } from './statements';
import type { ActionVectorRow, Atomically, Tables } from './tables';

export class SqlVectors implements VectorStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async page({ after, limit }: { after: string; limit: number }): Promise<VectorRecord[]> {
    const query = this.#db.selectFrom('action_vectors').selectAll().where('action_id', '>', after).orderBy('action_id').limit(limit);
    return (await query.execute()).map(toRecord);
  }

  async put(records: readonly VectorRecord[]): Promise<void> {
    await this.#atomically(inPieces(records.map(toRow)).map((rows) => this.#upsert(rows)));
  }

  async remove(actionIds: readonly string[]): Promise<void> {
    await this.#atomically(inPieces(actionIds).map((ids) => this.#db.deleteFrom('action_vectors').where('action_id', 'in', ids)));
  }

  #upsert(rows: ActionVectorRow[]) {
    return this.#db
      .insertInto('action_vectors')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('action_id')
          .doUpdateSet(({ ref }) => ({ fingerprint: ref('excluded.fingerprint'), vector: ref('excluded.vector') })),
      );
  }
}

function toRecord({ action_id, fingerprint, vector }: ActionVectorRow): VectorRecord {
  return { actionId: action_id, fingerprint, vector: new Int8Array(vector.buffer, vector.byteOffset, vector.length) };
}

function toRow({ actionId, fingerprint, vector }: VectorRecord): ActionVectorRow {
  return { action_id: actionId, fingerprint, vector: new Uint8Array(vector.buffer, vector.byteOffset, vector.length) };
}
