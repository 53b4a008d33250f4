/** Rows that were changed in the database without a secrets key. */
import { expect, test, vi } from 'vitest';
import type { ConnectionRecord } from '../../../src/store/connection-store';
import { anAccount, aSecretsKey, type KeptRows, keptRows, storeInMemory } from '../../support/connections/kept-rows';

const BEARER = { type: 'bearer', from: 'user' } as const;
const VICTIM = 'user:key_1:u_82';

/** A connection of the attacker, and one of the victim. */
async function twoRows(keys?: string) {
  const rows = await keptRows(BEARER, { ...(keys !== undefined && { keys }) });
  const { kept } = rows;
  const mine = await kept.rows.keep(anAccount({ secret: { type: 'bearer', token: 'gho_mine' } }));
  const theirs = await kept.rows.keep(anAccount({ owner: VICTIM, secret: { type: 'bearer', token: 'gho_theirs' } }));
  return { ...rows, mine, theirs };
}

async function overwrite({ store }: KeptRows, row: ConnectionRecord, seal: Partial<Pick<ConnectionRecord, 'sealed' | 'sealedBy'>>) {
  expect(await store.connections.reseal(row.id, row.version, { sealed: row.sealed, sealedBy: row.sealedBy, ...seal })).toBe(true);
}

async function expectNothing({ kept, ask }: KeptRows): Promise<void> {
  await expect(kept.calls.open(ask())).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('cannot read the stored secret'),
  });
}

test('the secret of another owner does not open in a row of mine', async () => {
  const rows = await twoRows();
  await overwrite(rows, rows.mine, rows.theirs);
  await expectNothing(rows);
  expect((await rows.kept.calls.open(rows.ask({ owner: VICTIM }))).connection.secrets).toEqual(['gho_theirs']);
});

test('the secret of another toolkit, owner or row does not open, even with the id copied', async () => {
  const { kept, mine, theirs } = await twoRows();
  const { sealed, sealedBy } = theirs;
  expect(kept.rows.secretOf(theirs)).toEqual({ type: 'bearer', token: 'gho_theirs' });
  for (const change of [{ toolkitId: 'shop' }, { owner: mine.owner }, { id: mine.id }, { id: mine.id, owner: mine.owner }])
    expect(kept.rows.secretOf({ ...theirs, ...change, sealed, sealedBy })).toBeUndefined();
});

test('a text that was cut, extended or changed in one bit does not open', async () => {
  const rows = await twoRows();
  const { kept, mine } = rows;
  const bytes = Buffer.from(mine.sealed, 'base64url');
  const changed = Array.from({ length: bytes.length }, (_, at) =>
    Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))),
  );
  const variants = [
    ...changed,
    ...[0, 1, 11, 12, 27, 28, bytes.length - 1].map((length) => bytes.subarray(0, length)),
    ...[Buffer.concat([bytes, Buffer.alloc(1)]), bytes.subarray(1), Buffer.alloc(bytes.length)],
  ];
  for (const variant of variants) expect(kept.rows.secretOf({ ...mine, sealed: variant.toString('base64url') })).toBeUndefined();
  await overwrite(rows, mine, { sealed: bytes.subarray(0, -1).toString('base64url') });
  await expectNothing(rows);
});

test('a row of another key does not open, also under a known id', async () => {
  const rows = await twoRows(`${aSecretsKey('k1')},${aSecretsKey('k2')}`);
  await overwrite(rows, rows.mine, { sealedBy: 'k2' });
  await expectNothing(rows);
  await overwrite(rows, rows.mine, { sealedBy: 'none' });
  await expectNothing(rows);
});

test('secrets are sealed again with the first key, so that the former one can go', async () => {
  const [old, young] = [aSecretsKey('k1'), aSecretsKey('k2')];
  const store = await storeInMemory();
  const before = await keptRows(BEARER, { store, keys: old });
  for (let user = 0; user < 250; user++) await before.kept.rows.keep(anAccount({ owner: `user:key_1:u_${user}` }));
  const lost = await keptRows(BEARER, { store, keys: aSecretsKey('k0') });
  await lost.kept.rows.keep(anAccount({ owner: 'everyone' }));

  const both = await keptRows(BEARER, { store, keys: `${young},${old}` });
  expect(await both.kept.reseal()).toEqual({ resealed: 250, unreadable: 1 });
  expect(await both.kept.reseal()).toEqual({ resealed: 0, unreadable: 1 });
  expect(await store.connections.sealCounts()).toEqual([
    { sealedBy: 'k0', count: 1 },
    { sealedBy: 'k2', count: 250 },
  ]);
  const after = await keptRows(BEARER, { store, keys: young });
  const { connection } = await after.kept.calls.open(after.ask({ owner: 'user:key_1:u_249' }));
  expect(connection.secrets).toEqual(['gho_secret']);
});

test('the secrets of clients and webhooks are sealed again too', async () => {
  const [old, young] = [aSecretsKey('k1'), aSecretsKey('k2')];
  const store = await storeInMemory();
  const oauth = { type: 'oauth2', from: 'user', authorizationUrl: 'https://a.example/auth', tokenUrl: 'https://a.example/token' } as const;
  const before = await keptRows(oauth, { store, keys: old });
  const { toolkit } = before.ask();
  await before.kept.clients.set(toolkit, { clientId: 'svc', clientSecret: 'the secret of the client' });
  await before.kept.apps.change('key_1', { webhookUrl: 'https://app.example/hook' });
  const hook = await before.kept.apps.hook('key_1');

  const both = await keptRows(oauth, { store, keys: `${young},${old}` });
  expect(await both.kept.reseal()).toEqual({ resealed: 2, unreadable: 0 });
  const { kept } = await keptRows(oauth, { store, keys: young });
  expect(await kept.clients.providerOf(toolkit)).toMatchObject({ client: { clientSecret: 'the secret of the client' } });
  expect(await kept.apps.hook('key_1')).toEqual(hook);
  expect(await store.connect.sealCounts()).toEqual([
    { sealedBy: 'k2', count: 1 },
    { sealedBy: 'k2', count: 1 },
  ]);
});

test('a secret that changes while it is sealed again keeps its change', async () => {
  const [old, young] = [aSecretsKey('k1'), aSecretsKey('k2')];
  const store = await storeInMemory();
  const before = await keptRows(BEARER, { store, keys: old });
  const row = await before.kept.rows.keep(anAccount());
  const { kept, ask } = await keptRows(BEARER, { store, keys: `${young},${old}` });
  const page = await store.connections.sealedByOthers('k2', { after: '', limit: 10 });
  await kept.rows.keep(anAccount({ secret: { type: 'bearer', token: 'gho_new' } }));
  vi.spyOn(store.connections, 'sealedByOthers').mockResolvedValueOnce(page);
  expect(await kept.reseal()).toEqual({ resealed: 0, unreadable: 0 });
  expect((await kept.calls.open(ask())).connection.secrets).toEqual(['gho_new']);
  expect(await store.connections.find(row.id)).toMatchObject({ sealedBy: 'k2', version: 2 });
});
