/**
 * A pool of PostgreSQL connections for one purpose, opened on demand.
 *
 * Errors: a transient fault rejects with SERVICE_UNAVAILABLE. A server that does not answer is one after a few seconds.
 */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type * as Pg from 'pg';
import type { PoolClient, PoolConfig, QueryConfig, QueryResultRow } from 'pg';
import type { SvcError } from '#sdk/protocol/errors';
import { packageError } from '#sdk/protocol/package-error';
import type { Tables } from '../sql/tables';
import type { DatabaseAddress } from './database-address';
import { asUnanswered, asUnavailable, isConflict } from './errors';
import { QUERY_MS, STATEMENT_MS } from './times';

const CONNECT_MS = 2_000;
/** Idle time before the first keep-alive probe; ten more follow, one a second. */
const KEEP_ALIVE_MS = 5_000;

/** Keep-alives of the server: it detects a dead machine as fast and releases its locks, such as the lock of the only node. */
const SERVER_KEEP_ALIVE = ['tcp_keepalives_idle=5', 'tcp_keepalives_interval=2', 'tcp_keepalives_count=3'];

/** Type id of BIGINT, which is read as a number: all times and counts are below 2^53. */
const INT8 = 20;

/** Loads the driver, an optional peer dependency: most services run on SQLite. */
export async function loadPg(): Promise<typeof Pg> {
  try {
    return await import('pg');
  } catch (error) {
    throw packageError('PostgreSQL', 'pg', error);
  }
}

/** While `error` is set, all connections of the node reject with it. */
export interface Refusal {
  error: SvcError | undefined;
}

export interface ConnectionsOptions {
  pg: typeof Pg;
  address: DatabaseAddress;
  /** Maximum number of connections. */
  max: number;
  refusal: Refusal;
  onError: (error: unknown) => void;
  /** Session settings: `name=value`. */
  settings?: readonly string[];
}

/** @param settings session settings: `name=value` */
export function clientConfig(pg: typeof Pg, address: DatabaseAddress, settings: readonly string[] = []): PoolConfig {
  const asked = new URL(address.url).searchParams.get('options') ?? '';
  const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
  return {
    connectionString: withoutOptions(address.url),
    fallback_application_name: 'svc-sdk',
    options: [...[...SERVER_KEEP_ALIVE, ...settings].map((setting) => `-c ${setting}`), asked].join(' ').trim(),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser },
  };
}

export const TIMEOUTS = { statement_timeout: STATEMENT_MS, query_timeout: QUERY_MS };

export class Connections {
  readonly #pool: Pg.Pool;
  readonly #refusal: Refusal;

  constructor({ pg, address, max, refusal, onError, settings }: ConnectionsOptions) {
    this.#pool = new pg.Pool({ ...clientConfig(pg, address, settings), ...TIMEOUTS, max, idleTimeoutMillis: 60_000 });
    this.#refusal = refusal;
    // An idle connection was lost; the next use opens another one.
    this.#pool.on('error', (error) => {
      // The pool attaches the client to the error. Hide it, so that a logger does not print the password in it.
      Object.defineProperty(error, 'client', { enumerable: false });
      onError(asUnavailable(error) ?? error);
    });
  }

  async rows<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    return this.use(async (client) => (await client.query<Row>(query)).rows);
  }

  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const { client, release } = await this.borrow();
    try {
      const result = await work(client);
      release();
      return result;
    } catch (error) {
      throw release(error);
    }
  }

  /** `release` takes the error of the work, if any, and returns the error to throw. */
  async borrow(): Promise<{ client: PoolClient; release: (error?: unknown) => unknown }> {
    if (this.#refusal.error) throw this.#refusal.error;
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asUnavailable(error) ?? error;
    });
    // A query on a lost connection rejects, so this event needs no handling.
    const ignore = () => {};
    client.on('error', ignore);
    const release = (error?: unknown) => {
      client.removeListener('error', ignore);
      const unavailable = asUnanswered(error);
      client.release(unavailable !== undefined);
      return unavailable ?? error;
    };
    return { client, release };
  }

  /** Runs `work` in a transaction. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.use((client) => transactionOn(client, () => work(client)));
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Runs `work` in a transaction of this connection. */
export async function transactionOn<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A lost connection would not answer for `QUERY_MS`. Closing it rolls back too.
    if (isConflict(error) || !asUnavailable(error)) await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Removes the `options` of the URL, which would replace those of the service. `clientConfig` appends them instead. */
function withoutOptions(text: string): string {
  const url = new URL(text);
  if (!url.searchParams.has('options')) return text;
  url.searchParams.delete('options');
  return url.href;
}

/** Kysely on `Connections`: the same errors, and a lost connection is not used again. */
export function postgresKysely(connections: Connections): Kysely<Tables> {
  // Kysely reads `options` only to cancel queries, which is not used here. `Connections` closes the pool.
  const pool = { options: {}, connect: () => connect(connections), end: async () => {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function connect(connections: Connections): Promise<PostgresPoolClient> {
  const { client, release } = await connections.borrow();
  let failure: unknown;
  const query = async (text: string, values: readonly unknown[] = []) => {
    // Such as ROLLBACK: a lost connection would not answer for `QUERY_MS`.
    if (failure) throw failure;
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      failure = asUnanswered(error);
      throw failure ?? error;
    }
  };
  return {
    // The type also accepts cursors, which Kysely needs for streams only.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => void release(failure),
  };
}
