import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type {
  ConnectAppRecord,
  ConnectionClientRecord,
  ConnectLinkRecord,
  ConnectStore,
  FlowChange,
  FlowRecord,
  FlowStatus,
  NewConnectLink,
  NewFlow,
  WithSecret,
} from '../connect-store';
import type { SealCount, SealedSecret } from '../connection-store';
import { type DatabaseClock, isOfKey } from './connections';
import { inPieces } from './statements';
import type { ConnectAppRow, ConnectFlowRow, ConnectionClientRow, ConnectLinkRow, Tables } from './tables';

const KEEP_REMOVED_MS = 86_400_000;

export class SqlConnect implements ConnectStore {
  readonly #db: Kysely<Tables>;
  readonly #now: DatabaseClock;

  constructor(db: Kysely<Tables>, now: DatabaseClock) {
    this.#db = db;
    this.#now = now;
  }

  async addLink(
    { hash, owner, toolkits, name, createdBy }: NewConnectLink,
    { forMs, max }: { forMs: number; max: number },
  ): Promise<number> {
    const unopened = ({ and, eb }: ExpressionBuilder<Tables, 'connect_links'>) =>
      and([eb('owner', '=', owner), eb('created_by', '=', createdBy), eb('browser_hash', 'is', null)]);
    const newest = this.#db.selectFrom('connect_links').select('hash').where(unopened).orderBy('created_at', 'desc').orderBy('hash');
    const kept = (await newest.limit(max - 1).execute()).map((link) => link.hash);
    const others = this.#db.deleteFrom('connect_links').where(unopened);
    await others.$if(kept.length > 0, (query) => query.where('hash', 'not in', kept)).execute();
    const { expires_at } = await this.#db
      .insertInto('connect_links')
      .values({
        ...{ hash, owner, name, toolkits: JSON.stringify(toolkits), created_by: createdBy, browser_hash: null, starts: 0 },
        ...{ created_at: this.#now(), expires_at: this.#in(forMs) },
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    return expires_at;
  }

  async link(hash: string): Promise<ConnectLinkRecord | undefined> {
    const query = this.#db.selectFrom('connect_links').selectAll().where('hash', '=', hash).where('expires_at', '>', this.#now());
    const row = await query.executeTakeFirst();
    return row && toLink(row);
  }

  async claimLink(hash: string, { browserHash, maxStarts, forMs }: Parameters<ConnectStore['claimLink']>[1]): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('connect_links')
      .set(({ eb }) => ({ browser_hash: browserHash, starts: eb('starts', '+', 1), expires_at: this.#in(forMs) }))
      .where('hash', '=', hash)
      .where('expires_at', '>', this.#now())
      .where('starts', '<', maxStarts)
      .where(({ or, eb }) => or([eb('browser_hash', 'is', null), eb('browser_hash', '=', browserHash)]))
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async addFlow({ id, linkHash, toolkitId, ...flow }: NewFlow, forMs: number): Promise<void> {
    await this.#db
      .deleteFrom('connect_flows')
      .where('link_hash', '=', linkHash)
      .where('toolkit_id', '=', toolkitId)
      .where('status', 'in', ['started', 'failed'])
      .execute();
    await this.#db
      .insertInto('connect_flows')
      .values({
        ...{ id, link_hash: linkHash, toolkit_id: toolkitId, owner: flow.owner, name: flow.name, status: flow.status },
        ...{ browser_hash: flow.browserHash, state_hash: flow.stateHash, code_hash: flow.codeHash },
        ...{ sealed: flow.sealed, sealed_by: flow.sealedBy, problem: null, tries: 0, created_at: this.#now(), expires_at: this.#in(forMs) },
      })
      .execute();
  }

  async flow(id: string): Promise<FlowRecord | undefined> {
    const row = await this.#flows().where('id', '=', id).executeTakeFirst();
    return row && toFlow(row);
  }

  async flowByState(stateHash: string): Promise<FlowRecord | undefined> {
    const row = await this.#flows().where('state_hash', '=', stateHash).where('expires_at', '>', this.#now()).executeTakeFirst();
    return row && toFlow(row);
  }

  async flowByCode(codeHash: string): Promise<FlowRecord | undefined> {
    const row = await this.#flows().where('code_hash', '=', codeHash).where('expires_at', '>', this.#now()).executeTakeFirst();
    return row && toFlow(row);
  }

  async flowsOfLink(linkHash: string): Promise<FlowRecord[]> {
    const query = this.#flows().where('link_hash', '=', linkHash).where('expires_at', '>', this.#now());
    return (await query.orderBy('created_at').orderBy('id').execute()).map(toFlow);
  }

  async changeFlow(id: string, from: FlowStatus, { status, sealed, sealedBy, codeHash, problem, forMs }: FlowChange): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('connect_flows')
      .set({
        status,
        ...(sealed !== undefined && { sealed }),
        ...(sealedBy !== undefined && { sealed_by: sealedBy }),
        ...(codeHash !== undefined && { code_hash: codeHash }),
        ...(problem !== undefined && { problem }),
        ...(forMs !== undefined && { expires_at: this.#in(forMs) }),
      })
      .where('id', '=', id)
      .where('status', '=', from)
      .where('expires_at', '>', this.#now())
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async countWrongCode(owner: string, maxTries: number): Promise<FlowRecord[]> {
    const awaiting = this.#db.updateTable('connect_flows').where('owner', '=', owner).where('status', '=', 'awaiting');
    await awaiting.set(({ eb }) => ({ tries: eb('tries', '+', 1) })).execute();
    const ended = awaiting.set({ status: 'ended' }).where('tries', '>=', maxTries);
    const rows = await ended.returningAll().returning(this.#now().as('read_at')).execute();
    return rows.map(toFlow);
  }

  async takeExpired(limit: number): Promise<FlowRecord[]> {
    await this.#db.deleteFrom('connect_links').where('expires_at', '<=', this.#now()).execute();
    const before = sql<number>`${this.#now()} - ${sql.lit(KEEP_REMOVED_MS)}`;
    await this.#db.deleteFrom('connection_clients').where('removed_at', '<', before).execute();
    const some = this.#db.selectFrom('connect_flows').select('id').where('expires_at', '<=', this.#now()).limit(limit);
    const removed = this.#db.deleteFrom('connect_flows').where('id', 'in', some);
    const rows = await removed.returningAll().returning(this.#now().as('read_at')).execute();
    return rows.map(toFlow);
  }

  async client(toolkitId: string): Promise<ConnectionClientRecord | undefined> {
    const row = await this.#clients(toolkitId).where('removed_at', 'is', null).executeTakeFirst();
    return row && toClient(row);
  }

  async presentOrRemovedClient(toolkitId: string): Promise<ConnectionClientRecord | undefined> {
    const row = await this.#clients(toolkitId).executeTakeFirst();
    return row && toClient(row);
  }

  async putClient({
    toolkitId,
    source,
    clientId,
    authMethod,
    secret,
    endpoints,
  }: Omit<ConnectionClientRecord, 'updatedAt'>): Promise<void> {
    const columns = {
      source,
      client_id: clientId,
      auth_method: authMethod,
      endpoints,
      ...sealColumns(secret),
      updated_at: this.#now(),
      removed_at: null,
    };
    await this.#db
      .insertInto('connection_clients')
      .values({ toolkit_id: toolkitId, ...columns })
      .onConflict((conflict) => conflict.column('toolkit_id').doUpdateSet(columns))
      .execute();
  }

  async removeClient(toolkitId: string): Promise<boolean> {
    const query = this.#db.deleteFrom('connection_clients').where('toolkit_id', '=', toolkitId);
    const { numDeletedRows } = await query.executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  async clientsSealedByOthers(keyId: string): Promise<WithSecret<ConnectionClientRecord>[]> {
    const query = this.#db.selectFrom('connection_clients').selectAll().where('sealed_by', '<>', keyId).orderBy('toolkit_id');
    return (await query.execute()).map(toClient).filter(hasSecret);
  }

  async resealClient(toolkitId: string, before: SealedSecret, seal: SealedSecret): Promise<boolean> {
    const query = this.#db.updateTable('connection_clients').set(sealColumns(seal)).where('toolkit_id', '=', toolkitId);
    const { numUpdatedRows } = await query.where('sealed', '=', before.sealed).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async app(keyId: string): Promise<ConnectAppRecord | undefined> {
    const [app] = await this.apps([keyId]);
    return app;
  }

  async apps(keyIds: readonly string[]): Promise<ConnectAppRecord[]> {
    const rows: ConnectAppRow[] = [];
    for (const some of inPieces(keyIds))
      rows.push(...(await this.#db.selectFrom('connect_apps').selectAll().where('key_id', 'in', some).execute()));
    return rows.map(toApp);
  }

  async putApp({ keyId, returnUrl, webhookUrl, secret }: ConnectAppRecord): Promise<void> {
    const columns = { return_url: returnUrl, webhook_url: webhookUrl, ...sealColumns(secret) };
    await this.#db
      .insertInto('connect_apps')
      .values({ key_id: keyId, ...columns })
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet(columns))
      .execute();
  }

  async removeApp(keyId: string): Promise<void> {
    await removeAppOfKey(this.#db, keyId).execute();
  }

  async appsSealedByOthers(keyId: string): Promise<WithSecret<ConnectAppRecord>[]> {
    const query = this.#db.selectFrom('connect_apps').selectAll().where('sealed_by', '<>', keyId).orderBy('key_id');
    return (await query.execute()).map(toApp).filter(hasSecret);
  }

  async resealApp(keyId: string, before: SealedSecret, seal: SealedSecret): Promise<boolean> {
    const query = this.#db.updateTable('connect_apps').set(sealColumns(seal)).where('key_id', '=', keyId);
    const { numUpdatedRows } = await query.where('sealed', '=', before.sealed).executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  async sealCounts(): Promise<SealCount[]> {
    const sealedBy = async (table: 'connection_clients' | 'connect_apps') => {
      const query = this.#db.selectFrom(table).where('sealed_by', 'is not', null).groupBy('sealed_by').orderBy('sealed_by');
      return query.select(({ fn }) => ['sealed_by', fn.countAll<number>().as('count')]).execute();
    };
    const rows = [...(await sealedBy('connection_clients')), ...(await sealedBy('connect_apps'))];
    return rows.map(({ sealed_by, count }) => ({ sealedBy: sealed_by ?? '', count: Number(count) }));
  }

  #clients(toolkitId: string) {
    return this.#db.selectFrom('connection_clients').selectAll().where('toolkit_id', '=', toolkitId);
  }

  #flows() {
    return this.#db.selectFrom('connect_flows').selectAll().select(this.#now().as('read_at'));
  }

  #in(forMs: number) {
    return sql<number>`${this.#now()} + ${sql.lit(Math.round(forMs))}`;
  }
}

/** The client serves no other toolkit with the same id. */
export function removeClientOfToolkit(db: Kysely<Tables>, toolkitId: string, at: number) {
  return db.updateTable('connection_clients').set({ removed_at: at }).where('toolkit_id', '=', toolkitId);
}

/** Ends the flows that people began for a toolkit: they agreed to give the access to it, and not to the next one with its id. */
export function endFlowsOfToolkit(db: Kysely<Tables>, toolkitId: string) {
  return ending(db).where('toolkit_id', '=', toolkitId);
}

/** The same for those of an agent key and of its users. */
export function endFlowsOfKey(db: Kysely<Tables>, keyId: string) {
  return ending(db).where((row) => isOfKey(row, keyId));
}

export function endFlowsOfPerson(db: Kysely<Tables>, personId: string) {
  return ending(db).where('owner', '=', `person:${personId}`);
}

/** Accounts that wait for a confirmation are revoked with the next removal of what expired. */
function ending(db: Kysely<Tables>) {
  return db.updateTable('connect_flows').set({ expires_at: 0 });
}

export function removeAppOfKey(db: Kysely<Tables>, keyId: string) {
  return db.deleteFrom('connect_apps').where('key_id', '=', keyId);
}

function hasSecret<Item extends { secret: SealedSecret | null }>(item: Item): item is WithSecret<Item> {
  return item.secret !== null;
}

function sealColumns(secret: SealedSecret | null) {
  return { sealed: secret?.sealed ?? null, sealed_by: secret?.sealedBy ?? null };
}

function toSecret({ sealed, sealed_by: sealedBy }: Pick<ConnectAppRow, 'sealed' | 'sealed_by'>): SealedSecret | null {
  return sealed === null || sealedBy === null ? null : { sealed, sealedBy };
}

function toLink({ toolkits, created_by, browser_hash, created_at, expires_at, ...link }: ConnectLinkRow): ConnectLinkRecord {
  return {
    ...link,
    toolkits: JSON.parse(toolkits),
    createdBy: created_by,
    browserHash: browser_hash,
    createdAt: created_at,
    expiresAt: expires_at,
  };
}

function toFlow(row: ConnectFlowRow & { read_at: number }): FlowRecord {
  return {
    id: row.id,
    linkHash: row.link_hash,
    toolkitId: row.toolkit_id,
    owner: row.owner,
    name: row.name,
    status: row.status as FlowStatus,
    browserHash: row.browser_hash,
    stateHash: row.state_hash,
    codeHash: row.code_hash,
    sealed: row.sealed,
    sealedBy: row.sealed_by,
    problem: row.problem,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    readAt: row.read_at,
  };
}

function toClient(row: ConnectionClientRow): ConnectionClientRecord {
  return {
    toolkitId: row.toolkit_id,
    source: row.source as ConnectionClientRecord['source'],
    clientId: row.client_id,
    authMethod: row.auth_method as ConnectionClientRecord['authMethod'],
    secret: toSecret(row),
    endpoints: row.endpoints,
    updatedAt: row.updated_at,
  };
}

function toApp(row: ConnectAppRow): ConnectAppRecord {
  return { keyId: row.key_id, returnUrl: row.return_url, webhookUrl: row.webhook_url, secret: toSecret(row) };
}
