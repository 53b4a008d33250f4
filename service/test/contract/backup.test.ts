/** Backups of a SQLite store, at any moment of its life. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { backupData, exportData, openKeys } from 'svc-service';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open';
import type { Durability, InvocationOutcome, Store } from '../../src/store/store';
import { fillStore } from '../support/full-store';
import { aCall, OK } from './store-records';

const home = mkdtempSync(join(tmpdir(), 'svc-backup-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let names = 0;
const newPath = () => join(home, `${++names}`);

async function newStore(durability: Durability = 'normal'): Promise<{ data: string; store: Store }> {
  const data = newPath();
  mkdirSync(data);
  const store = await openSqliteStore({ path: join(data, 'svc.sqlite'), durability });
  onTestFinished(() => store.close());
  return { data, store };
}

/** The data of a service that starts on the backup. */
async function restored<T>(file: string, use: (store: Store) => Promise<T>): Promise<T> {
  const data = newPath();
  mkdirSync(data);
  copyFileSync(file, join(data, 'svc.sqlite'));
  const store = await openSqliteStore({ path: join(data, 'svc.sqlite') });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

test('a backup has all data, in one file that only its owner can read', async () => {
  const { data, store } = await newStore();
  await fillStore(store);
  const folder = newPath();
  mkdirSync(folder);
  const file = join(folder, 'backup.sqlite');
  await backupData(data, { to: file });
  expect(readdirSync(folder)).toEqual(['backup.sqlite']);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const copy = newPath();
  mkdirSync(copy);
  copyFileSync(file, join(copy, 'svc.sqlite'));
  const exports = [newPath(), newPath()] as const;
  await exportData(data, { to: exports[0] });
  await exportData(copy, { to: exports[1] });
  expect(readFileSync(exports[1]).equals(readFileSync(exports[0]))).toBe(true);
  const objects = (path: string) =>
    new DatabaseSync(path, { readOnly: true }).prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all();
  expect(objects(file)).toEqual(objects(join(data, 'svc.sqlite')));
});

test.each<Durability>(['normal', 'full'])(
  'durability %s: a backup has all acknowledged calls, and running ones are unfinished or ended',
  async (durability) => {
    const { data, store } = await newStore(durability);
    const { invocations } = store;
    /** The outcomes of each call, and the number of promised ones. */
    const histories = new Map<string, { outcomes: InvocationOutcome[]; promised: number }>();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    const end = async (id: string, code: string) => {
      const history = histories.get(id);
      if (!history) return;
      const place = history.outcomes.push({ code, body: `"${'x'.repeat(random(2_000))}"`, endedAt: random(1_000) });
      await invocations.end(id, history.outcomes[place - 1] as InvocationOutcome);
      history.promised = Math.max(history.promised, place);
    };
    const step = async () => {
      // A key that is free again after a refusal, for another call.
      const idempotencyKey = crypto.randomUUID();
      const refused = aCall({ idempotencyKey });
      if (random(4) === 0 && (await invocations.start(refused)))
        invocations.refused(refused, { code: 'TOOLKIT_OFFLINE', body: null, endedAt: 1 });
      const call = aCall({ idempotencyKey });
      await invocations.start(call);
      histories.set(call.id, { outcomes: [], promised: 0 });
      if (random(3) > 0) await end(call.id, random(4) === 0 ? 'INVOCATION_TIMEOUT' : 'OK');
      // A better outcome of an earlier call.
      const ids = [...histories.keys()];
      if (random(3) === 0) await end(ids[random(ids.length)] ?? call.id, 'OK');
    };
    for (let round = 0; round < 6; round++) {
      let isDone = false;
      const load = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!isDone) await step();
        }),
      );
      await setTimeout(random(150));
      const file = newPath();
      const before = new Map(Array.from(histories, ([id, { promised }]) => [id, promised]));
      await backupData(data, { to: file });
      isDone = true;
      await load;
      await restored(file, async (copy) => {
        for (const [id, promised] of before) {
          const found = await copy.invocations.get(id);
          if (!found) expect.unreachable(`${id} is lost`);
          const { outcomes = [] } = histories.get(id) ?? {};
          const possible = promised === 0 ? [null, ...outcomes] : outcomes.slice(promised - 1);
          if (!possible.some((outcome) => isDeepStrictEqual(outcome, found.outcome))) expect(found.outcome).toBe(possible);
        }
      });
    }
    expect(histories.size).toBeGreaterThan(50);
  },
  60_000,
);

test('the journal of a killed service is part of a backup, and stays unchanged', async () => {
  const data = newPath();
  await (await openKeys(data)).close();
  const call = aCall({ idempotencyKey: 'once' });
  const start = ['start', call.id, call.agentKeyId, 'once', call.requestHash, call.action, call.startedAt];
  const end = ['end', call.id, 'OK', OK.endedAt, Buffer.byteLength(OK.body ?? '')];
  const journal = `${JSON.stringify(start)}\n${JSON.stringify(end)}\n${OK.body}\n["start","torn`;
  writeFileSync(join(data, 'svc.sqlite-calls'), journal);
  const file = newPath();
  await backupData(data, { to: file });
  expect(readFileSync(join(data, 'svc.sqlite-calls'), 'utf8')).toBe(journal);
  await restored(file, async ({ invocations }) => {
    expect(await invocations.find(call.agentKeyId, 'once')).toMatchObject({ id: call.id, outcome: OK });
  });
});

test('data of an older version are copied as they are', async () => {
  const data = newPath();
  mkdirSync(data);
  const path = join(data, 'svc.sqlite');
  const migrations = new URL('../../src/store/migrations/', import.meta.url);
  const [first = ''] = readdirSync(migrations).sort();
  const older = new DatabaseSync(path);
  older.exec(readFileSync(new URL(first, migrations), 'utf8'));
  older.exec(
    'CREATE TABLE svc_migrations (number BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL); INSERT INTO svc_migrations VALUES (1, 1)',
  );
  older.close();
  const file = newPath();
  await backupData(data, { to: file });
  for (const one of [path, file])
    expect(new DatabaseSync(one, { readOnly: true }).prepare('SELECT number FROM svc_migrations').all()).toEqual([{ number: 1 }]);
  await restored(file, async ({ keys }) => expect(await keys.list()).toEqual([]));
});

test('damaged data are reported, and nothing is written', async () => {
  const data = newPath();
  mkdirSync(data);
  const path = join(data, 'svc.sqlite');
  await openSqliteStore({ path }).then((store) => store.close());
  const { size: sizeOfEmpty } = statSync(path);
  const store = await openSqliteStore({ path });
  await fillStore(store);
  await store.close();
  // The tables themselves stay readable, so that the damage is found while rows are copied.
  writeFileSync(path, readFileSync(path).fill(0xff, sizeOfEmpty));
  const folder = newPath();
  mkdirSync(folder);
  await expect(backupData(data, { to: join(folder, 'b') })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(/^Cannot copy .*svc\.sqlite: it is damaged/),
  });
  await expect(exportData(data, { to: join(folder, 'e') })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringMatching(/^Cannot read .*: it is damaged/),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('an existing file is replaced only with force, and data of a service never', async () => {
  const { data, store } = await newStore();
  await store.keys.list();
  const file = newPath();
  writeFileSync(file, 'mine');
  await expect(backupData(data, { to: file })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('--force'),
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await backupData(data, { to: file, force: true });
  await restored(file, async ({ keys }) => expect(await keys.list()).toEqual([]));

  await expect(backupData(data, { to: join(data, 'svc.sqlite'), force: true })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('belongs to the data of a service'),
  });
  await expect(backupData(data, { to: home, force: true })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a missing folder, missing data and a stop are reported, and no file is left', async () => {
  const { data } = await newStore();
  const folder = newPath();
  await expect(backupData(data, { to: join(folder, 'b.sqlite') })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(`create the directory ${folder}`),
  });
  mkdirSync(folder);
  await expect(backupData(folder, { to: join(folder, 'b.sqlite') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(backupData(data, { to: join(folder, 'b.sqlite'), signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(readdirSync(folder)).toEqual([]);
});
