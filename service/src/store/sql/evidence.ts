import { randomBytes } from 'node:crypto';
import type { Compilable, Kysely } from 'kysely';
import type { EvidenceId, EvidenceRecord, EvidenceStore } from '../store';
import { inPieces } from './statements';
import type { Atomically, EvidenceRow, Tables } from './tables';

const SECRET_BYTES = 32;
/** Id of the only row of the table. */
const ONLY = 1;

export interface EvidenceEngine {
  /** Runs background writes. Rejects at once, instead of waiting, while another process writes. */
  withoutWaiting: Atomically;
  /** Runs the queries. Afterwards nothing that was removed, also by earlier queries, is left on the disk. */
  erasing: Atomically;
  /** Queries after which `erasing` leaves no text on the disk. */
  removeTexts(): Promise<Compilable[]>;
}

export class SqlEvidence implements EvidenceStore {
  readonly #db: Kysely<Tables>;
  readonly #engine: EvidenceEngine;

  constructor(db: Kysely<Tables>, engine: EvidenceEngine) {
    this.#db = db;
    this.#engine = engine;
  }

  async secret(): Promise<string> {
    const known = await this.#secret();
    if (known !== undefined) return known;
    await this.#db
      .insertInto('evidence_secret')
      .values({ id: ONLY, secret: randomBytes(SECRET_BYTES).toString('hex') })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    // Another process may have stored its secret first.
    return this.secret();
  }

  async save(records: readonly EvidenceRecord[]): Promise<void> {
    await this.#engine.withoutWaiting(inPieces(records).map((piece) => upsertEvidence(this.#db, piece.map(toRow))));
  }

  async remove(ids: readonly EvidenceId[]): Promise<void> {
    await this.#engine.withoutWaiting(ids.map((id) => this.#delete(id)));
  }

  async changedSince(since: number): Promise<EvidenceRecord[]> {
    const rows = await this.#db.selectFrom('evidence').selectAll().where('changed_at', '>=', since).orderBy('changed_at').execute();
    return rows.map(toRecord);
  }

  async prune(before: number): Promise<void> {
    await this.#db.deleteFrom('evidence').where('changed_at', '<', before).execute();
  }

  async removeKey(agentKeyId: string): Promise<void> {
    await this.#db.deleteFrom('evidence').where('agent_key_id', '=', agentKeyId).execute();
  }

  async forgetTexts(): Promise<void> {
    const some = await this.#db.selectFrom('evidence').select('query').where('text', 'is not', null).limit(1).executeTakeFirst();
    await this.#engine.erasing(some ? await this.#engine.removeTexts() : []);
  }

  async clear(): Promise<void> {
    await this.#engine.erasing([this.#db.deleteFrom('evidence_secret'), this.#db.deleteFrom('evidence')]);
  }

  async #secret(): Promise<string | undefined> {
    return (await this.#db.selectFrom('evidence_secret').select('secret').where('id', '=', ONLY).executeTakeFirst())?.secret;
  }

  #delete({ action, query, agentKeyId }: EvidenceId) {
    return this.#db.deleteFrom('evidence').where('action', '=', action).where('query', '=', query).where('agent_key_id', '=', agentKeyId);
  }
}

/** Adds rows, or replaces those that are not newer. */
export function upsertEvidence(db: Kysely<Tables>, rows: readonly EvidenceRow[]) {
  return db
    .insertInto('evidence')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['action', 'query', 'agent_key_id'])
        .doUpdateSet(({ ref }) => ({
          text: ref('excluded.text'),
          successes: ref('excluded.successes'),
          failures: ref('excluded.failures'),
          succeeded_at: ref('excluded.succeeded_at'),
          changed_at: ref('excluded.changed_at'),
        }))
        .whereRef('evidence.changed_at', '<=', 'excluded.changed_at'),
    );
}

function toRow(record: EvidenceRecord): EvidenceRow {
  return {
    action: record.action,
    query: record.query,
    agent_key_id: record.agentKeyId,
    terms: JSON.stringify(record.terms),
    text: record.text,
    successes: record.successes,
    failures: record.failures,
    succeeded_at: record.succeededAt,
    changed_at: record.changedAt,
  };
}

function toRecord(row: EvidenceRow): EvidenceRecord {
  return {
    action: row.action,
    query: row.query,
    agentKeyId: row.agent_key_id,
    terms: JSON.parse(row.terms),
    text: row.text,
    successes: row.successes,
    failures: row.failures,
    succeededAt: row.succeeded_at,
    changedAt: row.changed_at,
  };
}
