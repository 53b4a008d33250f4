/** Accounts that the service keeps, over the admin API: who sees and ends which, and whose they are. */
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type AuditPage, type ConnectionInfo, type KeptConnectionsPage } from '#sdk/protocol/admin';
import type { ToolkitAuth } from '#sdk/protocol/connections';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { addKeptRow, type SealedRow } from '../support/sealed-rows';

const make = (who: Asker, body: object) => who.json<CreatedKey>('POST', PATHS.keys, body);

/** Anna has the toolkit, Ben the agent key of an app. */
async function stage(auth: ToolkitAuth = { type: 'bearer', from: 'user' }) {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startConsole({ data: folder.path });
  const [anna, ben] = [await service.join('anna'), await service.join('ben')];
  const { key } = await make(anna, { kind: 'toolkit', name: 'Repos' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'list', actionDescription: 'Lists repositories' }], { toolkit: { auth } });
  const app = await make(ben, { kind: 'agent', name: 'Ben app' });
  const add = (owner: string, more: Partial<SealedRow> = {}) => addKeptRow(folder.path, { toolkitId: 'repos', owner, ...more });
  const list = async (who: Asker, query = '') =>
    (await who.json<KeptConnectionsPage>('GET', `${ADMIN_PATHS.keptConnections}${query}`)).connections;
  return { service, anna, ben, app, add, list };
}

const idsOf = (connections: readonly ConnectionInfo[]) => connections.map(({ id }) => id);

test('owners see all accounts, members those of their toolkits, of their keys with the users of these, and their own', async () => {
  const { service, anna, ben, app, add, list } = await stage();
  const carla = await service.join('carla');
  const carlas = await make(carla, { kind: 'agent', name: 'Carla app' });
  const all = [
    await add('everyone'),
    await add(`agent:${app.id}`),
    await add(`user:${app.id}:u:81`),
    await add(`person:${ben.id}`),
    await add(`user:${carlas.id}:u_82`, { toolkitId: 'repos' }),
    await add(`person:${carla.id}`, { toolkitId: 'other' }),
  ].reverse();
  const [carlaOther, carlaUser, benPerson, benUser, benAgent] = all;
  expect(idsOf(await list(service.owner))).toEqual(all);
  expect(idsOf(await list(anna))).toEqual(all.slice(1));
  expect(idsOf(await list(ben))).toEqual([benPerson, benUser, benAgent]);
  expect(idsOf(await list(carla))).toEqual([carlaOther, carlaUser]);
  expect(idsOf(await list(service.owner, '?toolkit=other'))).toEqual([carlaOther]);
  expect(idsOf(await list(ben, '?mine=true'))).toEqual([benPerson]);
  expect(await list(service.owner, '?mine=true')).toEqual([]);
});

test('the people of a toolkit learn neither the users of an app nor its key; the owner of the key does', async () => {
  const { service, anna, ben, app, add, list } = await stage();
  await add(`user:${app.id}:u:81`, { account: 'octocat', scopes: 'repo gist' });
  const key = { id: app.id, name: 'Ben app' };
  const shown = {
    toolkit: 'repos',
    name: 'default',
    default: false,
    status: 'live',
    account: 'octocat',
    scopes: ['repo', 'gist'],
    mine: false,
  };
  for (const who of [ben, service.owner]) expect(await list(who)).toMatchObject([{ ...shown, owner: { kind: 'user', key, user: 'u:81' } }]);
  const [seen] = await list(anna);
  expect(seen).toMatchObject(shown);
  expect(seen?.owner).toEqual({ kind: 'user' });
});

test('a list of many has pages, and no account is on two of them or on none', async () => {
  const { service, app, add } = await stage();
  const ids: string[] = [];
  for (let user = 0; user < 5; user++) ids.unshift(await add(`user:${app.id}:${user}`));
  const pages: string[][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path: string = `${ADMIN_PATHS.keptConnections}?limit=2${cursor && `&cursor=${cursor}`}`;
    const page: KeptConnectionsPage = await service.owner.json('GET', path);
    pages.push(idsOf(page.connections));
    cursor = page.nextCursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(ids);
});

test('the default of an owner is one account, and only that owner chooses it', async () => {
  const { anna, ben, service, add, list } = await stage();
  const carla = await service.join('carla');
  const owner = `person:${ben.id}`;
  const [home, work] = [await add(owner, { name: 'home' }), await add(owner, { name: 'work' })];
  const change = (who: Asker, id: string) => who.json('PATCH', `${ADMIN_PATHS.keptConnections}/${id}`, { default: true });
  await change(ben, home);
  await change(ben, work);
  expect((await list(ben)).map(({ name, default: isDefault }) => [name, isDefault])).toEqual([
    ['work', true],
    ['home', false],
  ]);
  await expect(change(carla, home)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(change(ben, 'con_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(ben.json('PATCH', `${ADMIN_PATHS.keptConnections}/${home}`, { default: false })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
  });
  // She sees it at her toolkit.
  await expect(change(anna, home)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  expect((await list(ben)).find(({ default: isDefault }) => isDefault)?.name).toBe('work');
  await change(service.owner, home);
  expect((await list(ben)).find(({ default: isDefault }) => isDefault)?.name).toBe('home');
});

test('an ended account is gone at once, and the audit log says who ended it, without its secret', async () => {
  const { service, anna, ben, app, add, list } = await stage();
  const carla = await service.join('carla');
  const id = await add(`user:${app.id}:u_81`, { account: 'octocat', sealed: 'canary-of-a-secret' });
  const path = `${ADMIN_PATHS.keptConnections}/${id}`;
  await expect(carla.json('DELETE', path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await ben.json('DELETE', path)).toEqual({ provider: 'not asked' });
  expect(await list(anna)).toEqual([]);
  await expect(ben.json('DELETE', path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  expect(entries.find(({ what }) => what === 'connection.end')).toMatchObject({
    actor: { kind: 'person', id: ben.id },
    subject: 'repos',
    details: { connection: id, owner: `user:${app.id}:u_81`, account: 'octocat', provider: 'not asked' },
  });
  expect(JSON.stringify(entries)).not.toContain('canary');
});

test('every report of the toolkit says which account it asks for, and the list finds those for people', async () => {
  const auth: ToolkitAuth = {
    type: 'oauth2',
    from: 'user',
    authorizationUrl: 'https://a.example/auth',
    tokenUrl: 'https://a.example/token',
    scopes: ['repo'],
  };
  const { ben } = await stage(auth);
  expect(await ben.json('GET', `${ADMIN_PATHS.reports}/toolkits/repos`)).toMatchObject({ auth });
  expect(await ben.json('GET', `${ADMIN_PATHS.reports}/toolkits?auth=user`)).toMatchObject({
    toolkits: [{ id: 'repos', auth }],
    counts: { all: 1 },
  });
  expect(await ben.json('GET', `${ADMIN_PATHS.reports}/toolkits?auth=agent`)).toMatchObject({ toolkits: [], counts: { all: 0 } });
});
