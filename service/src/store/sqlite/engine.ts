/**
 * Calls in one SQLite file, which only this process writes. Commits go into the journal; a worker thread writes them into the tables in batches. A
 * transaction for each event-loop turn would cost more than the rest of a call.
 */
import type { DatabaseSync } from 'node:sqlite';
import { utcDay } from '../../lib/utc-day';
import type { CallEngine, CallWrite } from '../call-engine';
import type { InvocationDetails } from '../console-store';
import { scopeOf } from '../idempotency-scope';
import { toolkitOf } from '../sql/statements';
import type { InvocationRecord } from '../store';
import type { CallReader } from './call-reader';
import { directWriter, type Statement, type StatementWriter, textRows } from './connection';
import { passingFault } from './errors';
import { encodeWrite } from './journal/entries';
import type { Journal } from './journal/journal';
import type { SavedKeys } from './saved-keys';

const COLUMNS = [
  ...['id', 'agent_key_id', 'idempotency_key', 'request_hash', 'action', 'started_at', 'code', 'body', 'ended_at'],
  // Those of later migrations, in their order.
  ...['toolkit', 'made_by', 'toolkit_code', 'took', 'origin'],
];
/** Those that change after the start of a call. */
const OF_OUTCOME: ReadonlySet<string> = new Set(['idempotency_key', 'code', 'body', 'ended_at', 'toolkit_code', 'took']);
const SAVE = saveInto(COLUMNS);

const SAVE_DETAILS = `
  INSERT INTO invocation_details (id, timeline, payload, result) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET timeline = excluded.timeline, payload = excluded.payload, result = excluded.result`;

const SAVE_LEDGER = `
  INSERT INTO ledger (invocation_id, agent_key_id, toolkit, action, currency, day, authorised, held_at, charged, booked_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (invocation_id) DO UPDATE SET charged = excluded.charged, booked_at = excluded.booked_at WHERE ledger.charged IS NULL`;

export interface SqliteEngineDeps {
  node: string;
  reader: CallReader;
  writer: StatementWriter;
  /** Undefined for in-memory data. */
  journal: Journal | undefined;
  /** Default: every key is looked up in the database. */
  savedKeys: SavedKeys | undefined;
  /** Calls that were unfinished when the data were opened. They belong to an earlier process, since the data have one node at a time. */
  abandoned: readonly InvocationRecord[];
}

export class SqliteEngine implements CallEngine {
  readonly lanes = 1;
  readonly #deps: SqliteEngineDeps;
  #abandoned: readonly string[];

  constructor(deps: SqliteEngineDeps) {
    this.#deps = deps;
    this.#abandoned = deps.abandoned.map(({ id }) => id);
  }

  get node(): string {
    return this.#deps.node;
  }

  get journal(): Journal | undefined {
    return this.#deps.journal;
  }

  byKey(agentKeyId: string, idempotencyKey: string, scope: string): InvocationRecord | undefined {
    const { savedKeys, reader } = this.#deps;
    return savedKeys?.mayHold(scope) === false ? undefined : this.#own(reader.byKey(agentKeyId, idempotencyKey));
  }

  byId(id: string): InvocationRecord | undefined {
    return this.#own(this.#deps.reader.byId(id));
  }

  commit(group: readonly CallWrite[]): void | Promise<void> {
    const synced = this.#deps.journal?.append(group.map(encodeWrite).join(''));
    if (synced) return synced.then(() => answer(group));
    answer(group);
  }

  async save(records: readonly InvocationRecord[], details: readonly InvocationDetails[]): Promise<void> {
    await saveCalls(this.#deps, records, details);
  }

  async take(ids: readonly string[]): Promise<InvocationRecord[]> {
    return ids.map((id) => this.byId(id)).filter((record) => record?.outcome === null) as InvocationRecord[];
  }

  async takeAbandoned(): Promise<InvocationRecord[]> {
    const taken = await this.take(this.#abandoned);
    this.#abandoned = [];
    return taken;
  }

  async open(): Promise<InvocationRecord[]> {
    return [];
  }

  asUnavailable = passingFault;

  probe(): void {
    this.#deps.journal?.probe();
  }

  rowsChanged(): void {
    this.#deps.reader.renew();
  }

  async close(): Promise<void> {
    this.#deps.savedKeys?.close();
    await this.#deps.writer.close();
    this.#deps.reader.close();
    this.#deps.journal?.close();
  }

  /** The tables do not store the owner, since the data have one node. */
  #own(record: InvocationRecord | undefined): InvocationRecord | undefined {
    return record && { ...record, node: this.node };
  }
}

/** Saves calls and details in one transaction. */
async function saveCalls(
  { writer, reader, savedKeys }: Pick<SqliteEngineDeps, 'writer' | 'reader' | 'savedKeys'>,
  records: readonly InvocationRecord[],
  details: readonly InvocationDetails[],
): Promise<void> {
  if (savedKeys)
    for (const record of records) {
      const scope = scopeOf(record);
      if (scope !== undefined) savedKeys.add(scope);
    }
  await writer.write([
    { sql: SAVE, rows: textRows(records.map(toValues)) },
    ...savePaid(records),
    { sql: SAVE_DETAILS, rows: textRows(details.map(({ id, timeline, payload, result }) => [id, timeline, payload, result])) },
  ]);
  reader.renew();
  savedKeys?.renewIfFull();
}

/** Saves calls into data of any version. */
export async function saveFormerCalls(database: DatabaseSync, records: readonly InvocationRecord[]): Promise<void> {
  const present = database.prepare("SELECT name FROM pragma_table_info('invocations')").all();
  const columns = COLUMNS.filter((column) => present.some(({ name }) => name === column));
  const rows = textRows(records.map((record) => toValues(record).slice(0, columns.length)));
  await directWriter(database).write([{ sql: saveInto(columns), rows }, ...savePaid(records)]);
}

function savePaid(records: readonly InvocationRecord[]): Statement[] {
  const paid = records.filter(({ hold }) => hold);
  return paid.length > 0 ? [{ sql: SAVE_LEDGER, rows: textRows(paid.map(toLedgerValues)) }] : [];
}

function saveInto(columns: readonly string[]): string {
  const replaced = columns.filter((column) => OF_OUTCOME.has(column)).map((column) => `${column} = excluded.${column}`);
  return `
  INSERT INTO invocations (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${replaced.join(', ')}`;
}

/** Values in the order of `COLUMNS`. */
function toValues({ id, agentKeyId, idempotencyKey, requestHash, action, startedAt, outcome, madeBy, origin }: InvocationRecord) {
  const { code = null, body = null, endedAt = null, toolkitCode = null, took = null } = outcome ?? {};
  // The action of a refused call is any text that its caller sent.
  const text = action.replaceAll('\0', '\ufffd');
  const first = [id, agentKeyId, idempotencyKey, requestHash, text, startedAt, code, body, endedAt];
  return [...first, toolkitOf(text), madeBy ?? null, toolkitCode, took, origin ?? null];
}

/** Values in the order of `SAVE_LEDGER`, which converts amounts to integers. */
function toLedgerValues({ id, agentKeyId, action, startedAt, outcome, hold }: InvocationRecord) {
  const { charged } = outcome ?? {};
  const booked = charged === undefined ? [null, null] : [charged.toString(), outcome?.endedAt ?? null];
  const held = [hold?.currency ?? '', utcDay(startedAt), (hold?.amount ?? 0n).toString(), startedAt];
  return [id, agentKeyId, toolkitOf(action), action, ...held, ...booked];
}

function answer(group: readonly CallWrite[]): void {
  for (const write of group) {
    if (write.op === 'start') write.done(undefined, true);
    else if (write.op === 'end') write.done(undefined, write.outcome);
    else write.done(undefined);
  }
}
