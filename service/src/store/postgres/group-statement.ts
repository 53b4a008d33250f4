/**
 * One prepared statement for a group of writes, with an array for each column: one round trip and one transaction. It has a part for each kind of
 * write in the group, because PostgreSQL opens the table and all its indexes for a part without rows too. Rows are inserted in the order of their
 * unique keys, which prevents deadlocks between groups.
 */
import type { QueryArrayConfig } from 'pg';
import { type EndWrite, SAID_BY_HANDLER, type StartWrite } from '../call-engine';
import { toolkitOf } from '../sql/statements';
import type { InvocationRecord, InvocationStart } from '../store';
import { type ArrayElement, arrayLiteral } from './array-literal';

type Column<Row> = readonly [name: string, type: 'text' | 'bigint' | 'boolean', read: (row: Row) => ArrayElement];

interface Part<Row> {
  name: 'started' | 'ended' | 'saved';
  columns: readonly Column<Row>[];
  /**
   * @param rows a table expression with the columns
   * @param names the columns, separated by commas
   */
  sql(rows: string, names: string): string;
  /** Selects `id` and `keyed` of the calls that the part changed, where callers need them. */
  result: string;
}

interface FilledPart extends Pick<Part<never>, 'name' | 'sql' | 'result'> {
  columns: readonly (readonly [name: string, type: string, ...unknown[]])[];
  values: readonly string[];
}

const HANDLERS = SAID_BY_HANDLER.map((code) => `'${code}'`).join(', ');

const STARTED: Part<StartWrite> = {
  name: 'started',
  columns: [
    ['id', 'text', ({ call }) => call.id],
    ['agent_key_id', 'text', ({ call }) => call.agentKeyId],
    ['idempotency_key', 'text', ({ call }) => call.idempotencyKey],
    ['request_hash', 'text', ({ call }) => call.requestHash],
    ['action', 'text', ({ call }) => call.action],
    ['toolkit', 'text', ({ call }) => toolkitOf(call.action)],
    ['started_at', 'bigint', ({ call }) => call.startedAt],
    ['made_by', 'text', ({ call }) => call.madeBy ?? null],
    ['origin', 'text', ({ call }) => call.origin ?? null],
  ],
  sql: (rows, names) => `
    INSERT INTO invocations (${names}, node) SELECT ${names}, $1 FROM ${rows}
    ORDER BY agent_key_id, idempotency_key
    ON CONFLICT DO NOTHING
    RETURNING id`,
  result: 'SELECT id, true AS keyed FROM started',
};

const ENDED: Part<EndWrite> = {
  name: 'ended',
  columns: [
    ['id', 'text', ({ id }) => id],
    ['code', 'text', ({ outcome }) => outcome.code],
    ['body', 'text', ({ outcome }) => outcome.body],
    ['ended_at', 'bigint', ({ outcome }) => outcome.endedAt],
    ['toolkit_code', 'text', ({ outcome }) => outcome.toolkitCode ?? null],
    ['took', 'bigint', ({ outcome }) => outcome.took ?? null],
    ['paid', 'boolean', ({ outcome }) => outcome.charged !== undefined],
  ],
  // The cost of a call is final, and its answer shows it: no outcome replaces that of a booked call.
  sql: (rows) => `
    UPDATE invocations AS call
    SET code = new.code, body = CASE WHEN call.idempotency_key IS NOT NULL THEN new.body END, ended_at = new.ended_at,
      toolkit_code = new.toolkit_code, took = new.took
    FROM ${rows}
    WHERE call.id = new.id AND (new.code IN (${HANDLERS}) OR call.code IS NULL)
      AND NOT (new.paid AND call.code IS NOT NULL AND EXISTS (SELECT FROM ledger WHERE invocation_id = call.id AND charged IS NOT NULL))
    RETURNING call.id, call.idempotency_key IS NOT NULL AS keyed`,
  result: 'SELECT id, keyed FROM ended',
};

const SAVED: Part<InvocationRecord> = {
  name: 'saved',
  columns: [
    ['id', 'text', ({ id }) => id],
    ['agent_key_id', 'text', ({ agentKeyId }) => agentKeyId],
    ['request_hash', 'text', ({ requestHash }) => requestHash],
    ['action', 'text', actionOf],
    ['toolkit', 'text', (record) => toolkitOf(actionOf(record))],
    ['started_at', 'bigint', ({ startedAt }) => startedAt],
    ['code', 'text', ({ outcome }) => outcome?.code ?? null],
    ['ended_at', 'bigint', ({ outcome }) => outcome?.endedAt ?? null],
    ['made_by', 'text', (record) => record.madeBy ?? null],
    ['origin', 'text', (record) => record.origin ?? null],
    ['toolkit_code', 'text', ({ outcome }) => outcome?.toolkitCode ?? null],
    ['took', 'bigint', ({ outcome }) => outcome?.took ?? null],
  ],
  // A refusal only frees a key that this node claimed: meanwhile another node may have claimed the call under the same id.
  sql: (rows, names) => `
    INSERT INTO invocations (${names}, node) SELECT ${names}, $1 FROM ${rows}
    ORDER BY id
    ON CONFLICT (id) DO UPDATE
    SET idempotency_key = NULL, code = excluded.code, body = NULL, ended_at = excluded.ended_at, toolkit_code = excluded.toolkit_code,
      took = excluded.took
    WHERE invocations.node = $1 AND excluded.code IS NOT NULL AND (excluded.code <> 'OUTCOME_UNKNOWN' OR invocations.code IS NULL)`,
  result: `SELECT '' AS id, false AS keyed WHERE false`,
};

/** The texts of the statements, by name. */
const texts = new Map<string, string>();

export interface GroupRows {
  starts: readonly StartWrite[];
  ends: readonly EndWrite[];
  records: readonly InvocationRecord[];
}

/** Its rows are `[id, keyed]` of the calls that started or ended; `keyed` is false when the call has no idempotency key any more. */
export function groupStatement(node: string, { starts, ends, records }: GroupRows): QueryArrayConfig {
  const parts = [...filled(STARTED, starts), ...filled(ENDED, ends), ...filled(SAVED, records)];
  const name = `svc-write-${parts.map((part) => part.name).join('-')}`;
  const text = texts.get(name) ?? textOf(parts);
  texts.set(name, text);
  return { name, text, values: [node, ...parts.flatMap(({ values }) => values)], rowMode: 'array' };
}

function filled<Row>({ name, columns, sql, result }: Part<Row>, rows: readonly Row[]): FilledPart[] {
  if (rows.length === 0) return [];
  return [{ name, columns, sql, result, values: columns.map(([, , read]) => arrayLiteral(rows, read)) }];
}

function textOf(parts: readonly FilledPart[]): string {
  let last = 1;
  const tables = parts.map(({ name, columns, sql }) => {
    const names = columns.map(([column]) => column).join(', ');
    const arrays = columns.map(([, type]) => `$${++last}::${type}[]`).join(', ');
    return `${name} AS (${sql(`unnest(${arrays}) AS new (${names})`, names)})`;
  });
  // The type of a parameter must be known, and only starts and refusals use the node.
  return `WITH node AS (SELECT $1::text), ${tables.join(', ')} ${parts.map(({ result }) => result).join(' UNION ALL ')}`;
}

/** The action of a refused call is any text that its caller sent. U+0000 is the only character that PostgreSQL rejects. */
function actionOf({ action }: Pick<InvocationStart, 'action'>): string {
  return action.replaceAll('\0', '\ufffd');
}
