import { type Kysely, sql } from 'kysely';
import type { ActionVersion, ListingStore, UptimeDay, VersionText } from '../listing-store';
import { inPieces } from './statements';
import type { ActionTextRow, Atomically, Tables, ToolkitUptimeRow } from './tables';

/** The name of the service in the rows of uptime. */
const SERVICE = '';
const MINUTES_A_DAY = 1_440;

export class SqlListings implements ListingStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async countMinute(minute: number, toolkitIds: readonly string[]): Promise<void> {
    const day = Math.floor(minute / MINUTES_A_DAY);
    // The same order on every node prevents deadlocks between two of them.
    const rows = [...new Set([SERVICE, ...toolkitIds])].sort().map((id) => ({ toolkit_id: id, day, minutes: 1, last_minute: minute }));
    await this.#atomically(inPieces(rows).map((some) => this.#countRows(some)));
  }

  async uptime(toolkitId: string, from: number): Promise<UptimeDay[]> {
    const rows = await this.#db
      .selectFrom('toolkit_uptime as service')
      .leftJoin('toolkit_uptime as own', (join) => join.onRef('own.day', '=', 'service.day').on('own.toolkit_id', '=', toolkitId))
      .where('service.toolkit_id', '=', SERVICE)
      .where('service.day', '>=', from)
      .select(['service.day as day', 'service.minutes as counted', 'own.minutes as online'])
      .orderBy('service.day')
      .execute();
    return rows.map(({ day, counted, online }) => ({ day: Number(day), online: Number(online ?? 0), counted: Number(counted) }));
  }

  async lastVersions(toolkitIds?: readonly string[]): Promise<ActionVersion[]> {
    const last = this.#db
      .selectFrom('action_texts')
      .select(({ fn }) => ['toolkit_id', 'name', fn.max('number').as('number')])
      .groupBy(['toolkit_id', 'name']);
    const query = this.#db
      .selectFrom('action_texts')
      .innerJoin(last.as('last'), (join) =>
        join
          .onRef('last.toolkit_id', '=', 'action_texts.toolkit_id')
          .onRef('last.name', '=', 'action_texts.name')
          .onRef('last.number', '=', 'action_texts.number'),
      )
      .select(['action_texts.toolkit_id', 'action_texts.name', 'action_texts.number', 'action_texts.hash']);
    const rows = toolkitIds
      ? await Promise.all(inPieces(toolkitIds).map((ids) => query.where('action_texts.toolkit_id', 'in', ids).execute()))
      : [await query.execute()];
    return rows.flat().map(({ toolkit_id, name, number, hash }) => ({ toolkitId: toolkit_id, name, number: Number(number), hash }));
  }

  async addVersions(texts: readonly VersionText[], keep: number): Promise<void> {
    const rows = texts.map(({ toolkitId, ...text }) => ({ toolkit_id: toolkitId, ...text })).sort(byPlace);
    await this.#atomically([
      ...inPieces(rows).map((some) => this.#insertTexts(some)),
      ...rows
        .filter(({ number }) => number > keep)
        .map(({ toolkit_id, name, number }) =>
          this.#db
            .deleteFrom('action_texts')
            .where('toolkit_id', '=', toolkit_id)
            .where('name', '=', name)
            .where('number', '<=', number - keep),
        ),
    ]);
  }

  async versions(toolkitId: string, limit: number): Promise<VersionText[]> {
    const rows = await this.#db
      .selectFrom('action_texts')
      .selectAll()
      .where('toolkit_id', '=', toolkitId)
      .orderBy('at', 'desc')
      .orderBy('name')
      .orderBy('number', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ toolkit_id, number, at, ...text }) => ({ toolkitId: toolkit_id, ...text, number: Number(number), at: Number(at) }));
  }

  async publishers(): Promise<string[]> {
    const rows = await this.#db.selectFrom('publishers').selectAll().orderBy('person_id').execute();
    return rows.map(({ person_id }) => person_id);
  }

  async setPublisher(personId: string, shown: boolean): Promise<void> {
    if (!shown) await this.#db.deleteFrom('publishers').where('person_id', '=', personId).execute();
    else
      await this.#db
        .insertInto('publishers')
        .values({ person_id: personId })
        .onConflict((conflict) => conflict.column('person_id').doNothing())
        .execute();
  }

  async prune(before: number): Promise<void> {
    await this.#db.deleteFrom('toolkit_uptime').where('day', '<', before).execute();
  }

  async removeToolkit(toolkitId: string): Promise<void> {
    await this.#atomically([
      this.#db.deleteFrom('toolkit_uptime').where('toolkit_id', '=', toolkitId),
      this.#db.deleteFrom('action_texts').where('toolkit_id', '=', toolkitId),
    ]);
  }

  #countRows(rows: ToolkitUptimeRow[]) {
    return this.#db
      .insertInto('toolkit_uptime')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['toolkit_id', 'day'])
          .doUpdateSet(({ ref }) => ({ minutes: sql`toolkit_uptime.minutes + 1`, last_minute: ref('excluded.last_minute') }))
          .whereRef('toolkit_uptime.last_minute', '<', 'excluded.last_minute'),
      );
  }

  #insertTexts(rows: ActionTextRow[]) {
    return this.#db
      .insertInto('action_texts')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['toolkit_id', 'name', 'number']).doNothing());
  }
}

function byPlace(one: ActionTextRow, other: ActionTextRow): number {
  const [a, b] = [one, other].map(({ toolkit_id, name, number }) => `${toolkit_id} ${name} ${number}`) as [string, string];
  return a < b ? -1 : a > b ? 1 : 0;
}
