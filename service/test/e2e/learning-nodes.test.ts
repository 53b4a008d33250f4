/** Processes on one store share their evidence: two learning rooms, each with its own connection to the same file. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder } from '../../../test/support/folder';
import { UsageIndex } from '../../src/catalog/search/index';
import { HashedTerms, Learning, type LearningSetting } from '../../src/learning/index';
import { silentLogger } from '../../src/lib/logger';
import { Searches } from '../../src/searches/searches';
import { openSqliteData } from '../../src/store/sqlite/open';
import { NOBODY_ELSE } from '../support/searches';

const DAY_MS = 24 * 60 * 60 * 1000;

async function openRoom(path: string, { setting = 'hashed', now = Date.now }: { setting?: LearningSetting; now?: () => number } = {}) {
  const store = await openSqliteData({ path });
  const terms = new HashedTerms();
  const usage = new UsageIndex((query) => terms.of(query));
  const logger = { ...silentLogger, error: vi.fn() };
  const learning = await Learning.open({ store, usage, terms, setting, logger, now });
  onTestFinished(async () => {
    await learning.close();
    await store.close();
  });
  const searches = new Searches({ cluster: NOBODY_ELSE, node: 'node_a', now });
  searches.observe(learning);
  const use = (keyId: string, query: string, action: string) => {
    const searchId = searches.searched({ keyId, query, shown: [action], previousId: undefined });
    if (searchId !== undefined) searches.outcomeRecorded({ searchId, agentKeyId: keyId, action, code: 'OK' });
  };
  return { store, learning, logger, use, votes: (query: string) => usage.votes(query).votes.get('mail__send') ?? 0, usage };
}

function file(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return join(path, 'svc.sqlite');
}

test('a node has the evidence of the other after its next poll, and both continue to write', async () => {
  const path = file();
  const [one, other] = [await openRoom(path), await openRoom(path)];
  one.use('key_a', 'tell my boss', 'mail__send');
  await one.learning.sync();
  expect(other.votes('tell the boss')).toBe(0);
  await other.learning.sync();
  expect(other.votes('tell the boss')).toBeCloseTo(one.votes('tell the boss'), 5);

  other.use('key_b', 'tell my boss', 'mail__send');
  await other.learning.sync();
  await one.learning.sync();
  expect(one.votes('tell the boss')).toBeCloseTo(other.votes('tell the boss'), 5);
  expect(await one.store.evidence.changedSince(0)).toHaveLength(2);
});

test('a clock that was ahead for a while does not keep them from hearing of each other', async () => {
  const path = file();
  let ahead = DAY_MS;
  const [one, other] = [await openRoom(path, { now: () => Date.now() + ahead }), await openRoom(path)];
  one.use('key_a', 'tell my boss', 'mail__send');
  for (const room of [one, other]) await room.learning.sync();
  ahead = 0;
  other.use('key_b', 'paint a house', 'mail__send');
  for (const room of [other, one]) await room.learning.sync();
  expect(one.votes('paint a house')).toBeGreaterThan(0);
  one.use('key_a', 'sing a song', 'mail__send');
  for (const room of [one, other]) await room.learning.sync();
  expect(other.votes('sing a song')).toBeGreaterThan(0);
});

test('when one node clears all evidence, the other clears it too and starts anew', async () => {
  const path = file();
  const [one, other] = [await openRoom(path), await openRoom(path)];
  one.use('key_a', 'tell my boss', 'mail__send');
  await one.learning.sync();
  await other.learning.sync();
  await one.store.evidence.clear();
  for (const room of [one, other]) await room.learning.sync();
  expect([one.usage.size, other.usage.size]).toEqual([0, 0]);
  one.use('key_a', 'tell my boss', 'mail__send');
  await one.learning.sync();
  await other.learning.sync();
  expect(other.votes('tell the boss')).toBeGreaterThan(0);
});

test('while the file is locked nothing is lost: the lock is reported, and the data are kept and written later', async () => {
  const { DatabaseSync } = await import('node:sqlite');
  const path = file();
  const room = await openRoom(path);
  const locker = new DatabaseSync(path);
  locker.exec('BEGIN IMMEDIATE');
  room.use('key_a', 'tell my boss', 'mail__send');
  await room.learning.sync();
  expect(room.logger.error).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(room.logger.error.mock.calls)).not.toContain('boss');
  locker.exec('COMMIT');
  locker.close();
  await room.learning.sync();
  expect(await room.store.evidence.changedSince(0)).toHaveLength(1);
});

test('evidence decays over days, and is deleted from the store when too old', async () => {
  const path = file();
  let now = Date.now();
  const room = await openRoom(path, { now: () => now });
  for (const key of ['key_a', 'key_b', 'key_c']) room.use(key, 'tell my boss', 'mail__send');
  await room.learning.sync();
  now += 29 * DAY_MS;
  room.use('key_d', 'tell my boss', 'mail__read');
  const before = room.votes('tell my boss');
  now += 60 * DAY_MS;
  room.use('key_d', 'tell my boss', 'mail__read');
  await room.learning.sync();
  expect(room.votes('tell my boss')).toBeLessThan(before);
  now += 150 * DAY_MS;
  await room.learning.sync();
  expect((await room.store.evidence.changedSince(0)).map(({ agentKeyId }) => agentKeyId)).toEqual(['key_d']);
});

test('with off nothing is held, read or written', async () => {
  const path = file();
  const room = await openRoom(path, { setting: 'off' });
  room.use('key_a', 'tell my boss', 'mail__send');
  await room.learning.close();
  expect(await room.store.evidence.changedSince(0)).toEqual([]);
  expect(room.usage.size).toBe(0);
});

test.each(['switched to hashed', 'cleared', 'of a key that was revoked before'])(
  'of many texts, %s, none stays in the files',
  async (how) => {
    const path = file();
    const room = await openRoom(path, { setting: 'text' });
    for (let i = 0; i < 600; i++) {
      const word = [...String(i)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('');
      room.use(`key_${i % 3}`, `zebra crossing ${word} ${'and so on '.repeat(i % 20)}`, `mail__send${i % 7}`);
      if (i % 50 === 0) await room.learning.sync();
    }
    await room.learning.sync();
    if (how === 'cleared') await room.store.evidence.clear();
    if (how.startsWith('of a key')) for (const key of ['key_0', 'key_1', 'key_2']) await room.store.evidence.removeKey(key);
    if (how !== 'cleared') await openRoom(path);
    expect(readdirSync(dirname(path)).filter((name) => readFileSync(join(dirname(path), name)).includes('zebra'))).toEqual([]);
  },
);
