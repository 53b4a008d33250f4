/** Reads single records. On a file a transaction stays open from read to read, which spares each of them its locks: most of what a read costs. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { toInvocation } from '../sql/invocations';
import type { InvocationRow } from '../sql/tables';
import type { InvocationRecord } from '../store';
import { KEYS_PER_PAGE, type KeyPair } from './saved-keys';

const BY_KEY = 'SELECT * FROM invocations WHERE agent_key_id = ? AND idempotency_key = ?';

/** From the index alone. */
const KEYS_AFTER = `
  SELECT agent_key_id, idempotency_key FROM invocations
  WHERE idempotency_key IS NOT NULL AND (agent_key_id, idempotency_key) > (?, ?)
  ORDER BY agent_key_id, idempotency_key LIMIT ${KEYS_PER_PAGE}`;

const BY_ID = 'SELECT * FROM invocations WHERE id = ?';

export class RecordReader {
  readonly #database: DatabaseSync;
  readonly #byKey: StatementSync;
  readonly #byId: StatementSync;
  readonly #holdsSnapshot: boolean;
  #inTransaction = false;

  /** @param options.holdsSnapshot true for a connection of its own: it sees what was committed before its first read since `renew` */
  constructor(database: DatabaseSync, { holdsSnapshot }: { holdsSnapshot: boolean }) {
    this.#database = database;
    this.#byKey = database.prepare(BY_KEY);
    this.#byId = database.prepare(BY_ID);
    this.#holdsSnapshot = holdsSnapshot;
  }

  byKey(agentKeyId: string, idempotencyKey: string): InvocationRecord | undefined {
    this.#begin();
    const row = this.#byKey.get(agentKeyId, idempotencyKey) as InvocationRow | undefined;
    return row && toInvocation(row);
  }

  byId(id: string): InvocationRecord | undefined {
    this.#begin();
    const row = this.#byId.get(id) as InvocationRow | undefined;
    return row && toInvocation(row);
  }

  /** The next page of all idempotency keys, as of now. */
  keysAfter(last: KeyPair): KeyPair[] {
    const rows = this.#database.prepare(KEYS_AFTER).all(...last) as Pick<InvocationRow, 'agent_key_id' | 'idempotency_key'>[];
    return rows.map(({ agent_key_id, idempotency_key }) => [agent_key_id, idempotency_key ?? '']);
  }

  /** The next read sees what is committed by then. Between reads nothing keeps the log of changes from being emptied. */
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
