import type { ExpressionBuilder, Kysely } from 'kysely';
import type { CallCount, CountDimension, CountQuery, CountStep, CountStore } from '../console-store';
import { addRows, type Sums } from './add-rows';
import type { Atomically, Tables } from './tables';

const DIMENSIONS: readonly CountDimension[] = ['all', 'key', 'toolkit', 'action'];

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

export class SqlCounts implements CountStore {
  readonly #db: Kysely<Tables>;
  readonly #atomically: Atomically;

  constructor(db: Kysely<Tables>, atomically: Atomically) {
    this.#db = db;
    this.#atomically = atomically;
  }

  async add(counts: readonly CallCount[]): Promise<void> {
    if (counts.length > 0) await this.#atomically([addRows(this.#db, CALL_COUNTS, summed(counts))]);
  }

  async series({
    names,
    ...query
  }: CountQuery & { names: readonly string[] }): Promise<Pick<CallCount, 'start' | 'code' | 'bucket' | 'calls'>[]> {
    const rows = await this.#between(query)
      .where(oneOf(names))
      .select(({ fn }) => ['start', 'code', 'bucket', fn.sum<number>('calls').as('calls')])
      .groupBy(['start', 'code', 'bucket'])
      .orderBy('start')
      .orderBy('code')
      .orderBy('bucket')
      .execute();
    return rows.map((row) => ({ ...row, calls: Number(row.calls) }));
  }

  async totals({
    names,
    ...query
  }: CountQuery & { names?: readonly string[] | undefined }): Promise<Pick<CallCount, 'name' | 'code' | 'bucket' | 'calls'>[]> {
    const all = this.#between(query);
    const rows = await (names ? all.where(oneOf(names)) : all)
      .select(({ fn }) => ['name', 'code', 'bucket', fn.sum<number>('calls').as('calls')])
      .groupBy(['name', 'code', 'bucket'])
      .orderBy('name')
      .orderBy('code')
      .orderBy('bucket')
      .execute();
    return rows.map((row) => ({ ...row, calls: Number(row.calls) }));
  }

  async prune({ step, before }: { step: CountStep; before: number }): Promise<number> {
    // All dimensions, so that the index which begins with them is used.
    const query = this.#db
      .deleteFrom('call_counts')
      .where('dimension', 'in', DIMENSIONS)
      .where('step', '=', step)
      .where('start', '<', before);
    return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
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

/** PostgreSQL takes no empty list. */
function oneOf(names: readonly string[]) {
  return ({ eb, lit }: ExpressionBuilder<Tables, 'call_counts'>) => (names.length === 0 ? lit(false) : eb('name', 'in', names));
}

/** Each row once, in one order on every node: two of them then wait for each other, and not in a circle. */
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
