import { expect, test } from 'vitest';
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
