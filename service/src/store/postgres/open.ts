/**
 * The store on PostgreSQL: any number of nodes on one database, when they share a bus.
 *
 * Durable: resolved writes are committed. With `full` the server's `synchronous_commit` applies (default: the commit is on its disk).
 *          `normal` does not wait for the disk: writes survive a crash of a node, but a crash of the database or a power loss may undo the last
 *          ones.
 * Errors:  INVALID_REQUEST for an unusable database, with the remedy, and for a database that other nodes use without a bus;
 *          SERVICE_UNAVAILABLE for an unreachable database.
 */
import { type Kysely, type SqlBool, sql } from 'kysely';
import type * as Pg from 'pg';
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js';
import { SvcError } from '#sdk/protocol/errors';
import { CallBuffer } from '../call-buffer';
import { newNodeId } from '../call-engine';
import { BufferedInvocations } from '../invocations';
import { type Versions, versionsFrom } from '../migrations';
import { SqlAccounts, SqlAudit, SqlSettings, type WithPeopleLocked } from '../sql/accounts';
import { SqlAlerts } from '../sql/alerts';
import { SqlCallApprovals } from '../sql/approvals';
import { SqlCallerNumbers } from '../sql/callers';
import { SqlSightings } from '../sql/catalog';
import { SqlConnect } from '../sql/connect';
import { postgresClock, SqlConnections } from '../sql/connections';
import { SqlCounts } from '../sql/counts';
import { SqlDetached } from '../sql/detached';
import { SqlEvidence } from '../sql/evidence';
import { SqlInvocations } from '../sql/invocations';
import { SqlLedger } from '../sql/ledger';
import { SqlListings } from '../sql/listings';
import { SqlMisfits } from '../sql/misfits';
import { SqlOAuth } from '../sql/oauth';
import { SqlRuns } from '../sql/runs';
import { SqlSavedViews } from '../sql/saved-views';
import { SqlSearchCounts } from '../sql/search-counts';
import { SqlSessionRequests } from '../sql/session-requests';
import { SqlSessionSums } from '../sql/session-sums';
import { SqlSystem } from '../sql/system';
import type { Tables } from '../sql/tables';
import { SqlToolkitProfiles } from '../sql/toolkit-profiles';
import { SqlVectors } from '../sql/vectors';
import type { Durability, Store, StoredData } from '../store';
import { inTransaction, NotifiedChanges, PostgresCatalog, PostgresKeys } from './changes';
import { PostgresClaims } from './claims';
import { withClient } from './client';
import { Connections, type ConnectionsOptions, loadPg, postgresKysely, type Refusal } from './connection';
import { type DatabaseAddress, readDatabaseUrl } from './database-address';
import { LANES, PostgresEngine, WRITER_SETTINGS } from './engine';
import { asOpenFailure, asUnavailable } from './errors';
import { postgresEvidenceEngine } from './evidence-engine';
import { migratePostgresDatabase, postgresVersion } from './migrate';
import { openSession } from './open-session';
import { IS_ALIVE, NodeLife } from './session';
import { withSettlementLock } from './settlement-lock';

const READERS = 5;
/** Two connections count calls, one writes details of calls. */
const LAZY_WRITERS = 3;
/** Commits do not wait for the disk: counts of calls, details and, with `normal`, calls. */
const LAZY_COMMIT = 'synchronous_commit=off';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/name`, with the options of libpq. */
  url: string;
  /** Default: `full`. */
  durability?: Durability | undefined;
  /** Whether other nodes, which share a bus with this one, may use the same data. Default: false. */
  shared?: boolean | undefined;
  /** Receives failures that no caller waits for. Default: they become unhandled rejections or exceptions, which end the process. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Opens the store for a node of the service. */
export async function openPostgresStore({
  url,
  durability = 'full',
  shared = false,
  onError = rethrow,
}: PostgresStoreOptions): Promise<Store> {
  const node = newNodeId();
  const tables = await openTables({ url, node, onError });
  const life = new NodeLife(node);
  const changes = new NotifiedChanges(node);
  try {
    const session = await openSession({ ...tables, shared, life, changes, onError });
    const writers = openWriters({ ...tables, durability, onError });
    const invocations = openInvocations(new PostgresEngine({ ...tables, ...writers, node, life, onError }), tables.db, onError);
    return {
      ...tables.data,
      node,
      invocations,
      ledger: new SqlLedger(tables.db, () => invocations.saved()),
      detached: new SqlDetached(tables.db, inTransaction(tables.db), { node, now: postgresClock, isAbandoned: () => isAbandoned(life) }),
      runs: new SqlRuns(tables.db, inTransaction(tables.db), { node, now: postgresClock, isAbandoned: () => isAbandoned(life) }),
      counter: (limit) => counter(writers.lazy, limit),
      settling: (work) => withSettlementLock(writers.settling, () => invocations.saved(), work),
      onForeignChange: (listener) => changes.listen(listener),
      async close() {
        // The last calls are saved while the connections are open.
        const closed = await Promise.allSettled([invocations.close()]);
        const connections = [tables.reads, ...Object.values(writers)].map((each) => each.close());
        closed.push(...(await Promise.allSettled([session.close((client) => life.end(client)), ...connections])));
        for (const result of closed) if (result.status === 'rejected') throw asUnavailable(result.reason) ?? result.reason;
      },
    };
  } catch (error) {
    await tables.reads.close();
    throw asOpenFailure(error, tables.address);
  }
}

/**
 * Opens all of the data but the calls. A service may be running on them.
 *
 * @param options.create false: reject with NOT_FOUND when there are no data, instead of creating them
 */
export async function openPostgresData({ url, create }: { url: string; create: boolean }): Promise<StoredData> {
  const { data, reads } = await openTables({ url, create, node: newNodeId(), onError: rethrow });
  return { ...data, close: () => reads.close() };
}

/** @param options.check only report the versions */
export async function migratePostgres(url: string, { check }: { check: boolean }): Promise<Versions> {
  const address = readDatabaseUrl(url);
  const pg = await loadPg();
  return withClient(pg, address, async (client) => {
    const versions = versionsFrom((await postgresVersion(client, address.shown)) ?? 0, address.shown);
    if (!check) await migratePostgresDatabase(client, address.shown);
    return versions;
  });
}

interface WriterOptions extends Pick<ConnectionsOptions, 'pg' | 'address' | 'refusal' | 'onError'> {
  durability: Durability;
}

/** Connections whose writes need settings of their own, or wait long. */
function openWriters({ pg, address, refusal, onError, durability }: WriterOptions) {
  const connections = { pg, address, refusal, onError };
  const lazily = durability === 'normal' ? [LAZY_COMMIT] : [];
  return {
    writes: new Connections({ ...connections, max: LANES, settings: [...WRITER_SETTINGS, ...lazily] }),
    lazy: new Connections({ ...connections, max: LAZY_WRITERS, settings: [LAZY_COMMIT] }),
    settling: new Connections({ ...connections, max: 1 }),
  };
}

function openInvocations(engine: PostgresEngine, db: Kysely<Tables>, onError: (error: unknown) => void): BufferedInvocations {
  const buffer = new CallBuffer({ engine, onError });
  const queries = new SqlInvocations(db, inTransaction(db));
  return new BufferedInvocations({ engine, buffer, claims: new PostgresClaims({ engine, buffer }), queries });
}

interface TablesOptions {
  url: string;
  node: string;
  create?: boolean;
  onError: (error: unknown) => void;
}

async function openTables({ url, node, create = true, onError }: TablesOptions) {
  const address = readDatabaseUrl(url);
  const pg = await loadPg();
  await withClient(pg, address, async (client) => {
    if (!create && (await postgresVersion(client, address.shown)) === undefined) throw noData(address);
    await migratePostgresDatabase(client, address.shown);
  });
  const refusal: Refusal = { error: undefined };
  const reads = new Connections({ pg, address, max: READERS, refusal, onError });
  const db = postgresKysely(reads);
  const atomically = inTransaction(db);
  const rewriteEvidence = () => withClient(pg, address, async (client) => void (await client.query('VACUUM FULL evidence')));
  const data = {
    keys: new PostgresKeys(db, node),
    catalog: new PostgresCatalog(db, node),
    evidence: new SqlEvidence(db, postgresEvidenceEngine(db, atomically, rewriteEvidence)),
    vectors: new SqlVectors(db, atomically),
    accounts: new SqlAccounts(db, withPeopleLocked(db)),
    audit: new SqlAudit(db),
    savedViews: new SqlSavedViews(db),
    settings: new SqlSettings(db),
    oauth: new SqlOAuth(db),
    connections: new SqlConnections(db, postgresClock),
    connect: new SqlConnect(db, postgresClock),
    approvals: new SqlCallApprovals(db, postgresClock),
    alerts: new SqlAlerts(db, atomically, postgresClock),
    system: new SqlSystem(db, { kind: 'postgres', now: postgresClock, bytes: () => databaseBytes(db) }),
    counts: new SqlCounts(db, atomically),
    searches: new SqlSearchCounts(db, atomically),
    sightings: new SqlSightings(db, atomically),
    misfits: new SqlMisfits(db, atomically),
    toolkitProfiles: new SqlToolkitProfiles(db),
    callers: new SqlCallerNumbers(db),
    listings: new SqlListings(db, atomically),
    sessionRequests: new SqlSessionRequests(db, atomically),
    sessionSums: new SqlSessionSums(db, atomically),
  };
  return { pg, address, refusal, reads, db, data };
}

function counter(connections: Connections, { points, seconds }: { points: number; seconds: number }): RateLimiterPostgres {
  const storeClient = { query: (query: Pg.QueryConfig) => connections.use((client) => client.query(query)) };
  return new RateLimiterPostgres({
    storeClient,
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: '',
    points,
    duration: seconds,
    // A key that has used up its calls is rejected without a query until its window ends.
    inMemoryBlockOnConsumed: points,
  });
}

async function databaseBytes(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]?.bytes);
}

function noData({ shown }: DatabaseAddress): SvcError {
  return new SvcError('NOT_FOUND', `There is no data of a service in ${shown}: name the database that the service was started with`);
}

function rethrow(error: unknown): never {
  throw error;
}

/** The same nodes count as ended as for calls. */
function isAbandoned({ mayDeclareDead }: NodeLife) {
  const isOfNone = sql<SqlBool>`node IS NULL`;
  return mayDeclareDead ? sql<SqlBool>`(${isOfNone} OR node NOT IN (SELECT id FROM nodes WHERE ${sql.raw(IS_ALIVE)}))` : isOfNone;
}

/** The lock prevents two owners from demoting each other: both would see a remaining owner. */
function withPeopleLocked(db: Kysely<Tables>): WithPeopleLocked {
  return (change) =>
    db.transaction().execute(async (transaction) => {
      await sql`LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
      return change(transaction);
    });
}
