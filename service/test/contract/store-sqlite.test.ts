import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LONG_BYTES } from '../../src/store/sqlite/journal/journal';
import { openSqliteData, openSqliteStore } from '../../src/store/sqlite/open';
import type { Store } from '../../src/store/store';
import { callContract, storeContract } from './store';
import { aCall, aKey, OK } from './store-records';

const home = mkdtempSync(join(tmpdir(), 'svc-store-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
/** One entry per migration. */
const VERSIONS = readdirSync(new URL('../../src/store/migrations', import.meta.url)).map((_, index) => ({ number: index + 1 }));
let files = 0;
let calls = 0;
const newFile = () => join(home, `${++files}.db`);

storeContract('sqlite in memory', async () => () => openSqliteStore({ path: ':memory:' }), { lasting: false });
storeContract(
  'sqlite file',
  async () => {
    const path = newFile();
    return () => openSqliteStore({ path });
  },
  { lasting: true },
);

callContract(
  'sqlite file, full durability',
  async () => {
    const path = newFile();
    return () => openSqliteStore({ path, durability: 'full' });
  },
  { lasting: true },
);

describe('an unusable file is refused with its path and the remedy', () => {
  const refusal = async (path: string) => {
    const error = await openSqliteStore({ path }).then(
      () => expect.unreachable('it opened'),
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(path) });
    return (error as Error).message;
  };

  test('in a directory that does not exist', async () => {
    expect(await refusal(join(home, 'missing', 'svc.db'))).toContain(`create the directory ${join(home, 'missing')}`);
  });

  test('a directory', async () => {
    expect(await refusal(home)).toContain('name a file inside it');
  });

  test('no database', async () => {
    const path = newFile();
    writeFileSync(path, 'Dear diary, '.repeat(1_000));
    expect(await refusal(path)).toContain('not a SQLite database');
  });

  test("another program's database", async () => {
    const path = newFile();
    execute(path, 'CREATE TABLE birds (name TEXT)');
    expect(await refusal(path)).toContain('another program');
  });

  test('data of a newer svc-sdk, naming both numbers', async () => {
    const path = newFile();
    await (await openSqliteStore({ path })).close();
    execute(path, 'INSERT INTO svc_migrations VALUES (1000, 0)');
    expect(await refusal(path)).toMatch(new RegExp(`version 1000.*up to ${VERSIONS.length}\\b`));
  });

  test('a file, or a directory, that may only be read', async () => {
    const file = newFile();
    await (await openSqliteStore({ path: file })).close();
    const directory = join(home, 'locked');
    mkdirSync(directory);
    await (await openSqliteStore({ path: join(directory, 'svc.db') })).close();
    asOwner(file, directory, join(directory, 'svc.db'));
    chmodSync(file, 0o400);
    chmodSync(directory, 0o500);
    expect(await openInChild(file, somebody)).toMatch(/^INVALID_REQUEST Cannot open .*give this user the right to read and write it/);
    expect(await openInChild(join(directory, 'svc.db'), somebody)).toMatch(/^INVALID_REQUEST Cannot open .*to make files beside it/);
  });
});

test('a new file can be read by its owner only', async () => {
  const path = newFile();
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an empty file becomes a store, and an up-to-date store is unchanged', async () => {
  const path = newFile();
  writeFileSync(path, '');
  for (let time = 0; time < 2; time++) await (await openSqliteStore({ path })).close();
  expect(query(path, 'SELECT number FROM svc_migrations')).toEqual(VERSIONS);
});

test('several processes can open a new file at once', async () => {
  const path = newFile();
  const answers = await Promise.all(Array.from({ length: 4 }, () => openInChild(path)));
  expect(answers).toEqual(Array(4).fill('opened'));
  expect(query(path, 'SELECT number FROM svc_migrations')).toEqual(VERSIONS);
});

test('a store gets no notification of its own changes, and none after the stop', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = newFile();
  const [store, other] = [await openSqliteStore({ path }), await openSqliteData({ path })];
  onTestFinished(async () => void (await Promise.all([store.close(), other.close()])));
  const heard = vi.fn();
  const stop = store.onForeignChange(heard);
  await Promise.all([store.keys.insert(aKey()), store.invocations.start(aCall())]);
  vi.advanceTimersByTime(1_000);
  expect(heard).toHaveBeenCalledTimes(0);

  await other.keys.insert(aKey());
  vi.advanceTimersByTime(1_000);
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('calls and evidence cause no notification and do not hide one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = newFile();
  const [store, other] = [await openSqliteStore({ path }), await openSqliteData({ path })];
  onTestFinished(async () => void (await Promise.all([store.close(), other.close()])));
  const heard = vi.fn();
  onTestFinished(store.onForeignChange(heard));
  const look = () => void vi.advanceTimersByTime(1_000);
  for (let batch = 0; batch < 3; batch++) {
    await store.invocations.start(aCall());
    // The list writes them to the file by a separate connection.
    await store.invocations.list({ limit: 1 });
    look();
  }
  await other.evidence.secret();
  look();
  expect(heard).toHaveBeenCalledTimes(0);

  const toolkit = { id: 'weather', name: 'Weather', description: '', createdAt: 0 };
  const changes = [
    () => other.keys.insert(aKey()),
    () => other.catalog.insertToolkit(toolkit),
    () => other.catalog.updateToolkit({ ...toolkit, name: 'Skies' }),
  ];
  for (const [index, change] of changes.entries()) {
    // As many own changes as changes of the other connection.
    await store.keys.insert(aKey());
    await change();
    look();
    expect(heard).toHaveBeenCalledTimes(index + 1);
  }
});

test('reports changes of another connection before the first listener', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = newFile();
  const [store, other] = [await openSqliteStore({ path }), await openSqliteData({ path })];
  onTestFinished(async () => void (await Promise.all([store.close(), other.close()])));
  await other.keys.insert(aKey());
  const heard = vi.fn();
  onTestFinished(store.onForeignChange(heard));
  vi.advanceTimersByTime(1_000);
  expect(heard).toHaveBeenCalledTimes(1);
});

test('reports within a second that another connection has changed a key', async () => {
  const path = newFile();
  const [store, other] = [await openSqliteStore({ path }), await openSqliteData({ path })];
  onTestFinished(async () => void (await Promise.all([store.close(), other.close()])));
  const heard = vi.fn();
  onTestFinished(store.onForeignChange(heard));
  const key = aKey();
  await other.keys.insert(key);
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), { timeout: 1_000, interval: 10 });
  expect(await store.keys.list()).toEqual([key]);
});

test('a second service on the same data is refused, and the data is free again when the first has closed', async () => {
  const path = newFile();
  const first = await openSqliteStore({ path });
  await expect(openSqliteStore({ path })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('Another service'),
  });
  await first.close();
  await (await openSqliteStore({ path })).close();
});

test('content and texts that may not be stored any more are erased from the files', async () => {
  const path = newFile();
  const store = await openSqliteStore({ path });
  for (let index = 0; index < 700; index++) {
    const payload = JSON.stringify('s3cret payload '.repeat(index));
    store.invocations.keepDetails({ id: `inv_${index}`, timeline: '[]', payload, result: payload });
  }
  const search = { day: 0, searches: 1, empty: 0, used: 0, lastAt: 1, agentKeyIds: ['key_a'] };
  await store.searches.add(Array.from({ length: 700 }, (_, index) => ({ ...search, query: `s3cret text ${index}` })));
  const isIn = (text: string) => [path, `${path}-wal`].some((file) => existsSync(file) && readFileSync(file).includes(text));
  await store.invocations.list({ limit: 1 });
  expect([isIn('s3cret payload'), isIn('s3cret text')]).toEqual([true, true]);

  await store.invocations.forgetContent();
  await store.searches.clear();
  await store.close();
  expect([isIn('s3cret payload'), isIn('s3cret text')]).toEqual([false, false]);
});

test('a damaged journal is refused with its path, never skipped', async () => {
  const path = newFile();
  await (await openSqliteStore({ path })).close();
  writeFileSync(`${path}-calls`, 'Dear diary\n');
  await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'INTERNAL', message: expect.stringContaining(`${path}-calls`) });
});

test('while another program locks the database, calls continue, and are saved after the lock is released', async () => {
  const path = newFile();
  const onError = vi.fn();
  const store = await openSqliteStore({ path, onError });
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const before = performance.now();
  for (let turn = 0; turn < 30; turn++) await Promise.all(Array.from({ length: 20 }, () => runCall(store)));
  expect(performance.now() - before).toBeLessThan(1_500);

  other.exec('COMMIT');
  await vi.waitFor(() => expect(query(path, 'SELECT count(*) AS n FROM invocations')).toEqual([{ n: 600 }]));
  other.close();
  await store.close();
});

test.runIf(existsSync('/dev/full'))('a full disk at the restart of the journal costs no calls, no files, and no second start', async () => {
  const path = newFile();
  const onError = vi.fn();
  const store = await openSqliteStore({ path, onError });
  symlinkSync('/dev/full', `${path}-calls.next`);
  const openFiles = () => readdirSync('/proc/self/fd').length;
  let before = 0;
  for (let failures = 1; failures <= 3; failures++) {
    // One that ended makes a batch, and the journal long enough for a new one; one that runs has to stand in that.
    await Promise.all([
      runCall(store, 'kept', 'x'.repeat(LONG_BYTES)),
      store.invocations.start(aCall({ idempotencyKey: `running-${failures}` })),
    ]);
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(failures));
    // The first batch starts the worker thread, which opens its own files.
    before ||= openFiles();
  }
  expect(onError).toHaveBeenLastCalledWith(expect.objectContaining({ code: 'ENOSPC' }));
  expect(openFiles()).toBe(before);
  rmSync(`${path}-calls.next`);
  mkdirSync(`${path}-calls.next`);
  await runCall(store, 'kept');
  await expect(store.close()).rejects.toThrow('EISDIR');

  rmSync(`${path}-calls.next`, { recursive: true });
  const next = await openSqliteStore({ path });
  onTestFinished(() => next.close());
  expect((await next.invocations.list({ limit: 9 })).map(({ outcome }) => outcome?.code).sort()).toEqual([
    ...Array(4).fill('OK'),
    ...Array(3).fill(undefined),
  ]);
});

test('a long journal is restarted, and calls that ran then can end', async () => {
  const path = newFile();
  const store = await openSqliteStore({ path });
  const running = aCall({ idempotencyKey: 'running' });
  await Promise.all([store.invocations.start(running), runCall(store, 'long', 'x'.repeat(LONG_BYTES))]);
  await vi.waitFor(() => expect(statSync(`${path}-calls`).size).toBeLessThan(1_000));
  await store.invocations.end(running.id, OK);
  await store.close();
  expect(statSync(`${path}-calls`).size).toBe(0);
  expect(query(path, "SELECT code FROM invocations WHERE code = 'OK'")).toHaveLength(2);
});

test('keys of an earlier process are known, from the start and after all are read', async () => {
  const path = newFile();
  const former = await openSqliteStore({ path });
  const keys = Array.from({ length: 1_000 }, (_, index) => `former-${index}`);
  await Promise.all(keys.map((idempotencyKey) => former.invocations.start(aCall({ idempotencyKey }))));
  await former.close();

  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  const taken = () => Promise.all([...keys, 'fresh'].map((key) => store.invocations.find(aCall().agentKeyId, key)));
  const expected = [...keys.map((idempotencyKey) => expect.objectContaining({ idempotencyKey })), undefined];
  expect(await taken()).toEqual(expected);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(await taken()).toEqual(expected);
  expect(await store.invocations.start(aCall({ idempotencyKey: 'former-999' }))).toBe(false);
});

test('the promises of a turn are in the journal, also if the database cannot be written at the close', async () => {
  const path = newFile();
  const store = await openSqliteStore({ path, onError: () => {} });
  const other = new DatabaseSync(path);
  const call = aCall({ idempotencyKey: 'once' });
  await store.invocations.start(call);
  other.exec('BEGIN IMMEDIATE');
  const ended = store.invocations.end(call.id, OK);
  await expect(store.close()).rejects.toThrow('locked');
  await ended;
  other.exec('COMMIT');
  other.close();

  const next = await openSqliteStore({ path });
  onTestFinished(() => next.close());
  expect(await next.invocations.list({ limit: 9 })).toMatchObject([{ id: call.id, outcome: { code: 'OK' } }]);
});

test('a lock file that cannot be created is reported', async () => {
  const path = newFile();
  mkdirSync(`${path}-lock`);
  await expect(openSqliteStore({ path })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(`${path}-lock`),
  });
});

test('other writes do not wait and do not break the transaction', async () => {
  const store = await openSqliteStore({ path: newFile() });
  onTestFinished(() => store.close());
  const calls = [aCall(), aCall()];
  await Promise.all([
    store.invocations.start(calls[0] as ReturnType<typeof aCall>),
    store.keys.insert(aKey()),
    store.catalog.insertToolkit({ id: 'weather', name: 'Weather', description: '', createdAt: 1 }),
    store.catalog.changeActions('weather', { upsert: [], remove: ['none'] }),
    store.invocations.start(calls[1] as ReturnType<typeof aCall>),
  ]);
  expect(await store.invocations.list({ limit: 9 })).toHaveLength(2);
  expect(await store.keys.list()).toHaveLength(1);
});

test('evidence does not wait for a lock: while another process writes it is refused at once, and keys still wait', async () => {
  const path = newFile();
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const before = performance.now();
  await expect(store.evidence.remove([{ action: 'a__b', query: 'q', agentKeyId: 'key_a' }])).rejects.toThrow('locked');
  expect(performance.now() - before).toBeLessThan(1_000);
  other.exec('COMMIT');
  other.close();
});

test('a deleted text is erased from the files', async () => {
  const path = newFile();
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  const times = { succeededAt: 1, changedAt: 1 };
  const record = { action: 'a__b', query: 'q', agentKeyId: 'key_a', terms: ['x'], successes: 1, failures: 0, ...times };
  await store.evidence.save([{ ...record, text: 'zebra crossing' }]);
  const found = () => [path, `${path}-wal`].some((file) => existsSync(file) && readFileSync(file).includes('zebra'));
  expect(found()).toBe(true);
  await store.evidence.forgetTexts();
  expect(found()).toBe(false);
});

test('lists and clean-up read an index, not the whole history', async () => {
  const path = newFile();
  await (await openSqliteStore({ path })).close();
  const plans = [
    'SELECT * FROM invocations ORDER BY id DESC LIMIT 50',
    'SELECT * FROM invocations WHERE code IS NULL ORDER BY started_at',
    'SELECT id FROM invocations WHERE started_at < 5 AND idempotency_key IS NOT NULL LIMIT 500',
    "SELECT * FROM invocations WHERE agent_key_id = 'a' AND idempotency_key = 'b'",
    'SELECT * FROM evidence WHERE changed_at >= 5 ORDER BY changed_at',
  ].map((sql) => query(path, `EXPLAIN QUERY PLAN ${sql}`)[0]?.detail);
  expect(plans).toEqual([
    expect.stringContaining('autoindex_invocations'),
    expect.stringContaining('invocations_unfinished'),
    expect.stringContaining('invocations_forgettable'),
    expect.stringContaining('invocations_idempotency'),
    expect.stringContaining('evidence_changed'),
  ]);
});

test('acknowledged data are kept after a kill -9 during a write', async () => {
  const path = newFile();
  const child = startChild('write', path);
  const acknowledged: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => acknowledged.push(text));
  await vi.waitFor(() => expect(acknowledged.join('').length).toBeGreaterThan(20_000), { interval: 1 });
  child.kill('SIGKILL');
  await once(child, 'close');

  // The last line may have been cut by the kill.
  const ids = acknowledged.join('').split('\n').slice(0, -1);
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  const kept = new Map((await store.invocations.list({ limit: 1_000_000 })).map((call) => [call.id, call]));
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => kept.get(id)?.outcome?.code !== 'OK')).toEqual([]);
});

/** The child runs the store from source: bundled once, as Node itself reads neither `.sql` nor extensionless imports. */
const childScript = join(home, 'child', 'store-child.js');
beforeAll(async () => {
  await build({
    entry: [fileURLToPath(new URL('./store-child.ts', import.meta.url))],
    outDir: join(home, 'child'),
    outExtension: () => ({ js: '.js' }),
    format: ['cjs'],
    target: 'node22',
    loader: { '.sql': 'text' },
    noExternal: [/.*/],
    removeNodeProtocol: false,
    config: false,
    dts: false,
    silent: true,
  });
  expect(existsSync(childScript)).toBe(true);
  chmodSync(home, 0o755);
});

/** Root may write every file, so the child runs as another user. */
const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function asOwner(...paths: string[]): void {
  if (somebody.uid !== undefined) for (const path of paths) chownSync(path, somebody.uid, somebody.gid);
}

function startChild(task: 'open' | 'write', path: string, user = {}) {
  return spawn(process.execPath, [childScript, task, path], { stdio: ['ignore', 'pipe', 'inherit'], ...user });
}

async function openInChild(path: string, user = {}): Promise<string> {
  const child = startChild('open', path, user);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output.trim();
}

async function runCall({ invocations }: Store, idempotencyKey?: string, body = OK.body): Promise<void> {
  const call = aCall(idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}-${++calls}` });
  await invocations.start(call);
  await invocations.end(call.id, { ...OK, body });
}

function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function query(path: string, sql: string) {
  const database = new DatabaseSync(path);
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}
