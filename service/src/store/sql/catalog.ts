import { type Kysely, type SqlBool, sql } from 'kysely';
import type { SightingStore, ToolkitSighting } from '../console-store';
import type { ActionRecord, ApprovalRecord, CatalogStore, NewApproval, RejectionRecord, ToolkitRecord, ToolkitTexts } from '../store';
import { endFlowsOfToolkit, removeClientOfToolkit } from './connect';
import { removeConnectionsOfToolkit } from './connections';
import { inPieces } from './statements';
import type { ActionApprovalRow, ActionRejectionRow, ActionRow, Atomically, Tables, ToolkitRow, ToolkitSightingRow } from './tables';
import { removeProfileOfToolkit } from './toolkit-profiles';

/** The texts are canonical JSON: within one of its strings, the quotes are escaped. */
const hasShape = sql<SqlBool>`text like '%"resultSchema":%'`;

export class SqlCatalog implements CatalogStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async toolkits(ids?: readonly string[]): Promise<ToolkitRecord[]> {
    const query = this.#db.selectFrom('toolkits').selectAll().orderBy('id');
    const rows = ids ? await allOf(ids, (some) => query.where('id', 'in', some).execute()) : await query.execute();
    return rows.map(toToolkit);
  }

  async actions(toolkitIds?: readonly string[]): Promise<ActionRecord[]> {
    const query = this.#db.selectFrom('actions').selectAll().orderBy('toolkit_id').orderBy('name');
    const rows = toolkitIds ? await allOf(toolkitIds, (some) => query.where('toolkit_id', 'in', some).execute()) : await query.execute();
    return rows.map(toAction);
  }

  async insertToolkit({ id, name, description, createdAt, namedAt, auth }: ToolkitRecord): Promise<boolean> {
    const query = this.#db
      .insertInto('toolkits')
      .values({ id, name, description, created_at: createdAt, named_at: namedAt ?? null, auth: auth ? JSON.stringify(auth) : null })
      .onConflict((conflict) => conflict.column('id').doNothing());
    const { numInsertedOrUpdatedRows } = await query.executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async updateToolkit({ id, name, description, namedAt, auth }: ToolkitTexts): Promise<void> {
    await this.#db
      .updateTable('toolkits')
      .set({ name, description, named_at: namedAt ?? null, auth: auth ? JSON.stringify(auth) : null })
      .where('id', '=', id)
      .execute();
  }

  async changeActions(toolkitId: string, { upsert, remove }: { upsert: ActionRecord[]; remove: string[] }): Promise<void> {
    await this.#atomically([
      ...inPieces(upsert.map(toActionRow)).map((rows) => this.#upsert(rows)),
      ...inPieces(remove).map((names) => this.#db.deleteFrom('actions').where('toolkit_id', '=', toolkitId).where('name', 'in', names)),
    ]);
  }

  async approvals(toolkitIds?: readonly string[]): Promise<ApprovalRecord[]> {
    const query = this.#db.selectFrom('action_approvals').select(['toolkit_id', 'name', 'hash', hasShape.as('has_shape')]);
    const rows = toolkitIds ? await allOf(toolkitIds, (some) => query.where('toolkit_id', 'in', some).execute()) : await query.execute();
    return rows.map(({ toolkit_id, name, hash, has_shape }) => ({ toolkitId: toolkit_id, name, hash, hasShape: Boolean(has_shape) }));
  }

  async lastApprovedText(toolkitId: string, name: string): Promise<string | undefined> {
    const query = this.#db.selectFrom('action_approvals').select('text').where('toolkit_id', '=', toolkitId).where('name', '=', name);
    return (await query.orderBy('approved_at', 'desc').orderBy('hash').limit(1).executeTakeFirst())?.text;
  }

  async rejections(toolkitIds?: readonly string[]): Promise<RejectionRecord[]> {
    const query = this.#db.selectFrom('action_rejections').selectAll();
    const rows = toolkitIds ? await allOf(toolkitIds, (some) => query.where('toolkit_id', 'in', some).execute()) : await query.execute();
    return rows.map(({ toolkit_id, name, hash, reason, rejected_at }) => {
      return { toolkitId: toolkit_id, name, hash, reason, rejectedAt: Number(rejected_at) };
    });
  }

  async reject(_toolkitId: string, rejections: readonly RejectionRecord[]): Promise<void> {
    const rows = rejections.map(({ toolkitId, name, hash, reason, rejectedAt }) => {
      return { toolkit_id: toolkitId, name, hash, reason, rejected_at: rejectedAt };
    });
    await this.#atomically(inPieces(rows).map((some) => this.#insertRejections(some)));
  }

  async approve(_toolkitId: string, approvals: readonly NewApproval[]): Promise<void> {
    const rows = approvals.map(({ toolkitId, name, hash, text, approvedAt }) => {
      return { toolkit_id: toolkitId, name, hash, text, approved_at: approvedAt };
    });
    await this.#atomically([
      ...inPieces(rows).map((some) => this.#insertApprovals(some)),
      ...rows.map(({ toolkit_id, name, hash }) => {
        const rejected = this.#db.deleteFrom('action_rejections').where('toolkit_id', '=', toolkit_id);
        return rejected.where('name', '=', name).where('hash', '=', hash);
      }),
    ]);
  }

  async removeToolkit(id: string, at: number): Promise<boolean> {
    const [toolkit] = await this.toolkits([id]);
    await this.#atomically([
      this.#db.updateTable('keys').set({ revoked_at: at }).where('toolkit_id', '=', id).where('revoked_at', 'is', null),
      this.#db.updateTable('keys').set({ toolkit_id: null }).where('toolkit_id', '=', id),
      this.#db.deleteFrom('actions').where('toolkit_id', '=', id),
      this.#db.deleteFrom('action_approvals').where('toolkit_id', '=', id),
      this.#db.deleteFrom('action_rejections').where('toolkit_id', '=', id),
      this.#db.deleteFrom('toolkit_callers').where('toolkit_id', '=', id),
      removeConnectionsOfToolkit(this.#db, id),
      removeClientOfToolkit(this.#db, id, at),
      endFlowsOfToolkit(this.#db, id),
      removeProfileOfToolkit(this.#db, id),
      this.#db.deleteFrom('toolkits').where('id', '=', id),
    ]);
    return toolkit !== undefined;
  }

  #insertApprovals(rows: ActionApprovalRow[]) {
    return this.#db
      .insertInto('action_approvals')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['toolkit_id', 'name', 'hash']).doUpdateSet(({ ref }) => ({ approved_at: ref('excluded.approved_at') })),
      );
  }

  #insertRejections(rows: ActionRejectionRow[]) {
    return this.#db
      .insertInto('action_rejections')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['toolkit_id', 'name', 'hash'])
          .doUpdateSet(({ ref }) => ({ reason: ref('excluded.reason'), rejected_at: ref('excluded.rejected_at') })),
      );
  }

  #upsert(rows: ActionRow[]) {
    return this.#db
      .insertInto('actions')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['toolkit_id', 'name']).doUpdateSet(({ ref }) => ({
          description: ref('excluded.description'),
          payload_schema: ref('excluded.payload_schema'),
          annotations: ref('excluded.annotations'),
          payment: ref('excluded.payment'),
          title: ref('excluded.title'),
          result_schema: ref('excluded.result_schema'),
          meta: ref('excluded.meta'),
          icons: ref('excluded.icons'),
          auth: ref('excluded.auth'),
          long: ref('excluded.long'),
        })),
      );
  }
}

async function allOf<Id, Row>(ids: readonly Id[], read: (some: Id[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const some of inPieces(ids)) rows.push(...(await read(some)));
  return rows;
}

function toToolkit({ id, name, description, created_at, named_at, auth }: ToolkitRow): ToolkitRecord {
  const details = { ...(named_at !== null && { namedAt: named_at }), ...(auth !== null && { auth: JSON.parse(auth) }) };
  return { id, name, description, createdAt: created_at, ...details };
}

function toAction({ toolkit_id, name, description, payload_schema, annotations, payment, title, ...row }: ActionRow): ActionRecord {
  const { result_schema, meta, icons, auth, long } = row;
  return {
    toolkitId: toolkit_id,
    name,
    description,
    payloadSchema: JSON.parse(payload_schema),
    annotations: JSON.parse(annotations),
    ...(payment !== null && { payment: JSON.parse(payment) }),
    ...(title !== null && { title }),
    ...(result_schema !== null && { resultSchema: JSON.parse(result_schema) }),
    ...(meta !== null && { meta: JSON.parse(meta) }),
    ...(icons !== null && { icons: JSON.parse(icons) }),
    ...(auth !== null && { auth: JSON.parse(auth) }),
    ...(long !== null && { long: true as const }),
  };
}

function toActionRow({ toolkitId, name, description, payloadSchema, annotations, payment, title, ...action }: ActionRecord): ActionRow {
  const { resultSchema, meta, icons, auth, long } = action;
  return {
    toolkit_id: toolkitId,
    name,
    description,
    payload_schema: JSON.stringify(payloadSchema),
    annotations: JSON.stringify(annotations),
    payment: payment ? JSON.stringify(payment) : null,
    title: title ?? null,
    result_schema: resultSchema ? JSON.stringify(resultSchema) : null,
    meta: meta ? JSON.stringify(meta) : null,
    icons: icons ? JSON.stringify(icons) : null,
    auth: auth === undefined ? null : JSON.stringify(auth),
    long: long ? 1 : null,
  };
}

export class SqlSightings implements SightingStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async put(sightings: readonly ToolkitSighting[]): Promise<void> {
    if (sightings.length === 0) return;
    // The same order on every node prevents deadlocks between two of them.
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

  /** Keeps the later time, since the clocks of nodes may differ. */
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
