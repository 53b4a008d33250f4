// @module-tag postgres
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { ownPostgres } from '../../../test/support/postgres';
import { openPostgresData, openPostgresStore } from '../../src/store/postgres/open';
import { openSqliteStore } from '../../src/store/sqlite/open';
import type { Store, UnsettledEntries } from '../../src/store/store';
import { storeContract } from './store';
import { aCall, aKey, OK } from './store-records';

const postgres = ownPostgres();

storeContract(
  'postgres',
  async () => {
    const url = await postgres.server.newDatabase();
    return () => openPostgresStore({ url, shared: true });
  },
  { lasting: true },
);

describe('an unusable database is refused with the remedy, and never with the password', () => {
  const refusal = async (url: string) => {
    const error = await openPostgresStore({ url }).then(
      () => expect.unreachable('it opened'),
      (reason: unknown) => reason,
    );
    const { code, message, cause } = error as Error & { code: string };
    expect(`${message} ${(cause as Error | undefined)?.message}`).not.toContain('s3cret');
    return `${code} ${message}`;
  };
  const at = (change: Partial<URL>, url = postgres.server.url()) => Object.assign(new URL(url), { password: 's3cret', ...change }).href;

  test.each(['s3cret', 'mysql://svc:s3cret@localhost/svc', 'postgres://svc:s3c#s3cret@localhost/svc', ''])('no URL: %s', async (url) => {
    expect(await refusal(url)).toMatch(/^INVALID_REQUEST .*postgres:\/\/host:5432\/name/);
  });

  test('a wrong password', async () => {
    await postgres.server.execute("CREATE ROLE locked LOGIN PASSWORD 'other'");
    expect(await refusal(at({ username: 'locked' }))).toMatch(/^INVALID_REQUEST .*locked.*; check user and password/);
  });

  test('a database that does not exist', async () => {
    expect(await refusal(at({ pathname: '/missing' }))).toMatch(/^INVALID_REQUEST .*127\.0\.0\.1:\d+\/missing: .*createdb missing/);
  });

  test('a server that is down, or an unknown host', async () => {
    expect(await refusal(at({ port: '1' }))).toMatch(/^SERVICE_UNAVAILABLE .*127\.0\.0\.1:1\/postgres: .*start it, or check host and port/);
    expect(await refusal(at({ hostname: 'nowhere.invalid' }))).toMatch(/^SERVICE_UNAVAILABLE .*nowhere\.invalid/);
  });

  test('a server without TLS when TLS is required', async () => {
    expect(await refusal(`${at({})}?sslmode=verify-full`)).toMatch(/^INVALID_REQUEST .*SSL.*; see sslmode/);
  });

  test('a user who may not make tables', async () => {
    const url = await postgres.server.emptyDatabase();
    await postgres.server.execute('CREATE ROLE guest LOGIN');
    expect(await refusal(at({ username: 'guest' }, url))).toMatch(
      /^INVALID_REQUEST .*make guest the owner of the database: ALTER DATABASE/,
    );
  });

  test('no connection left', async () => {
    const url = await postgres.server.emptyDatabase();
    await postgres.server.execute('CREATE ROLE crowded LOGIN CONNECTION LIMIT 0');
    expect(await refusal(at({ username: 'crowded' }, url))).toMatch(/^SERVICE_UNAVAILABLE .*; raise max_connections/);
  });

  test("another program's database", async () => {
    const url = await postgres.server.emptyDatabase();
    await postgres.server.execute('CREATE TABLE birds (name TEXT)', url);
    expect(await refusal(url)).toMatch(/^INVALID_REQUEST .*another program/);
  });

  test('a database that cannot keep all texts', async () => {
    await postgres.server.execute(
      "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    expect(await refusal(postgres.server.url('latin'))).toMatch(/^INVALID_REQUEST .*LATIN1.*createdb -E UTF8/);
  });

  test('data of a newer svc-sdk, naming both numbers', async () => {
    const url = await postgres.server.emptyDatabase();
    await (await openPostgresStore({ url })).close();
    await postgres.server.execute('INSERT INTO svc_migrations VALUES (1000, 0)', url);
    expect(await refusal(url)).toMatch(/^INVALID_REQUEST .*version 1000.*up to \d+\b/);
  });

  test('a database without data when data are required', async () => {
    const url = await postgres.server.emptyDatabase();
    await expect(openPostgresData({ url, create: false })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await postgres.server.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'", url)).toEqual([]);
  });
});

test('several processes can open a new database at once', async () => {
  const url = await postgres.server.emptyDatabase();
  const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgresStore({ url, shared: true })));
  await Promise.all(stores.map((store) => store.close()));
  const numbers = (await postgres.server.execute('SELECT number FROM svc_migrations ORDER BY number', url)).map(({ number }) =>
    Number(number),
  );
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

/** No type has two names. Only the collation of texts differs, which PostgreSQL needs in the statement. */
test('both engines have the same tables, columns and indexes', async () => {
  const url = await postgres.server.emptyDatabase();
  await (await openPostgresStore({ url })).close();
  const columns = await postgres.server.execute(
    `SELECT table_name AS tab, column_name AS col, data_type AS type, is_nullable = 'NO' AS filled, column_default AS preset
     FROM information_schema.columns WHERE table_schema = 'public'`,
    url,
  );
  const onPostgres = columns.map(({ tab, col, type, filled, preset }) => ({
    column: `${tab}.${col}`,
    type,
    filled,
    preset: (preset as string | null)?.replace(/::text$/, '') ?? null,
  }));
  const indexes = await postgres.server.execute("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'", url);

  const { path, remove } = makeFolder();
  onTestFinished(remove);
  await (await openSqliteStore({ path: `${path}/svc.db` })).close();
  const database = new DatabaseSync(`${path}/svc.db`);
  onTestFinished(() => database.close());
  const onSqlite = database
    .prepare(
      `SELECT t.name AS tab, c.name AS col, lower(c.type) AS type, c."notnull" AS filled, c.dflt_value AS preset
       FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
    )
    .all()
    .map(({ tab, col, type, filled, preset }) => ({ column: `${tab}.${col}`, type, filled: filled === 1, preset }));
  const sqliteIndexes = database
    .prepare(
      `SELECT t.name AS tab, i."unique" AS uniq, m.sql,
              (SELECT group_concat(name || iif("desc", ' DESC', ''), ', ') FROM pragma_index_xinfo(i.name) WHERE key) AS cols
       FROM sqlite_master t, pragma_index_list(t.name) i LEFT JOIN sqlite_master m ON m.name = i.name WHERE t.type = 'table'`,
    )
    .all()
    .map(({ tab, uniq, cols, sql }) => `${uniq ? 'unique ' : ''}${tab} (${cols})${where(String(sql ?? ''))}`);
  const postgresIndexes = indexes.map(({ indexdef }) => {
    const [, unique, table, columnList] =
      /^CREATE (UNIQUE )?INDEX \S+ ON public\.(\S+) USING btree \(([^)]*)\)/.exec(String(indexdef)) ?? [];
    return `${unique ? 'unique ' : ''}${table} (${columnList})${where(String(indexdef))}`;
  });

  const byColumn = (rows: { column: unknown }[]) => rows.toSorted((one, other) => (String(one.column) < String(other.column) ? -1 : 1));
  expect(byColumn(onPostgres)).toEqual(byColumn(onSqlite));
  expect(postgresIndexes.sort()).toEqual(sqliteIndexes.sort());
});

function where(definition: string): string {
  return (/ WHERE .*/.exec(definition)?.[0] ?? '').replace(/[()]|::text/g, '');
}

test('concurrent counts of two nodes are added up', async () => {
  const url = await postgres.server.emptyDatabase();
  const stores = [await openPostgresStore({ url, shared: true }), await openPostgresStore({ url, shared: true })];
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  const names = Array.from({ length: 50 }, (_, index) => `weather__${index}`);
  const count = { dimension: 'action', step: 60, start: 0, code: 'OK', bucket: 1, calls: 1 } as const;
  const search = { day: 0, searches: 1, empty: 0, used: 0, lastAt: 1 };
  // Few enough at once that none waits long for a connection: then it would be refused.
  for (let round = 0; round < 10; round++) {
    const both = [names, names.toReversed()].flatMap((ordered) =>
      stores.flatMap(({ counts, searches }, node) => [
        counts.add(ordered.map((name) => ({ ...count, name }))),
        searches.add(ordered.map((query) => ({ ...search, query, agentKeyIds: ['key_both', `key_${node}`] }))),
      ]),
    );
    await Promise.all(both);
  }
  const [store] = stores as [Store];
  const totals = await store.counts.totals({ dimension: 'action', step: 60, from: 0, to: 1 });
  expect(totals.map(({ calls }) => calls)).toEqual(Array(50).fill(40));
  const told = await store.searches.list({ limit: 100, offset: 0, unmet: false });
  expect(told.map(({ searches, keys }) => [searches, keys])).toEqual(Array(50).fill([40, 3]));
});

test('a notification of a change names the toolkit, and a store gets none of its own changes', async () => {
  const url = await postgres.server.emptyDatabase();
  const [store, other] = [await openPostgresStore({ url, shared: true }), await openPostgresData({ url, create: true })];
  onTestFinished(async () => void (await Promise.all([store.close(), other.close()])));
  const heard = vi.fn();
  onTestFinished(store.onForeignChange(heard));
  const toolkit = { id: 'weather', name: 'Weather', description: '', createdAt: 1 };
  await store.keys.insert(aKey());
  await store.catalog.insertToolkit(toolkit);
  await other.catalog.changeActions('weather', { upsert: [], remove: ['none'] });
  await vi.waitFor(() => expect(heard.mock.calls).toEqual([[{ keys: false, toolkits: ['weather'] }]]));
  const key = aKey();
  await other.keys.insert(key);
  await other.catalog.updateToolkit({ ...toolkit, name: 'Skies' });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2));
  expect(heard).toHaveBeenLastCalledWith({ keys: false, toolkits: ['weather'] });
  await other.keys.revoke(key.id, 1);
  await vi.waitFor(() => expect(heard).toHaveBeenLastCalledWith({ keys: true, toolkits: [] }));
});

test('changes before the first listener are reported to the first listener', async () => {
  const url = await postgres.server.emptyDatabase();
  const [store, other] = [await openPostgresStore({ url, shared: true }), await openPostgresData({ url, create: true })];
  onTestFinished(async () => void (await Promise.all([store.close(), other.close()])));
  const key = aKey();
  await other.keys.insert(key);
  await other.keys.revoke(key.id, 1);
  const heard = vi.fn();
  onTestFinished(store.onForeignChange(heard));
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith({ keys: true, toolkits: [] }));
});

test('a call that PostgreSQL cannot take spares the others of its group', async () => {
  const url = await postgres.server.emptyDatabase();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const calls = Array.from({ length: 10 }, (_, index) => aCall({ idempotencyKey: `once-${index}` }));
  const started = await Promise.allSettled([
    store.invocations.start(aCall({ idempotencyKey: 'a\0b' })),
    ...calls.map((call) => store.invocations.start(call)),
  ]);
  expect(started.map(({ status }) => status)).toEqual(['rejected', ...Array(10).fill('fulfilled')]);
  store.invocations.refused(aCall({ action: 'what\0ever' }), { ...OK, code: 'ACTION_NOT_FOUND' });
  const books = await store.invocations.list({ limit: 50 });
  expect(books.map(({ action }) => action)).toContain('what\ufffdever');
});

test('a deleted text is erased from the files of the table', async () => {
  const url = await postgres.server.emptyDatabase();
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const times = { succeededAt: 1, changedAt: 1 };
  const record = { action: 'a__b', query: 'q', agentKeyId: 'key_a', terms: ['x'], successes: 1, failures: 0, ...times };
  await store.evidence.save([{ ...record, text: 'zebra crossing' }]);
  const found = async () => {
    await postgres.server.execute('CHECKPOINT', url);
    const [row] = await postgres.server.execute(
      "SELECT position('zebra' in encode(pg_read_binary_file(pg_relation_filepath('evidence')), 'escape')) AS at",
      url,
    );
    return Number(row?.at) > 0;
  };
  expect(await found()).toBe(true);
  await store.evidence.forgetTexts();
  expect(await found()).toBe(false);
});

test('lists and clean-up read an index, not the whole history', async () => {
  const url = await postgres.server.emptyDatabase();
  await (await openPostgresStore({ url })).close();
  const plans = [
    'SELECT * FROM invocations ORDER BY id DESC LIMIT 50',
    "SELECT * FROM invocations WHERE code IS NULL AND node <> 'a' AND node NOT IN (SELECT id FROM nodes WHERE seen_at > 5)",
    'SELECT id FROM invocations WHERE started_at < 5 AND idempotency_key IS NOT NULL LIMIT 500',
    "SELECT * FROM invocations WHERE agent_key_id = 'a' AND idempotency_key = 'b'",
    'SELECT * FROM evidence WHERE changed_at >= 5 ORDER BY changed_at',
  ].map((sql) => postgres.server.execute(`EXPLAIN ${sql}`, `${url}?options=-c%20enable_seqscan%3Doff%20-c%20enable_bitmapscan%3Doff`));
  const used = (await Promise.all(plans)).map((rows) => rows.map((row) => row['QUERY PLAN']).join(' '));
  expect(used).toEqual([
    expect.stringContaining('invocations_pkey'),
    expect.stringContaining('invocations_unfinished'),
    expect.stringContaining('invocations_forgettable'),
    expect.stringContaining('invocations_idempotency'),
    expect.stringContaining('evidence_changed'),
  ]);
});

test('one node at a time settles: the next one when that has ended, or when its connection was lost', async () => {
  const url = await postgres.server.emptyDatabase();
  const [one, other] = [await openPostgresStore({ url, shared: true }), await openPostgresStore({ url, shared: true })];
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  const hold = async (store: Store) => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<UnsettledEntries>();
    const ended = store.settling(async (ledger) => {
      begun.resolve(ledger);
      await end;
    });
    return { ledger: await begun.promise, ended, end: resolve };
  };
  const first = await hold(one);
  expect(await other.settling(() => expect.unreachable('both settle'))).toBe(false);
  expect(await first.ledger.unsettled(10)).toEqual([]);
  first.end();
  expect(await first.ended).toBe(true);

  const second = await hold(other);
  expect(await one.settling(() => expect.unreachable('both settle'))).toBe(false);
  const locks = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 4";
  expect(await postgres.server.execute(locks, url)).toHaveLength(1);
  await vi.waitFor(async () => expect(await one.settling(async () => {})).toBe(true));
  await expect(second.ledger.unsettled(10)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(second.ledger.settle(['inv_1'], 1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  second.end();
  await second.ended;
  expect(await other.settling(async () => {})).toBe(true);
});

test('a store that closes waits for its settlement', async () => {
  const url = await postgres.server.emptyDatabase();
  const [one, other] = [await openPostgresStore({ url, shared: true }), await openPostgresStore({ url, shared: true })];
  onTestFinished(() => other.close());
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const settling = one.settling(() => end);
  const closed = one.close();
  resolve();
  expect(await settling).toBe(true);
  await closed;
  expect(await other.settling(async () => {})).toBe(true);
});
