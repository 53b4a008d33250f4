/** Leases and cursors of clients. */
import type { AgentDatabase } from './agent-database';

/** Renewed every `RENEW_MS`. After a crash another process acquires the client within half a minute. */
const LEASE_MS = 25_000;

export class ClientRows {
  readonly #database: AgentDatabase;
  readonly #agentId: string;

  constructor(database: AgentDatabase, agentId: string) {
    this.#database = database;
    this.#agentId = agentId;
  }

  /** @returns true if `owner` holds the client for the next `LEASE_MS` */
  lease(clientId: string, owner: string): boolean {
    const now = Date.now();
    const changed = this.#database.run(
      // A lease that ends later than a new lease would is invalid: the clock was set back since.
      `INSERT INTO svc_client (agent_id, client_id, owner, lease_until) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
      WHERE owner IS NULL OR owner = excluded.owner OR lease_until NOT BETWEEN ? AND excluded.lease_until`,
      this.#agentId,
      clientId,
      owner,
      now + LEASE_MS,
      now,
    );
    return changed > 0;
  }

  release(clientId: string, owner: string): void {
    this.#database.run(
      'UPDATE svc_client SET owner = NULL, lease_until = 0 WHERE agent_id = ? AND client_id = ? AND owner = ?',
      this.#agentId,
      clientId,
      owner,
    );
  }

  cursor(clientId: string): unknown {
    const [row] = this.#database.all<{ cursor: string | null }>(
      'SELECT cursor FROM svc_client WHERE agent_id = ? AND client_id = ?',
      this.#agentId,
      clientId,
    );
    return JSON.parse(row?.cursor ?? 'null');
  }
}
