import type { Kysely } from 'kysely';
import type { SightingStore, ToolkitSighting } from '../console-store';
import { inPieces } from './statements';
import type { Atomically, Tables, ToolkitSightingRow } from './tables';

export class SqlSightings implements SightingStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async put(sightings: readonly ToolkitSighting[]): Promise<void> {
    if (sightings.length === 0) return;
    // In one order on every node: two of them then wait for each other, and not in a circle.
    const rows = sightings
      .map(({ toolkitId, at }) => ({ toolkit_id: toolkitId, last_seen_at: at }))
      .sort((one, other) => (one.toolkit_id < other.toolkit_id ? -1 : 1));
    await this.#atomically(inPieces(rows).map((some) => this.#upsert(some)));
  }

  async lastSeen(toolkitIds: readonly string[]): Promise<Map<string, number>> {
    const seen = new Map<string, number>();
    for (const ids of inPieces(toolkitIds)) {
      const rows = await this.#db.selectFrom('toolkit_sightings').selectAll().where('toolkit_id', 'in', ids).execute();
      for (const { toolkit_id, last_seen_at } of rows) seen.set(toolkit_id, Number(last_seen_at));
    }
    return seen;
  }

  async remove(toolkitId: string): Promise<void> {
    await this.#db.deleteFrom('toolkit_sightings').where('toolkit_id', '=', toolkitId).execute();
  }

  /** A node whose clock is behind takes nothing back. */
  #upsert(rows: ToolkitSightingRow[]) {
    return this.#db
      .insertInto('toolkit_sightings')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('toolkit_id')
          .doUpdateSet(({ ref }) => ({ last_seen_at: ref('excluded.last_seen_at') }))
          .whereRef('excluded.last_seen_at', '>', 'toolkit_sightings.last_seen_at'),
      );
  }
}
