/** The service's own ledger, read from its database after the nodes have ended. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { postgresUrl } from '../common/postgres.ts';

/** Amounts are millionths. */
export interface LedgerRow {
  invocation: string;
  key: string;
  /** Days since the epoch, UTC. */
  day: number;
  authorised: bigint;
  /** Null while held. */
  charged: bigint | null;
}

const ROWS =
  'SELECT invocation_id, agent_key_id, day, CAST(authorised AS TEXT) AS authorised, CAST(charged AS TEXT) AS charged FROM ledger';

interface Row {
  invocation_id: string;
  agent_key_id: string;
  day: number;
  authorised: string;
  charged: string | null;
}

export async function readPostgresLedger(port: number): Promise<LedgerRow[]> {
  const client = new pg.Client({ connectionString: postgresUrl(port) });
  await client.connect();
  try {
    return (await client.query<Row>(ROWS)).rows.map(toLedgerRow);
  } finally {
    await client.end();
  }
}

export function readSqliteLedger(folder: string): LedgerRow[] {
  const database = new DatabaseSync(join(folder, 'svc.sqlite'), { readOnly: true });
  try {
    return (database.prepare(ROWS).all() as unknown as Row[]).map(toLedgerRow);
  } finally {
    database.close();
  }
}

function toLedgerRow({ invocation_id, agent_key_id, day, authorised, charged }: Row): LedgerRow {
  return {
    invocation: invocation_id,
    key: agent_key_id,
    day,
    authorised: BigInt(authorised),
    charged: charged === null ? null : BigInt(charged),
  };
}
