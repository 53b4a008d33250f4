/** Exports and imports, from engine to engine. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { exportData, importData, openKeys } from 'svc-service';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newDatabase, startPostgres } from '../../../test/support/postgres';
import type { DataPlace } from '../../src/store/location';
import { openPostgresStore } from '../../src/store/postgres/open';
import { openSqliteStore } from '../../src/store/sqlite/open';
import type { Store } from '../../src/store/store';
import { noRows } from '../../src/store/transfer/format';
import { fillStore } from '../support/full-store';
import { aCall, aPerson, OK } from './store-records';

const home = mkdtempSync(join(tmpdir(), 'svc-transfer-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let names = 0;
const newPath = () => join(home, `${++names}`);

interface Engine {
  engine: string;
  /** Programs that it needs. */
  tags: 'postgres'[];
  /** Data with nothing in them. */
  newPlace(): Promise<DataPlace>;
  open(place: DataPlace): Promise<Store>;
}

const ENGINES: Engine[] = [
  {
    engine: 'SQLite',
    tags: [],
    async newPlace() {
      const data = newPath();
      await (await openKeys(data)).close();
      return data;
    },
    open: (data) => openSqliteStore({ path: join(String(data), 'svc.sqlite') }),
  },
  {
    engine: 'PostgreSQL',
    tags: ['postgres'],
    newPlace: async () => ({ database: await newDatabase() }),
    open: (place) => openPostgresStore({ url: urlOf(place) }),
  },
];

function urlOf(place: DataPlace): string {
  return typeof place === 'string' ? expect.unreachable('that is a directory') : place.database;
}

async function exported(place: DataPlace): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const to = new Writable({
    write(piece, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  await exportData(place, { to });
  return Buffer.concat(pieces);
}

/** Tables and columns that a version added. */
const ADDED: Record<number, { tables: string[]; columns: Record<string, string[]> }> = {
  2: {
    tables: [
      'people',
      'logins',
      'passkeys',
      'invitations',
      'audit',
      'settings',
      'invocation_details',
      'call_counts',
      'search_counts',
      'search_keys',
    ],
    columns: { keys: ['owner_id'] },
  },
  3: { tables: ['action_approvals'], columns: { toolkits: ['named_at'] } },
  4: { tables: ['ledger'], columns: { actions: ['payment'], keys: ['budget'] } },
  5: { tables: ['session_requests'], columns: {} },
  6: { tables: [], columns: { actions: ['title', 'result_schema'] } },
  7: { tables: [], columns: { keys: ['client_id'], actions: ['meta', 'icons'] } },
  8: { tables: [], columns: { toolkits: ['auth'], actions: ['auth'] } },
  9: { tables: [], columns: { keys: ['rules'], actions: ['long'] } },
  10: { tables: [], columns: { keys: ['code'], invocations: ['made_by'] } },
  11: {
    tables: ['action_rejections', 'toolkit_callers', 'toolkit_profiles', 'session_sums', 'user_days', 'session_usage', 'saved_views'],
    columns: {
      keys: ['former_hash', 'former_until'],
      invocations: ['toolkit_code', 'took', 'origin'],
      session_requests: ['origin'],
    },
  },
};

/** The export as that version wrote it. */
function asVersion(now: Buffer, version: number) {
  const later = Object.entries(ADDED).flatMap(([added, what]) => (Number(added) > version ? [what] : []));
  const rows: Record<string, number> = {};
  let table = '';
  let kept: boolean[] = [];
  let lines = `{"format":"svc-sdk-export","version":${version}}\n`;
  for (const line of now.toString().trimEnd().split('\n').slice(1, -1)) {
    const value = JSON.parse(line) as unknown[] | { table: string; columns: string[] };
    if (!Array.isArray(value)) {
      table = value.table;
      kept = value.columns.map((column) => !later.some(({ columns }) => columns[table]?.includes(column)));
      value.columns = value.columns.filter((_, index) => kept[index]);
    }
    if (later.some(({ tables }) => tables.includes(table))) continue;
    rows[table] = Array.isArray(value) ? (rows[table] ?? 0) + 1 : 0;
    lines += `${JSON.stringify(Array.isArray(value) ? value.filter((_, index) => kept[index]) : value)}\n`;
  }
  const end = { end: true, rows, sha256: createHash('sha256').update(lines).digest('hex') };
  return { rows, text: `${lines}${JSON.stringify(end)}\n` };
}

async function* bytes(...pieces: (Buffer | string)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function withStore<T>({ open }: Engine, place: DataPlace, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await open(place);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** The whole content of a store. */
async function contents({ keys, catalog, invocations, evidence, vectors, ...store }: Store) {
  return {
    keys: await keys.list(),
    toolkits: await catalog.toolkits(),
    actions: await catalog.actions(),
    approvals: await catalog.approvals(),
    rejections: await catalog.rejections(),
    callers: await store.callers.of('toolkit-1', ['key_b', 'key_a']),
    calls: (await invocations.list({ limit: 1_000 })).map(({ node: _, ...call }) => call),
    evidence: new Set(await evidence.changedSince(0)),
    secret: await evidence.secret(),
    vectors: (await vectors.page({ after: '', limit: 1_000 })).map(({ vector, ...rest }) => ({ ...rest, vector: [...vector] })),
    people: (await store.accounts.list()).map(({ lastSeenAt: _, ...person }) => person),
    invitations: await store.accounts.invitations(0),
    audit: await store.audit.list({ limit: 1_000 }),
    views: await store.savedViews.list('person_1'),
    settings: await store.settings.all(),
    details: await invocations.details('inv_000001'),
    counts: await store.counts.totals({ dimension: 'all', step: 60, from: 0, to: Number.MAX_SAFE_INTEGER }),
    sums: await store.counts.sums({ dimension: 'all', step: 3_600, from: 0, to: Number.MAX_SAFE_INTEGER }),
    searches: await store.searches.list({ limit: 100, offset: 0, unmet: false }),
    session: await store.sessionRequests.list({ sessionId: 'chat', limit: 100 }),
    sessionSums: await store.sessionSums.list({ sort: 'lastActivity', order: 'asc', limit: 100 }),
    users: await store.sessionSums.users({ sort: 'lastActivity', order: 'asc', limit: 100 }),
    models: await store.sessionSums.models({ sessionId: 'chat' }),
    ledger: await store.ledger.list({ order: 'oldest', limit: 100 }),
    earned: await store.ledger.sums('toolkit', { currency: 'USD', limit: 10 }),
    days: await store.ledger.sums('day', { currency: 'USD', limit: 10 }),
    unsettled: await store.ledger.unsettled(100),
  };
}

for (const from of ENGINES)
  for (const to of ENGINES)
    describe(`from ${from.engine} to ${to.engine}`, { tags: [...from.tags, ...to.tags] }, () => testTransfer(from, to));

function testTransfer(from: Engine, to: Engine): void {
  test('all data arrive, and are exported again in the same bytes', async () => {
    const [source, target] = [await from.newPlace(), await to.newPlace()];
    await withStore(from, source, fillStore);
    const first = await exported(source);
    const counts = await importData(target, { from: bytes(first) });
    expect(counts).toEqual({
      toolkits: 5,
      toolkit_profiles: 6,
      actions: 600,
      action_approvals: 5,
      action_rejections: 5,
      toolkit_callers: 10,
      keys: 4,
      invocations: 121,
      evidence_secret: 1,
      evidence: 600,
      action_vectors: 9,
      people: 5,
      logins: 5,
      passkeys: 5,
      invitations: 5,
      audit: 5,
      saved_views: 5,
      settings: 5,
      invocation_details: 5,
      call_counts: 5,
      search_counts: 10,
      search_keys: 10,
      session_requests: 10,
      session_sums: 5,
      user_days: 4,
      session_usage: 5,
      ledger: 7,
    });
    expect((await exported(target)).equals(first)).toBe(true);
    expect(await withStore(to, target, contents)).toEqual(await withStore(from, source, contents));
    for (const [at, engine, grants] of [
      [source, from, 1],
      [target, to, 0],
    ] as const)
      expect(await withStore(engine, at, ({ oauth }) => oauth.grantsOf(['key_a']))).toHaveLength(grants);
  });

  test('a retry of a call returns its outcome, and an unfinished call is taken over', async () => {
    const [source, target] = [await from.newPlace(), await to.newPlace()];
    const [ended, running] = [aCall({ idempotencyKey: 'ended' }), aCall({ idempotencyKey: 'running' })];
    await withStore(from, source, async ({ invocations }) => {
      await invocations.start(ended);
      await invocations.end(ended.id, OK);
      await invocations.start(running);
    });
    await importData(target, { from: bytes(await exported(source)) });
    await withStore(to, target, async ({ invocations }) => {
      expect(await invocations.takeAbandoned()).toMatchObject([{ id: running.id, outcome: null }]);
      expect(await invocations.find('key_agent', 'ended')).toMatchObject({ id: ended.id, outcome: OK });
      expect(await invocations.start(aCall({ idempotencyKey: 'running' }))).toBe(false);
    });
  });
}

test('a database that crashes during an import is empty after its restart', { tags: 'postgres' }, async () => {
  const [engine] = ENGINES as [Engine];
  const source = await engine.newPlace();
  await withStore(engine, source, fillStore);
  const lines = await exported(source);
  const postgres = await startPostgres();
  const place = { database: await postgres.newDatabase() };
  const from = async function* () {
    yield lines.subarray(0, lines.length / 2);
    await postgres.crash();
    yield lines.subarray(lines.length / 2);
  };
  await expect(importData(place, { from: from() })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await postgres.startAgain();
  expect((await importData(place, { from: bytes(lines) })).keys).toBe(4);
});

for (const engine of ENGINES) describe(engine.engine, { tags: engine.tags }, () => testRefusals(engine));

function testRefusals(engine: Engine): void {
  const { newPlace, open } = engine;
  let good: Buffer;
  beforeAll(async () => {
    const place = await newPlace();
    await withStore(engine, place, fillStore);
    good = await exported(place);
  });

  /** Ends as `good` does, with counts and checksum that fit. */
  const withEnd = (lines: string) => {
    const { rows } = JSON.parse(good.toString().trimEnd().split('\n').at(-1) ?? '');
    return `${lines}${JSON.stringify({ end: true, rows, sha256: createHash('sha256').update(lines).digest('hex') })}\n`;
  };
  const text = () => good.toString();
  const withoutEnd = () => text().slice(0, text().lastIndexOf('{"end"'));

  test.each<[string, () => string | Buffer, RegExp]>([
    ['nothing', () => '', /is incomplete: it breaks off after line 0/],
    ['another file', () => 'id,name\n1,Ada\n', /not an export of svc-sdk; create one with: svc-service export/],
    ['other JSON', () => '{"format":"other","version":1}\n', /not an export of svc-sdk/],
    ['bytes without lines', () => Buffer.alloc(100_000, 7), /not an export of svc-sdk/],
    [
      'a newer format',
      () => text().replace('"version":11', '"version":12'),
      /format 12, this svc-service knows only up to 11: import it with the newer/,
    ],
    ['a file that was cut at a line', () => withoutEnd(), /is incomplete: it breaks off after line \d+/],
    ['a file that was cut in a line', () => text().slice(0, text().length / 2), /damaged at line \d+: it is not JSON/],
    ['a flipped bit', () => text().replace('Ada’s', 'Ade’s'), /damaged at line \d+: the lines before it are not the exported ones/],
    ['a row too few', () => withEnd(withoutEnd().replace(/\n\["key_b".*\n/, '\n')), /damaged at line \d+: the lines before it are not/],
    ['two exports', () => text() + text(), /damaged at line \d+: it comes after the end/],
    [
      'a value of another kind',
      () => withEnd(withoutEnd().replace('["key_b"', '[17')),
      /damaged at line \d+: it is not a row of its table/,
    ],
    [
      'an amount that is a number',
      () => withEnd(withoutEnd().replace(/("USD"),"50000"/, '$1,50000')),
      /damaged at line \d+: it is not a row of its table/,
    ],
    ['a row without a table', () => withoutEnd().replace('\n', '\n["row"]\n'), /damaged at line 2: it is not a row of its table/],
    ['an unknown table', () => withEnd(withoutEnd().replace('{"table":"keys"', '{"table":"kezs"')), /the table keys should begin there/],
    ['a row twice', () => withEnd(withoutEnd().replace(/\n(\["key_b".*\n)/, '\n$1$1')), /Rows of keys cannot be written: /],
  ])('%s is refused, and the data stay empty', async (_name, broken, message) => {
    const place = await newPlace();
    await expect(importData(place, { from: bytes(broken()) })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(message),
    });
    expect((await importData(place, { from: bytes(good) })).keys).toBe(4);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('an export of version %i is imported', async (version) => {
    const before = asVersion(good, version);
    const place = await newPlace();
    expect(await importData(place, { from: bytes(before.text) })).toEqual({ ...noRows(), ...before.rows });
    await withStore(engine, place, async (store) => {
      const ownerId = version === 1 ? null : 'person_1';
      expect(await store.keys.find('key_O')).toMatchObject({
        name: 'owned',
        ownerId,
        clientId: version < 7 ? null : 'https://client.example/app',
      });
      const requests = await store.sessionRequests.list({ sessionId: 'chat', limit: 10 });
      expect(requests.length > 0).toBe(version >= 5);
      // Sums of an older export are computed from its requests.
      const sums = await store.sessionSums.find('chat');
      expect(sums.map(({ searches, calls }) => [searches, calls])).toEqual(version >= 5 ? [[5, 5]] : []);
      const ledger = await store.ledger.list({ order: 'oldest', limit: 10 });
      const paidActions = (await store.catalog.actions()).filter(({ payment }) => payment);
      expect([ledger.length, paidActions.length]).toEqual(version < 4 ? [0, 0] : [7, 5]);
    });
  });

  test('pieces may end anywhere, and the last line feed may be missing', async () => {
    const place = await newPlace();
    const pieces = Array.from({ length: Math.ceil(good.length / 777) }, (_, index) => good.subarray(index * 777, (index + 1) * 777));
    pieces.push((pieces.pop() as Buffer).subarray(0, -1));
    await importData(place, { from: bytes(...pieces) });
    expect((await exported(place)).equals(good)).toBe(true);
  });

  test('a source that fails leaves the data empty', async () => {
    const place = await newPlace();
    const failing = async function* () {
      yield good.subarray(0, good.length - 100);
      throw new Error('the network is gone');
    };
    await expect(importData(place, { from: failing() })).rejects.toThrow('the network is gone');
    expect((await importData(place, { from: bytes(good) })).keys).toBe(4);
  });

  test.each<[string, (store: Store) => Promise<unknown>]>([
    [
      'a key',
      ({ keys }) =>
        keys.insert({
          id: 'key_x',
          kind: 'agent',
          name: 'x',
          hash: 'x',
          toolkitId: null,
          allow: null,
          callsPerMinute: null,
          budget: null,
          rules: null,
          code: false,
          createdAt: 1,
          expiresAt: null,
          revokedAt: null,
          ownerId: null,
          clientId: null,
        }),
    ],
    ['a toolkit', ({ catalog }) => catalog.insertToolkit({ id: 'x', name: 'x', description: '', createdAt: 1 })],
    ['a call', ({ invocations }) => invocations.start(aCall())],
    ['a person', ({ accounts }) => accounts.tables.insertInto('people').values(aPerson()).execute()],
    ['a vector', ({ vectors }) => vectors.put([{ actionId: 'x', fingerprint: 'x', vector: Int8Array.of(1) }])],
  ])('data with %s are refused, and stay as they are', async (_name, fill) => {
    const place = await newPlace();
    const before = await withStore(engine, place, async (store) => {
      await fill(store);
      return contents(store);
    });
    await expect(importData(place, { from: bytes(good) })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/already holds data/),
    });
    expect(await withStore(engine, place, contents)).toEqual(before);
  });

  test("data with only secrets and the first owner's link count as empty and are imported into", async () => {
    const place = await newPlace();
    const secret = await withStore(engine, place, async ({ evidence, settings, accounts }) => {
      await settings.putIfAbsent('accounts.secret', 'x', 1);
      await accounts.invite({
        id: 'inv_0',
        hash: 'x',
        role: 'owner',
        name: null,
        personId: null,
        madeBy: null,
        createdAt: 1,
        expiresAt: 2,
      });
      return evidence.secret();
    });
    await importData(place, { from: bytes(good) });
    expect(await withStore(engine, place, ({ evidence }) => evidence.secret())).not.toBe(secret);
    expect((await exported(place)).equals(good)).toBe(true);
  });

  test('data on which a service runs are refused', async () => {
    const place = await newPlace();
    const store = await open(place);
    onTestFinished(() => store.close());
    await expect(importData(place, { from: bytes(good) })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/service runs on/),
    });
  });

  test('an export during a run has all acknowledged writes of one moment', async () => {
    const place = await newPlace();
    const { invocations, close } = await open(place);
    onTestFinished(close);
    for (let round = 0; round < 20; round++) {
      const calls = Array.from({ length: 15 }, () => aCall({ idempotencyKey: crypto.randomUUID() }));
      await Promise.all(calls.map((call) => invocations.start(call)));
      await Promise.all(calls.slice(5).map((call) => invocations.end(call.id, OK)));
      const before = (await exported(place)).toString();
      const isThere = ({ id }: { id: string }, code: string) => new RegExp(`\\["${id}",.*,${code},`).test(before);
      expect(calls.slice(0, 5).filter((call) => !isThere(call, 'null'))).toEqual([]);
      expect(calls.slice(5).filter((call) => !isThere(call, '"OK"'))).toEqual([]);
    }
  });
}

test('only the owner can read an export in a file, and it replaces no file by default', async () => {
  const data = newPath();
  await (await openKeys(data)).close();
  const to = join(home, 'export.jsonl');
  await exportData(data, { to });
  expect(statSync(to).mode & 0o777).toBe(0o600);
  writeFileSync(to, 'mine');
  await expect(exportData(data, { to })).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('--force') });
  expect(readFileSync(to, 'utf8')).toBe('mine');
  await exportData(data, { to, force: true });
  expect(readFileSync(to, 'utf8')).toContain('svc-sdk-export');
});

test('a stopped export leaves no file', async () => {
  const data = newPath();
  await (await openKeys(data)).close();
  const to = join(home, 'stopped.jsonl');
  await expect(exportData(data, { to, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  expect(existsSync(to)).toBe(false);
});

test('data that only the journal holds are exported, and do not count as empty', async () => {
  const data = newPath();
  const path = join(data, 'svc.sqlite');
  await (await openKeys(data)).close();
  const call = aCall({ idempotencyKey: 'once' });
  const start = ['start', call.id, call.agentKeyId, 'once', call.requestHash, call.action, call.startedAt];
  const end = ['end', call.id, 'OK', OK.endedAt, Buffer.byteLength(OK.body ?? '')];
  writeFileSync(`${path}-calls`, `${JSON.stringify(start)}\n${JSON.stringify(end)}\n${OK.body}\n`);
  const lines = await exported(data);
  expect(lines.toString()).toContain(`["${call.id}","key_agent","once"`);
  expect(new DatabaseSync(path, { readOnly: true }).prepare('SELECT id FROM invocations').all()).toEqual([]);
  await expect(importData(data, { from: bytes(lines) })).rejects.toThrow('already holds data');
});

test('entries of the ledger that only the journal holds are exported, and the table decides what is booked', async () => {
  const data = newPath();
  const path = join(data, 'svc.sqlite');
  await (await openKeys(data)).close();
  const [engine] = ENGINES as [Engine];
  const paid = (id: string) =>
    aCall({ id, idempotencyKey: id, hold: { amount: 50_000n, currency: 'USD', perDay: 1_000_000n }, startedAt: Date.now() });
  const [released, charged, fresh] = [paid('inv_1released'), paid('inv_2charged'), paid('inv_3fresh')];
  await withStore(engine, data, async ({ invocations, ledger }) => {
    for (const call of [released, charged]) {
      await invocations.start(call);
      await invocations.end(call.id, { code: 'OUTCOME_UNKNOWN', body: null, endedAt: 4 });
    }
    await ledger.releaseHeld(charged.startedAt + 1_000, 5);
  });
  new DatabaseSync(path).exec("UPDATE ledger SET charged = NULL, booked_at = NULL WHERE invocation_id = 'inv_2charged'");
  const start = ({ id, ...call }: typeof fresh, ...held: unknown[]) =>
    `${JSON.stringify(['start', id, call.agentKeyId, id, call.requestHash, call.action, call.startedAt, ...held])}\n`;
  const end = (id: string, amount: string) => `${JSON.stringify(['end', id, 'OK', 7, null, amount])}\n`;
  const journal = [end(released.id, '40000'), end(charged.id, '30000'), start(fresh, '999999999999999999', 'USD')];
  writeFileSync(`${path}-calls`, journal.join(''));

  const target = await engine.newPlace();
  await importData(target, { from: bytes(await exported(data)) });
  const entries = await withStore(engine, target, ({ ledger }) => ledger.list({ order: 'oldest', limit: 10 }));
  expect(entries).toMatchObject([
    { invocationId: released.id, charged: 0n, bookedAt: 5 },
    { invocationId: charged.id, authorised: 50_000n, charged: 30_000n, bookedAt: 7 },
    { invocationId: fresh.id, authorised: 999_999_999_999_999_999n, charged: null, bookedAt: null },
  ]);
});
