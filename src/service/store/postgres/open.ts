/**
 * The store on PostgreSQL: any number of nodes on one database, when they share a bus.
 *
 * Durable: what resolved is committed. `full` leaves it to the server when a commit counts (`synchronous_commit`, on by default: on its disk);
 *          `normal` spares calls the wait for the disk: what resolved survives the death of a node, and the last of it may fall to a crash of
 *          the database or a loss of power.
 * Errors:  INVALID_REQUEST for a database that cannot be used, with the cure, and for one that other nodes use without a bus;
 *          SERVICE_UNAVAILABLE for one that cannot be reached now.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type * as Pg from 'pg';
import RateLimiterPostgres from 'rate-limiter-flexible/lib/RateLimiterPostgres.js';
import { SvcError } from '../../../protocol/errors';
import { newNodeId } from '../call-engine';
import { BufferedInvocations } from '../invocations';
import { type Versions, versionsFrom } from '../migrations';
import { type PeopleAlone, SqlAccounts, SqlAudit, SqlSettings } from '../sql/accounts';
import { SqlSightings } from '../sql/catalog';
import { SqlCounts } from '../sql/counts';
import { type EvidenceEngine, SqlEvidence } from '../sql/evidence';
import { SqlInvocations } from '../sql/invocations';
import { SqlSearchCounts } from '../sql/search-counts';
import type { Atomically, Tables } from '../sql/tables';
import { SqlVectors } from '../sql/vectors';
import type { Durability, Store, StoredData } from '../store';
import { CHANNEL, inTransaction, NotifiedChanges, PostgresCatalog, PostgresKeys } from './changes';
import { Connections, clientConfig, loadPg, type Place, postgresKysely, type Refusal, readDatabaseUrl, TIMEOUTS } from './connection';
import { LANES, PostgresEngine, WRITER_SETTINGS } from './engine';
import { asOpenFailure, asUnavailable } from './errors';
import { lockRefusal } from './lock';
import { migratePostgresDatabase, postgresVersion } from './migrate';
import { DatabaseSession, NodeLife } from './session';

const READERS = 5;
/** Two count calls, one writes details of calls. */
const LAZY_WRITERS = 3;
/** A commit does not wait for the disk: a count of calls, their details or, with `normal`, a call. */
const LAZY_COMMIT = 'synchronous_commit=off';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/name`, with the options of libpq. */
  url: string;
  /** Default `full`. */
  durability?: Durability | undefined;
  /** Whether other nodes may use the same data: those that share a bus with this one. Default false. */
  shared?: boolean | undefined;
  /** Hears of failures that no caller waits for. Unless given, they are unhandled rejections or exceptions, which end the process. */
  onError?: ((error: unknown) => void) | undefined;
}

/** For a node of the service. */
export async function openPostgresStore({
  url,
  durability = 'full',
  shared = false,
  onError = rethrow,
}: PostgresStoreOptions): Promise<Store> {
  const node = newNodeId();
  const tables = await openTables({ url, node, onError });
  const { pg, place, refusal, reads } = tables;
  const life = new NodeLife(node);
  const changes = new NotifiedChanges(node);
  try {
    const session = await DatabaseSession.open({
      connect: () => connect(pg, place, TIMEOUTS),
      async begin(client) {
        refusal.error = await lockRefusal(client, shared, place);
        if (refusal.error) throw refusal.error;
        client.on('notification', ({ payload }) => changes.notified(payload));
        await client.query(`LISTEN ${CHANNEL}`);
        await life.beat(client);
      },
      beat: (client) => life.beat(client),
      onReturn() {
        life.interrupted();
        changes.anything();
      },
      onError: (error) => onError(asUnavailable(error) ?? error),
    });
    const connections = { pg, place, refusal, onError };
    const lazily = durability === 'normal' ? [LAZY_COMMIT] : [];
    const writes = new Connections({ ...connections, max: LANES, settings: [...WRITER_SETTINGS, ...lazily] });
    const lazy = new Connections({ ...connections, max: LAZY_WRITERS, settings: [LAZY_COMMIT] });
    const queries = new SqlInvocations(tables.db, inTransaction(tables.db));
    const invocations = new BufferedInvocations({
      engine: new PostgresEngine({ node, life, reads, writes, lazy, onError }),
      queries,
      onError,
    });
    return {
      ...tables.data,
      node,
      invocations,
      counter: (limit) => counter(lazy, limit),
      onForeignChange: (listener) => changes.listen(listener),
      async close() {
        const closed = await Promise.allSettled([invocations.close()]);
        closed.push(
          ...(await Promise.allSettled([session.close((client) => life.end(client)), writes.close(), lazy.close(), reads.close()])),
        );
        for (const result of closed) if (result.status === 'rejected') throw asUnavailable(result.reason) ?? result.reason;
      },
    };
  } catch (error) {
    await reads.close();
    throw asOpenFailure(error, place);
  }
}

/**
 * Keys, catalogue and the like of data that a service may be running on.
 *
 * @param options.create false refuses a database without data, with NOT_FOUND, instead of making it
 */
export async function openPostgresData({ url, create }: { url: string; create: boolean }): Promise<StoredData> {
  const { data, reads } = await openTables({ url, create, node: newNodeId(), onError: rethrow });
  return { ...data, close: () => reads.close() };
}

/** @param options.check only tells */
export async function migratePostgres(url: string, { check }: { check: boolean }): Promise<Versions> {
  const place = readDatabaseUrl(url);
  const pg = await loadPg();
  return alone(pg, place, async (client) => {
    const versions = versionsFrom((await postgresVersion(client, place.shown)) ?? 0, place.shown);
    if (!check) await migratePostgresDatabase(client, place.shown);
    return versions;
  });
}

interface TablesOptions {
  url: string;
  node: string;
  create?: boolean;
  onError: (error: unknown) => void;
}

async function openTables({ url, node, create = true, onError }: TablesOptions) {
  const place = readDatabaseUrl(url);
  const pg = await loadPg();
  await alone(pg, place, async (client) => {
    if (!create && (await postgresVersion(client, place.shown)) === undefined) throw noData(place);
    await migratePostgresDatabase(client, place.shown);
  });
  const refusal: Refusal = { error: undefined };
  const reads = new Connections({ pg, place, max: READERS, refusal, onError });
  const db = postgresKysely(reads);
  const atomically = inTransaction(db);
  const rewriteEvidence = () => alone(pg, place, async (client) => void (await client.query('VACUUM FULL evidence')));
  const data = {
    keys: new PostgresKeys(db, node),
    catalog: new PostgresCatalog(db, node),
    evidence: new SqlEvidence(db, evidenceEngine(atomically, rewriteEvidence)),
    vectors: new SqlVectors(db, atomically),
    accounts: new SqlAccounts(db, peopleAlone(db)),
    audit: new SqlAudit(db),
    settings: new SqlSettings(db),
    counts: new SqlCounts(db, atomically),
    searches: new SqlSearchCounts(db, atomically),
    sightings: new SqlSightings(db, atomically),
  };
  return { pg, place, refusal, reads, db, data };
}

/** On a connection of its own without a limit of time. */
async function alone<T>(pg: typeof Pg, place: Place, work: (client: Pg.Client) => Promise<T>): Promise<T> {
  try {
    const client = await connect(pg, place);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw asOpenFailure(error, place);
  }
}

async function connect(pg: typeof Pg, place: Place, timeouts: Partial<typeof TIMEOUTS> = {}): Promise<Pg.Client> {
  const client = new pg.Client({ ...clientConfig(pg, place), ...timeouts });
  // The query that suffers from a lost connection tells.
  client.on('error', () => {});
  await client.connect();
  return client;
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
    // Until the end of its window nobody needs to be asked about a key that has used up its calls.
    inMemoryBlockOnConsumed: points,
  });
}

function noData({ shown }: Place): SvcError {
  return new SvcError('NOT_FOUND', `There is no data of a service in ${shown}: name the database that the service was started with`);
}

function rethrow(error: unknown): never {
  throw error;
}

/** Other writers hold a row for less. */
const SHORT_WAIT = { compile: () => CompiledQuery.raw("SET LOCAL lock_timeout = '100ms'") };

/** @param rewrite makes a new file of the table: what was removed from it leaves the disk with the old one */
function evidenceEngine(atomically: Atomically, rewrite: () => Promise<void>): EvidenceEngine {
  return {
    updatesErase: true,
    withoutWaiting: (queries) => atomically([SHORT_WAIT, ...queries]),
    async erasing(queries) {
      if (queries.length === 0) return;
      await atomically(queries);
      await rewrite();
    },
  };
}

/** Two owners who take each other's role away at the same time would both see an owner who is left. */
function peopleAlone(db: Kysely<Tables>): PeopleAlone {
  return (change) =>
    db.transaction().execute(async (transaction) => {
      await sql`LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
      return change(transaction);
    });
}
