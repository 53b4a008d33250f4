import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { ConnectionRecord } from '../connection-store';
import { processClock, SqlConnections, toConnection } from '../sql/connections';
import type { ConnectionRow, Tables } from '../sql/tables';
import { withClearErrors } from './errors';

const OF_OWNER = `SELECT * FROM connections WHERE toolkit_id = ? AND owner = ? AND status <> 'removed' ORDER BY id`;

export class SqliteConnections extends SqlConnections {
  readonly #database: DatabaseSync;
  #ofOwner: StatementSync | undefined;

  constructor(database: DatabaseSync, db: Kysely<Tables>) {
    super(db, processClock);
    this.#database = database;
  }

  /** Each call with a kept connection reads its rows. A prepared statement takes a tenth of the time of a query that is built. */
  override async ofOwner(toolkitId: string, owner: string): Promise<ConnectionRecord[]> {
    this.#ofOwner ??= this.#database.prepare(OF_OWNER);
    const statement = this.#ofOwner;
    const rows = withClearErrors(() => statement.all(toolkitId, owner)) as unknown as ConnectionRow[];
    return rows.map((row) => toConnection({ ...row, read_at: Date.now() }));
  }
}
