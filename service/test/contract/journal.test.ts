/** Data of a service of version 0.6.0 that was killed: its journal as that version wrote it, beside tables of that version. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { backupData } from 'svc-service';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { openSqliteStore } from '../../src/store/sqlite/open';

const MIGRATIONS = new URL('../../src/store/migrations/', import.meta.url);
const LAST_OF_0_6_0 = 8;

/** A call that runs, one that ended, one that was refused after its start, one whose start is in the tables, and an entry that the kill has torn. */
const JOURNAL = `["start","inv_00running","key_a","once-1","a1","weather__now",1700000000001]
["start","inv_01ended","key_a","once-2","a2","weather__now",1700000000002]
["end","inv_01ended","OK",1700000000009,15]
{"sum":"3 €"}
["start","inv_02refused","key_a","once-3","a3","weather__later",1700000000003]
["refused","inv_02refused","key_a",null,"a3","weather__later",1700000000003,"TOOLKIT_OFFLINE",1700000000010]
["end","inv_03saved","ACTION_FAILED",1700000000011,null]
["start","inv_04to`;

function killedService(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  const data = join(path, 'data');
  mkdirSync(data);
  const database = new DatabaseSync(join(data, 'svc.sqlite'));
  database.exec('CREATE TABLE svc_migrations (number BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)');
  for (const [index, file] of readdirSync(MIGRATIONS).sort().slice(0, LAST_OF_0_6_0).entries()) {
    database.exec(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
    database.prepare('INSERT INTO svc_migrations VALUES (?, 0)').run(index + 1);
  }
  database.exec(`
    INSERT INTO invocations (id, agent_key_id, idempotency_key, request_hash, action, started_at)
    VALUES ('inv_03saved', 'key_a', 'once-4', 'a4', 'maps__route', 1700000000000)`);
  database.close();
  writeFileSync(join(data, 'svc.sqlite-calls'), JOURNAL);
  return data;
}

const CALLS = [
  { id: 'inv_03saved', idempotencyKey: 'once-4', outcome: { code: 'ACTION_FAILED', body: null, endedAt: 1_700_000_000_011 } },
  { id: 'inv_02refused', idempotencyKey: null, outcome: { code: 'TOOLKIT_OFFLINE', body: null, endedAt: 1_700_000_000_010 } },
  { id: 'inv_01ended', idempotencyKey: 'once-2', outcome: { code: 'OK', body: '{"sum":"3 €"}', endedAt: 1_700_000_000_009 } },
  { id: 'inv_00running', idempotencyKey: 'once-1', requestHash: 'a1', startedAt: 1_700_000_000_001, outcome: null },
];

async function expectCalls(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  onTestFinished(() => store.close());
  const { invocations } = store;
  expect(await invocations.list({ limit: 9 })).toMatchObject(CALLS);
  expect((await invocations.list({ toolkits: ['weather'], limit: 9 })).map(({ id }) => id)).toEqual(CALLS.slice(1).map(({ id }) => id));
  expect(await invocations.takeAbandoned()).toMatchObject([{ id: 'inv_00running', node: store.node }]);
  expect(await invocations.find('key_a', 'once-2')).toMatchObject({ id: 'inv_01ended' });
  expect(await invocations.find('key_a', 'once-3')).toBeUndefined();
}

test('its entries are readable after an upgrade', async () => {
  await expectCalls(join(killedService(), 'svc.sqlite'));
});

test('a backup before the upgrade includes the journal and stays in the older version', async () => {
  const data = killedService();
  const file = join(data, '..', 'copy.sqlite');
  await backupData(data, { to: file });
  const copy = new DatabaseSync(file);
  expect(copy.prepare('SELECT max(number) AS last FROM svc_migrations').get()).toEqual({ last: LAST_OF_0_6_0 });
  copy.close();
  await expectCalls(file);
});
