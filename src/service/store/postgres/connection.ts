/**
 * Connections to PostgreSQL for one purpose, made when they are needed.
 *
 * Errors: a fault that passes rejects with SERVICE_UNAVAILABLE, within seconds: nothing waits for ever on a server that does not answer.
 */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type * as Pg from 'pg';
import type { PoolClient, PoolConfig, QueryConfig, QueryResultRow } from 'pg';
import { SvcError } from '../../../protocol/errors';
import { packageError } from '../../../protocol/package-error';
import type { Tables } from '../sql/tables';
import { asUnavailable } from './errors';

const CONNECT_MS = 2_000;
/** Longer than any statement takes, unless the server is stuck. */
const STATEMENT_MS = 8_000;
/** The server stops first, so that a connection is given up only when nothing at all comes back. */
const ANSWER_MS = 10_000;
/** Until the first sign of life is asked for on a silent connection; ten more follow, a second apart. */
const KEEP_ALIVE_MS = 5_000;

/** The server notices the death of a node's machine as soon: what it held, such as the lock of the only node, gets free. */
const SERVER_KEEP_ALIVE = ['tcp_keepalives_idle=5', 'tcp_keepalives_interval=2', 'tcp_keepalives_count=3'];

/** SQL's BIGINT, as a number: times and counts, all below 2^53. */
const INT8 = 20;

/** Where the database is. The URL holds a password: nothing but `shown` may be printed. */
export interface Place {
  url: string;
  /** `host:port/name`, for people. */
  shown: string;
  user: string;
  /** Of the database. */
  name: string;
}

/** @throws SvcError INVALID_REQUEST, without the URL */
export function readDatabaseUrl(text: string): Place {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hash !== '')
    throw new SvcError(
      'INVALID_REQUEST',
      'A database is named by a URL such as postgres://host:5432/name, with user:password@ before the host; what is special in a URL is percent-encoded in it, such as %23 for # in a password',
    );
  const name = decodeURI(url.pathname.slice(1));
  const user = decodeURIComponent(url.username) || (url.searchParams.get('user') ?? '');
  const host = url.searchParams.get('host') ?? url.host;
  return { url: text, shown: `${host}/${name}`, user, name };
}

/** The driver is an optional peer of the package: most services run on SQLite. */
export async function loadPg(): Promise<typeof Pg> {
  try {
    return await import('pg');
  } catch (error) {
    throw packageError('PostgreSQL', 'pg', error);
  }
}

/** All connections of a node say no with it while it is set. */
export interface Refusal {
  error: SvcError | undefined;
}

export interface ConnectionsOptions {
  pg: typeof Pg;
  place: Place;
  /** How many at once. */
  max: number;
  refusal: Refusal;
  onError: (error: unknown) => void;
  /** Settings of the session: `name=value`. */
  settings?: readonly string[];
}

/** @param settings of the session: `name=value` */
export function clientConfig(pg: typeof Pg, place: Place, settings: readonly string[] = []): PoolConfig {
  const asked = new URL(place.url).searchParams.get('options') ?? '';
  const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: string) =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
  return {
    connectionString: withoutOptions(place.url),
    fallback_application_name: 'svc-sdk',
    options: [...[...SERVER_KEEP_ALIVE, ...settings].map((setting) => `-c ${setting}`), asked].join(' ').trim(),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser },
  };
}

export const TIMEOUTS = { statement_timeout: STATEMENT_MS, query_timeout: ANSWER_MS };

export class Connections {
  readonly #pool: Pg.Pool;
  readonly #refusal: Refusal;

  constructor({ pg, place, max, refusal, onError, settings }: ConnectionsOptions) {
    this.#pool = new pg.Pool({ ...clientConfig(pg, place, settings), ...TIMEOUTS, max, idleTimeoutMillis: 60_000 });
    this.#refusal = refusal;
    // An idle connection that is lost: the next use makes another one.
    this.#pool.on('error', (error) => {
      // The pool hangs the client on it, which a logger would print with all that it holds.
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

  /** `release` takes what went wrong, and gives the error to throw. */
  async borrow(): Promise<{ client: PoolClient; release: (error?: unknown) => unknown }> {
    if (this.#refusal.error) throw this.#refusal.error;
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asUnavailable(error) ?? error;
    });
    // The query that suffers from a lost connection tells.
    const ignore = () => {};
    client.on('error', ignore);
    const release = (error?: unknown) => {
      client.removeListener('error', ignore);
      const unavailable = asUnavailable(error);
      client.release(unavailable !== undefined);
      return unavailable ?? error;
    };
    return { client, release };
  }

  /** All or nothing. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.use(async (client) => {
      await client.query('BEGIN');
      try {
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A connection that is lost has rolled back by itself, and is given up for the first error.
        await client.query('ROLLBACK').catch(() => {});
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** What a URL says of options would replace ours: it is put behind them. */
function withoutOptions(text: string): string {
  const url = new URL(text);
  if (!url.searchParams.has('options')) return text;
  url.searchParams.delete('options');
  return url.href;
}

/** Kysely on connections of ours: what goes wrong is told in their words, and a connection that is lost is not used again. */
export function postgresKysely(connections: Connections): Kysely<Tables> {
  // Kysely only looks into the options to cancel queries, which nobody does here. `Connections` closes itself.
  const pool = { options: {}, connect: () => connect(connections), end: async () => {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function connect(connections: Connections): Promise<PostgresPoolClient> {
  const { client, release } = await connections.borrow();
  let failure: unknown;
  const query = async (text: string, values: readonly unknown[] = []) => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      failure ??= asUnavailable(error);
      throw failure ?? error;
    }
  };
  return {
    // Its type takes cursors too, which Kysely asks for in streams, and nobody uses here.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => void release(failure),
  };
}
