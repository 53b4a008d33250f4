/** Reads single calls. On a file, a transaction stays open between reads, since taking locks is most of the cost of a read. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { SELECT_PAID_CALLS, toInvocation } from '../sql/invocations';
import type { PaidInvocationRow } from '../sql/tables';
import type { InvocationRecord } from '../store';

const BY_KEY = 'WHERE invocations.agent_key_id = ? AND invocations.idempotency_key = ?';
const BY_ID = 'WHERE invocations.id = ?';

export class CallReader {
  readonly #database: DatabaseSync;
  readonly #byKey: StatementSync;
  readonly #byId: StatementSync;
  readonly #holdsSnapshot: boolean;
  #inTransaction = false;

  /** @param options.holdsSnapshot true for a dedicated connection: it sees the commits before its first read after `renew` */
  constructor(database: DatabaseSync, { holdsSnapshot }: { holdsSnapshot: boolean }) {
    this.#database = database;
    const select = hasLedger(database) ? SELECT_PAID_CALLS : 'SELECT * FROM invocations';
    this.#byKey = database.prepare(`${select} ${BY_KEY}`);
    this.#byId = database.prepare(`${select} ${BY_ID}`);
    this.#holdsSnapshot = holdsSnapshot;
  }

  byKey(agentKeyId: string, idempotencyKey: string): InvocationRecord | undefined {
    this.#begin();
    const row = this.#byKey.get(agentKeyId, idempotencyKey) as PaidInvocationRow | undefined;
    return row && toInvocation(row);
  }

  byId(id: string): InvocationRecord | undefined {
    this.#begin();
    const row = this.#byId.get(id) as PaidInvocationRow | undefined;
    return row && toInvocation(row);
  }

  /** Ends the transaction, so that the next read sees later commits, and a checkpoint can reset the WAL. */
  renew(): void {
    if (!this.#inTransaction) return;
    this.#database.exec('COMMIT');
    this.#inTransaction = false;
  }

  close(): void {
    this.renew();
    if (this.#holdsSnapshot) this.#database.close();
  }

  #begin(): void {
    if (!this.#holdsSnapshot || this.#inTransaction) return;
    this.#database.exec('BEGIN');
    this.#inTransaction = true;
  }
}

/** A backup reads data of any version. */
function hasLedger(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ledger'").get() !== undefined;
}
