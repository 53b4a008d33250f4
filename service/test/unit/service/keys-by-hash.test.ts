import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { PostgresKeys } from '../../../src/store/postgres/changes';
import type { Tables } from '../../../src/store/sql/tables';
import type { KeyRecord } from '../../../src/store/store';

/** Keys of PostgreSQL whose queries a test answers. */
class FakeKeys extends PostgresKeys {
  readonly queries: (readonly string[])[] = [];
  found: KeyRecord[] = [];
  failure: Error | undefined;

  constructor() {
    super(undefined as unknown as Kysely<Tables>, 'node_1');
  }

  override async findAll(_by: 'id' | 'hash', values: readonly string[]): Promise<KeyRecord[]> {
    this.queries.push(values);
    if (this.failure) throw this.failure;
    return this.found.filter(({ hash }) => values.includes(hash));
  }
}

const keyOf = (hash: string) => ({ id: `key_${hash}`, hash }) as KeyRecord;

test('the look-ups of an event-loop turn are one query, and each receives its own key', async () => {
  const keys = new FakeKeys();
  keys.found = [keyOf('b'), keyOf('a')];
  const inOneTurn = ['a', 'b', 'unknown', 'a'].map((hash) => keys.findByHash(hash));
  // A look-up of a later microtask is still in the same turn.
  const late = Promise.resolve().then(() => keys.findByHash('b'));
  expect(await Promise.all([...inOneTurn, late])).toEqual([keyOf('a'), keyOf('b'), undefined, keyOf('a'), keyOf('b')]);
  expect(keys.queries).toEqual([['a', 'b', 'unknown', 'a', 'b']]);
});

test('a later turn queries the database again, so that a revoked key is not found in a cache', async () => {
  const keys = new FakeKeys();
  keys.found = [keyOf('a')];
  expect(await keys.findByHash('a')).toEqual(keyOf('a'));
  keys.found = [];
  expect(await keys.findByHash('a')).toBeUndefined();
  expect(keys.queries).toEqual([['a'], ['a']]);
});

test('a failed query rejects each look-up of its turn, and no later one', async () => {
  const keys = new FakeKeys();
  keys.failure = new Error('the connection is lost');
  const failed = await Promise.allSettled([keys.findByHash('a'), keys.findByHash('b')]);
  expect(failed).toEqual([
    { status: 'rejected', reason: keys.failure },
    { status: 'rejected', reason: keys.failure },
  ]);
  keys.failure = undefined;
  keys.found = [keyOf('a')];
  expect(await keys.findByHash('a')).toEqual(keyOf('a'));
});
