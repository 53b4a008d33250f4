import { type ExpressionBuilder, type Kysely, type RawBuilder, sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import type {
  ConnectedAccount,
  ConnectionFilter,
  ConnectionRecord,
  ConnectionStore,
  ConnectionViewer,
  FaultMender,
  NewConnection,
  SealCount,
  SealedSecret,
} from '../connection-store';
import type { ConnectionRow, Tables } from './tables';

/** A use is written only when the recorded one is older. */
const USE_STEP_MS = 60_000;

/** The present time, in milliseconds since the epoch. */
export type DatabaseClock = () => RawBuilder<number>;

/** SQLite has one process, whose clock is as good as any. */
export const processClock: DatabaseClock = () => sql<number>`${sql.lit(Date.now())}`;

export const postgresClock: DatabaseClock = () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export class SqlConnections implements ConnectionStore {
  readonly #db: Kysely<Tables>;
  readonly #now: DatabaseClock;

  constructor(db: Kysely<Tables>, now: DatabaseClock) {
    this.#db = db;
    this.#now = now;
  }

  async add({ id, toolkitId, owner, name, ...account }: NewConnection): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await this.#db
      .insertInto('connections')
      .values({ ...this.#columnsOf(account), id, toolkit_id: toolkitId, owner, name, is_default: 0, version: 1, created_at: this.#now() })
      .onConflict((conflict) => conflict.columns(['toolkit_id', 'owner', 'name']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows > 0n;
  }

  async replace(id: string, version: number, account: ConnectedAccount): Promise<boolean> {
    return isChanged(
      this.#present()
        .set(this.#columnsOf(account))
        .set({ version: version + 1 }),
      id,
      version,
    );
  }

  async find(id: string): Promise<ConnectionRecord | undefined> {
    const row = await this.#rows().where('id', '=', id).executeTakeFirst();
    return row && toConnection(row);
  }

  async ofOwner(toolkitId: string, owner: string): Promise<ConnectionRecord[]> {
    const query = this.#rows().where('toolkit_id', '=', toolkitId).where('owner', '=', owner);
    return (await query.orderBy('id').execute()).map(toConnection);
  }

  async list({ toolkitIds, owner, viewer, limit, before }: ConnectionFilter): Promise<ConnectionRecord[]> {
    if (toolkitIds?.length === 0) return [];
    const rows = await this.#rows()
      .$if(toolkitIds !== undefined, (query) => query.where('toolkit_id', 'in', toolkitIds ?? []))
      .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? ''))
      .$if(viewer !== undefined, (query) => query.where((row) => isVisible(row, viewer as ConnectionViewer)))
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toConnection);
  }

  async ended(): Promise<{ toolkitId: string; connections: number }[]> {
    const rows = await this.#db
      .selectFrom('connections')
      .select(({ fn }) => ['toolkit_id', fn.countAll().as('connections')])
      .where('status', '=', 'ended')
      .groupBy('toolkit_id')
      .orderBy('toolkit_id')
      .execute();
    return rows.map(({ toolkit_id, connections }) => ({ toolkitId: toolkit_id, connections: Number(connections) }));
  }

  async used(id: string): Promise<void> {
    const now = this.#now();
    await this.#present()
      .set({ used_at: now })
      .where('id', '=', id)
      .where(({ eb, or }) => or([eb('used_at', 'is', null), eb('used_at', '<', sql<number>`${now} - ${sql.lit(USE_STEP_MS)}`)]))
      .execute();
  }

  async setDefault(id: string): Promise<boolean> {
    const chosen = await this.find(id);
    if (!chosen) return false;
    await this.#present()
      .set(({ eb }) => ({ is_default: eb.case().when('id', '=', id).then(1).else(0).end() }))
      .where('toolkit_id', '=', chosen.toolkitId)
      .where('owner', '=', chosen.owner)
      .execute();
    return true;
  }

  async claimRefresh(id: string, { version, forMs }: { version: number; forMs: number }): Promise<boolean> {
    const now = this.#now();
    const claim = this.#live().set({ refreshing_until: sql<number>`${now} + ${forMs}` });
    return isChanged(claim.where('refreshing_until', '<=', now), id, version);
  }

  async refreshed(id: string, version: number, secret: Parameters<ConnectionStore['refreshed']>[2]): Promise<boolean> {
    return isChanged(this.#live().set({ ...this.#secretColumns(secret), version: version + 1 }), id, version);
  }

  async refreshFailed(id: string, version: number, fault: string, mender: FaultMender): Promise<void> {
    const failed = { refreshing_until: 0, fault, fault_at: this.#now(), fault_mender: mender };
    await isChanged(this.#live().set(failed), id, version);
  }

  async end(id: string, version: number, fault: string): Promise<boolean> {
    const ended = { status: 'ended', refreshing_until: 0, fault, fault_at: this.#now(), fault_mender: 'user' };
    return isChanged(this.#live().set(ended), id, version);
  }

  async remove(id: string): Promise<ConnectionRecord | undefined> {
    const query = this.#db.deleteFrom('connections').where('id', '=', id).where('status', '<>', 'removed');
    const row = await query.returningAll().returning(this.#now().as('read_at')).executeTakeFirst();
    return row && toConnection(row);
  }

  async takeRemoved(limit: number): Promise<ConnectionRecord[]> {
    const query = this.#db.selectFrom('connections').select('id').where('status', '=', 'removed').limit(limit);
    const ids = (await query.execute()).map(({ id }) => id);
    if (ids.length === 0) return [];
    const removing = this.#db.deleteFrom('connections').where('id', 'in', ids);
    return (await removing.returningAll().returning(this.#now().as('read_at')).execute()).map(toConnection);
  }

  async sealCounts(): Promise<SealCount[]> {
    const query = this.#db.selectFrom('connections').where('status', '<>', 'removed').groupBy('sealed_by').orderBy('sealed_by');
    const rows = await query.select(({ fn }) => ['sealed_by', fn.countAll<number>().as('count')]).execute();
    return rows.map(({ sealed_by, count }) => ({ sealedBy: sealed_by, count: Number(count) }));
  }

  async sealedByOthers(keyId: string, { after, limit }: { after: string; limit: number }): Promise<ConnectionRecord[]> {
    const query = this.#rows().where('sealed_by', '<>', keyId).where('id', '>', after).orderBy('id').limit(limit);
    return (await query.execute()).map(toConnection);
  }

  async reseal(id: string, version: number, { sealed, sealedBy }: SealedSecret): Promise<boolean> {
    return isChanged(this.#present().set({ sealed, sealed_by: sealedBy }), id, version);
  }

  #rows() {
    const rows = this.#db.selectFrom('connections').selectAll().select(this.#now().as('read_at'));
    return rows.where('status', '<>', 'removed');
  }

  #present() {
    return this.#db.updateTable('connections').where('status', '<>', 'removed');
  }

  #live() {
    return this.#db.updateTable('connections').where('status', '=', 'live');
  }

  #columnsOf({ type, account, createdBy, ...secret }: ConnectedAccount) {
    return { ...this.#secretColumns(secret), type, account, created_by: createdBy, status: 'live', connected_at: this.#now() };
  }

  #secretColumns({ sealed, sealedBy, scopes, expiresInMs }: Parameters<ConnectionStore['refreshed']>[2]) {
    const now = this.#now();
    return {
      sealed,
      sealed_by: sealedBy,
      scopes,
      expires_at: expiresInMs === null ? null : sql<number>`${now} + ${Math.round(expiresInMs)}`,
      refreshed_at: now,
      refreshing_until: 0,
      fault: null,
      fault_at: null,
      fault_mender: null,
    };
  }
}

/** True when the connection had this version. */
async function isChanged(update: VersionedUpdate, id: string, version: number): Promise<boolean> {
  const { numUpdatedRows } = await update.where('id', '=', id).where('version', '=', version).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

type VersionedUpdate = UpdateQueryBuilder<Tables, 'connections', 'connections', UpdateResult>;

function isVisible({ eb, or }: ExpressionBuilder<Tables, 'connections'>, { toolkitIds, agentKeyIds, personId }: ConnectionViewer) {
  const owners = [`person:${personId}`, ...agentKeyIds.map((id) => `agent:${id}`)];
  // A member may have hundreds of keys: one condition for each would be too deep for SQLite.
  const ofUsers = Map.groupBy(
    agentKeyIds.map((id) => `user:${id}:`),
    ({ length }) => length,
  );
  return or([
    ...(toolkitIds.length > 0 ? [eb('toolkit_id', 'in', toolkitIds)] : []),
    eb('owner', 'in', owners),
    ...[...ofUsers].map(([length, prefixes]) => eb(sql<string>`substr(owner, 1, ${sql.lit(length)})`, 'in', prefixes)),
  ]);
}

/** Marks the connections of a removed toolkit. Their secrets are deleted when their tokens are revoked. */
export function removeConnectionsOfToolkit(db: Kysely<Tables>, toolkitId: string) {
  return removing(db).where('toolkit_id', '=', toolkitId);
}

/** The same for those that were made with an agent key, for itself and for its users. */
export function removeConnectionsOfKey(db: Kysely<Tables>, keyId: string) {
  return removing(db).where((row) => isOfKey(row, keyId));
}

/** True for an owner that is the agent key, or a user of it. */
export function isOfKey({ eb, and, or }: ExpressionBuilder<Tables, 'connections' | 'connect_flows'>, keyId: string) {
  // The users of a key: from `user:<key>:` up to the character that follows the colon.
  const [from, to] = [`user:${keyId}:`, `user:${keyId};`];
  return or([eb('owner', '=', `agent:${keyId}`), and([eb('owner', '>=', from), eb('owner', '<', to)])]);
}

export function removeConnectionsOfPerson(db: Kysely<Tables>, personId: string) {
  return removing(db).where('owner', '=', `person:${personId}`);
}

/** The name becomes free for the next toolkit with the same id. */
function removing(db: Kysely<Tables>) {
  return db
    .updateTable('connections')
    .set(({ ref }) => ({ status: 'removed', name: ref('id') }))
    .where('status', '<>', 'removed');
}

export function toConnection(row: ConnectionRow & { read_at: number }): ConnectionRecord {
  return {
    id: row.id,
    toolkitId: row.toolkit_id,
    owner: row.owner,
    name: row.name,
    isDefault: row.is_default === 1,
    status: row.status as ConnectionRecord['status'],
    type: row.type as ConnectionRecord['type'],
    sealed: row.sealed,
    sealedBy: row.sealed_by,
    version: row.version,
    scopes: row.scopes,
    account: row.account,
    expiresAt: row.expires_at,
    refreshedAt: row.refreshed_at,
    refreshingUntil: row.refreshing_until,
    createdAt: row.created_at,
    connectedAt: row.connected_at,
    usedAt: row.used_at,
    fault: row.fault,
    faultAt: row.fault_at,
    faultMender: row.fault_mender as ConnectionRecord['faultMender'],
    createdBy: row.created_by,
    readAt: row.read_at,
  };
}
