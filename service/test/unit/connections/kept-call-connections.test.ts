import { expect, test, vi } from 'vitest';
import { anAccount, keptRows } from '../../support/connections/kept-rows';
import { nextMillisecond } from '../../support/next-millisecond';

const BEARER = { type: 'bearer', from: 'user', help: 'A GitHub token' } as const;

test('a call gets the account of its user, and no other one', async () => {
  const { kept, ask } = await keptRows(BEARER);
  await kept.rows.keep(anAccount());
  const { connection, id } = await kept.calls.open(ask());
  expect(JSON.parse(connection.frameJson)).toEqual({
    type: 'bearer',
    token: 'gho_secret',
    account: 'octocat',
    id: expect.stringMatching(`^${id}[.]`),
  });
  expect(id).toMatch(/^con_/);
  for (const owner of ['user:key_1:u_82', 'user:key_2:u_81', 'agent:key_1', 'everyone', 'person:u_81'])
    await expect(kept.calls.open(ask({ owner }))).rejects.toMatchObject({
      code: 'CONNECTION_REQUIRED',
      details: { connect: { toolkit: 'github', help: 'A GitHub token' } },
    });
});

test('the connection of a toolkit keeps its id until it is connected again', async () => {
  const { kept, ask } = await keptRows(BEARER);
  const idOf = async () => JSON.parse((await kept.calls.open(ask())).connection.frameJson).id;
  await kept.rows.keep(anAccount());
  const first = await idOf();
  expect(await idOf()).toBe(first);
  await nextMillisecond();
  await kept.rows.keep(anAccount({ account: 'hubot' }));
  expect(await idOf()).not.toBe(first);
});

test('a call without a user is refused, and says how to name one', async () => {
  const { kept, ask } = await keptRows(BEARER);
  await kept.rows.keep(anAccount({ owner: 'everyone' }));
  await expect(kept.calls.open(ask({ owner: undefined, userId: undefined }))).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('new Tools({ userId })'),
  });
});

test('of two connections without a default none is taken, and both are named', async () => {
  const { kept, ask, store } = await keptRows(BEARER);
  const work = await kept.rows.keep(anAccount({ name: 'work', secret: { type: 'bearer', token: 'gho_work' } }));
  await nextMillisecond();
  await kept.rows.keep(anAccount({ name: 'home', secret: { type: 'bearer', token: 'gho_home' } }));
  await expect(kept.calls.open(ask())).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('home, work'),
    details: { connect: { toolkit: 'github', connections: ['home', 'work'] } },
  });
  expect((await kept.calls.open(ask({ name: 'home' }))).connection.secrets).toEqual(['gho_home']);
  await store.connections.setDefault(work.id);
  expect((await kept.calls.open(ask())).connection.secrets).toEqual(['gho_work']);
  await expect(kept.calls.open(ask({ name: 'shop' }))).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    details: { connect: { connections: ['home', 'work'] } },
  });
});

test('an account that ended is asked for again, with the reason, even while its token is good', async () => {
  const { kept, ask, store } = await keptRows(BEARER);
  const row = await kept.rows.keep(anAccount());
  const { connection } = await kept.calls.open(ask());
  await store.connections.end(row.id, row.version, 'github.example ended it');
  await expect(kept.calls.open(ask())).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('github.example ended it'),
  });
  await expect(kept.calls.renew(row.id, connection)).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
});

test('an account of another type than the toolkit asks for now is not used', async () => {
  const { kept, ask } = await keptRows(BEARER);
  await kept.rows.keep(anAccount({ secret: { type: 'basic', username: 'ada', password: 'secret' } }));
  await expect(kept.calls.open(ask())).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('connected by basic, and now bearer is needed'),
  });
});

test.each([
  ['basic', { type: 'basic', from: 'user' }, { type: 'basic', username: 'ada', password: 'pass:word' }, {}],
  ['apiKey', { type: 'apiKey', from: 'user' }, { type: 'apiKey', apiKey: 'k-1' }, { in: 'header', name: 'X-API-Key' }],
  ['apiKey', { type: 'apiKey', from: 'user', in: 'query', name: 'key' }, { type: 'apiKey', apiKey: 'k-1' }, { in: 'query', name: 'key' }],
] as const)('a kept %s arrives in its parts, at the place that the toolkit names', async (_type, auth, secret, place) => {
  const { kept, ask } = await keptRows(auth);
  await kept.rows.keep(anAccount({ secret, account: '' }));
  expect(JSON.parse((await kept.calls.open(ask())).connection.frameJson)).toMatchObject({ ...secret, ...place });
});

test('a static key that the API refused stays, with the fault, until its user connects again', async () => {
  const { kept, ask, store } = await keptRows(BEARER);
  const row = await kept.rows.keep(anAccount());
  const { connection } = await kept.calls.open(ask());
  await expect(kept.calls.renew(row.id, connection)).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
  expect(await store.connections.find(row.id)).toMatchObject({ status: 'live', fault: expect.stringContaining('The API refused it') });
  const again = await kept.rows.keep(anAccount({ secret: { type: 'bearer', token: 'gho_new' } }));
  expect(again).toMatchObject({ id: row.id, version: 2, fault: null });
  expect((await kept.calls.renew(row.id, connection)).secrets).toEqual(['gho_new']);
});

test('the use of an account is recorded, exact to a minute', async () => {
  const { kept, ask, store } = await keptRows(BEARER);
  const { id } = await kept.rows.keep(anAccount());
  expect(await store.connections.find(id)).toMatchObject({ usedAt: null });
  const start = Date.now();
  for (const [seconds, recorded] of [
    [0, 0],
    [59, 0],
    [61, 61],
    [100, 61],
  ] as const) {
    vi.useFakeTimers({ toFake: ['Date'], now: start + seconds * 1_000 });
    await kept.calls.open(ask());
    expect(await store.connections.find(id)).toMatchObject({ usedAt: start + recorded * 1_000 });
  }
});
