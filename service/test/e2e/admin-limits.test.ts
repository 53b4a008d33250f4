/** The limits of a signed-in person: high enough for normal use by hand or program. */
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { locationOf } from '../../src/store/location';
import { openKeyStore } from '../../src/store/open-store';
import { aKey } from '../contract/store-records';

async function codesOf(who: Asker, times: number, method: string, path: string, body?: object): Promise<string[]> {
  const codes: string[] = [];
  for (let time = 0; time < times; time++) {
    const response = await who.ask(method, path, body);
    codes.push(response.ok ? 'OK' : ((await response.json()) as { code: string }).code);
  }
  return codes;
}

test('a person may make 120 changes a minute, gets the wait, and can still read; others and admin keys are not limited', async () => {
  const { owner, join, as } = await startConsole();
  const [anna, ben] = [await join('anna'), await join('ben')];
  const { key } = await owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'admin', name: 'provisioning' });
  const change = ['DELETE', `${PATHS.keys}/key_none`] as const;
  expect(await codesOf(anna, 121, ...change)).toEqual([...Array(120).fill('NOT_FOUND'), 'RATE_LIMITED']);
  const refused = await anna.ask('POST', PATHS.keys, { kind: 'agent', name: 'one more' });
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) });
  expect((await anna.ask('GET', ADMIN_PATHS.me)).status).toBe(200);
  expect(await codesOf(anna, 1, 'POST', `${PATHS.keys}/key_none/search`, { query: 'x' })).toEqual(['NOT_FOUND']);
  expect(await codesOf(ben, 1, ...change)).toEqual(['NOT_FOUND']);
  expect(await codesOf(as(key), 200, ...change)).toEqual(Array(200).fill('NOT_FOUND'));
});

test('after 300 calls a minute as a key, a person can still read and change', async () => {
  const { join } = await startConsole();
  const anna = await join('anna');
  const { id } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'mine' });
  const codes = await codesOf(anna, 301, 'POST', `${PATHS.keys}/${id}/resolve`, { action: 'none__none' });
  expect(codes.slice(0, 300)).not.toContain('RATE_LIMITED');
  expect(codes[300]).toBe('RATE_LIMITED');
  expect(await codesOf(anna, 1, 'PATCH', `${PATHS.keys}/${id}`, { name: 'other' })).toEqual(['OK']);
});

test('a member has 200 active keys at most; those that ended, and those of owners, do not count', async () => {
  const { path: data, remove } = makeFolder();
  onTestFinished(remove);
  const { owner, join } = await startConsole({ data });
  const anna = await join('anna');
  const store = await openKeyStore(locationOf(data));
  const make = (who: Asker) => who.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'one more' });
  const ended = [aKey({ ownerId: anna.id, revokedAt: 1 }), aKey({ ownerId: anna.id, expiresAt: 1 })];
  for (const ownerId of [anna.id, owner.id]) for (let count = 0; count < 199; count++) await store.keys.insert(aKey({ ownerId }));
  for (const key of ended) await store.keys.insert(key);
  await store.close();

  const last = await make(anna);
  await expect(make(anna)).rejects.toMatchObject({ code: 'NOT_PERMITTED', message: expect.stringContaining('200 active keys') });
  await anna.json('DELETE', `${PATHS.keys}/${last.id}`);
  await make(anna);
  for (let count = 0; count < 3; count++) await make(owner);
});
