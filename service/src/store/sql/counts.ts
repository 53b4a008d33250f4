/**
 * Counts of calls, and sums derived from them: calls and errors of each name by hour and day, over all outcomes and durations. A sum is one row
 * where `call_counts` has dozens. Exports leave the sums out.
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { CallCount, CallSum, CountDimension, CountQuery, CountStep, CountStore, TotalsQuery } from '../console-store';
import { actionRange, addRows, type Sums } from './statements';
import type { Atomically, CallSumRow, Tables } from './tables';

const DIMENSIONS: readonly CountDimension[] = ['all', 'key', 'toolkit', 'action'];
/** Number of single look-ups that take as long as reading one day of all names. */
const LOOK_UPS = 20_000;

const CALL_COUNTS = {
  table: 'call_counts',
  key: [
    ['dimension', 'text'],
    ['name', 'text'],
    ['step', 'bigint'],
    ['start', 'bigint'],
    ['code', 'text'],
    ['bucket', 'bigint'],
  ],
  sums: ['calls'],
} as const satisfies Sums<keyof CallCount>;

const CALL_SUMS = {
  table: 'call_sums',
  key: [
    ['dimension', 'text'],
    ['step', 'bigint'],
    ['start', 'bigint'],
    ['name', 'text'],
  ],
  sums: ['calls', 'errors'],
} as const satisfies Sums<keyof CallSumRow>;

export class SqlCounts implements CountStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async add(counts: readonly CallCount[]): Promise<void> {
    if (counts.length === 0) return;
    const rows = summed(counts);
    await this.#atomically([addRows(this.#db, CALL_COUNTS, rows), addRows(this.#db, CALL_SUMS, sumsOf(rows))]);
  }

  async series(query: CountQuery & { names: readonly string[] }): Promise<Pick<CallCount, 'start' | 'code' | 'bucket' | 'calls'>[]> {
    const rows = await this.#of(query)
      .select(({ fn }) => ['start', 'code', 'bucket', fn.sum<number>('calls').as('calls')])
      .groupBy(['start', 'code', 'bucket'])
      .orderBy('start')
      .orderBy('code')
      .orderBy('bucket')
      .execute();
    return rows.map((row) => ({ ...row, calls: Number(row.calls) }));
  }

  async totals({ fromBucket = 0, ...query }: TotalsQuery): Promise<Pick<CallCount, 'name' | 'code' | 'bucket' | 'calls'>[]> {
    const { names } = query;
    const all = names ? this.#of({ ...query, names }) : this.#between(query);
    const rows = await (fromBucket > 0 ? all.where('bucket', '>=', fromBucket) : all)
      .select(({ fn }) => ['name', 'code', 'bucket', fn.sum<number>('calls').as('calls')])
      .groupBy(['name', 'code', 'bucket'])
      .orderBy('name')
      .orderBy('code')
      .orderBy('bucket')
      .execute();
    return rows.map((row) => ({ ...row, calls: Number(row.calls) }));
  }

  async sums(query: CountQuery): Promise<CallSum[]> {
    const rows = await (hasSums(query.step) ? this.#keptSums(query) : this.#countedSums(query));
    return rows.map(({ name, calls, errors }) => ({ name, calls: Number(calls), errors: Number(errors) }));
  }

  async prune({ step, before }: { step: CountStep; before: number }): Promise<number> {
    // Names every dimension, so that the engine uses the index that begins with the dimension.
    const query = this.#db
      .deleteFrom('call_counts')
      .where('dimension', 'in', DIMENSIONS)
      .where('step', '=', step)
      .where('start', '<', before);
    const sums = this.#db.deleteFrom('call_sums').where('dimension', 'in', DIMENSIONS).where('step', '=', step).where('start', '<', before);
    await sums.execute();
    return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
  }

  async removeToolkit(toolkitId: string): Promise<void> {
    const { from, to } = actionRange(toolkitId);
    await this.#atomically(
      (['call_counts', 'call_sums'] as const).flatMap((table) => [
        this.#db.deleteFrom(table).where('dimension', '=', 'toolkit').where('name', '=', toolkitId),
        this.#db.deleteFrom(table).where('dimension', '=', 'action').where('name', '>=', from).where('name', '<', to),
      ]),
    );
  }

  #keptSums({ dimension, step, from, to }: CountQuery): Promise<CallSum[]> {
    return this.#db
      .selectFrom('call_sums')
      .where('dimension', '=', dimension)
      .where('step', '=', step)
      .where('start', '>=', from)
      .where('start', '<', to)
      .select(({ fn }) => ['name', fn.sum<number>('calls').as('calls'), fn.sum<number>('errors').as('errors')])
      .groupBy('name')
      .orderBy('name')
      .execute();
  }

  #countedSums(query: CountQuery): Promise<CallSum[]> {
    return this.#between(query)
      .select(({ fn, eb }) => [
        'name',
        fn.sum<number>('calls').as('calls'),
        fn.sum<number>(eb.case().when('code', '=', 'OK').then(eb.lit(0)).else(eb.ref('calls')).end()).as('errors'),
      ])
      .groupBy('name')
      .orderBy('name')
      .execute();
  }

  /** Looks up each pair of name and step when there are few: for a range of steps, an engine reads the rows of all names, or each row twice. */
  #of({ names, ...query }: CountQuery & { names: readonly string[] }) {
    const { step, from, to } = query;
    const [first, end] = [Math.ceil(from / (step * 1_000)), Math.ceil(to / (step * 1_000))];
    const ofNames = this.#between(query).where(oneOf(names));
    if (end <= first || (end - first) * names.length > LOOK_UPS) return ofNames;
    const starts = Array.from({ length: end - first }, (_, index) => (first + index) * step * 1_000);
    return ofNames.where('start', 'in', starts);
  }

  #between({ dimension, step, from, to }: CountQuery) {
    return this.#db
      .selectFrom('call_counts')
      .where('dimension', '=', dimension)
      .where('step', '=', step)
      .where('start', '>=', from)
      .where('start', '<', to);
  }
}

/** PostgreSQL rejects an empty list. */
function oneOf(names: readonly string[]) {
  return ({ eb, lit }: ExpressionBuilder<Tables, 'call_counts'>) => (names.length === 0 ? lit(false) : eb('name', 'in', names));
}

/** Adds up equal keys, and sorts the rows: the same order on every node prevents deadlocks. */
function summed(counts: readonly CallCount[]): CallCount[] {
  const sums: CallCount[] = [];
  for (const count of counts.toSorted(byPlace)) {
    const last = sums.at(-1);
    if (last && byPlace(last, count) === 0) last.calls += count.calls;
    else sums.push({ ...count });
  }
  return sums;
}

function byPlace(one: CallCount, other: CallCount): number {
  return (
    order(one.dimension, other.dimension) ||
    order(one.name, other.name) ||
    one.step - other.step ||
    one.start - other.start ||
    order(one.code, other.code) ||
    one.bucket - other.bucket
  );
}

function order(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function hasSums(step: CountStep): boolean {
  return step !== 60;
}

/** @param counts sorted by dimension, name, step and start */
function sumsOf(counts: readonly CallCount[]): CallSumRow[] {
  const sums: CallSumRow[] = [];
  for (const { dimension, step, start, name, code, calls } of counts) {
    if (!hasSums(step)) continue;
    const errors = code === 'OK' ? 0 : calls;
    const last = sums.at(-1);
    if (last?.start === start && last.step === step && last.name === name && last.dimension === dimension) {
      last.calls += calls;
      last.errors += errors;
    } else sums.push({ dimension, step, start, name, calls, errors });
  }
  return sums;
}

/** Computes the sums of imported counts. The table of sums must be empty. */
export async function deriveSums(db: Kysely<Tables>): Promise<void> {
  await sql.raw(DERIVE_SUMS).execute(db);
}

export const DERIVE_SUMS = `
  INSERT INTO call_sums (dimension, step, start, name, calls, errors)
  SELECT dimension, step, start, name, sum(calls), sum(CASE WHEN code = 'OK' THEN 0 ELSE calls END)
  FROM call_counts WHERE step <> 60
  GROUP BY dimension, step, start, name`;
