/** Changes that end the access of an app, and changes that leave it. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { backupData } from 'svc-service';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type ConnectedAppsPage, type Settings } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, type SignedInPerson, startConsole } from '../../../../test/support/console-service';
import { makeFolder } from '../../../../test/support/folder';
import { startService } from '../../../../test/support/service';
import { OAuthClient, ping, type Tokens, tokensOf } from '../../support/oauth-client';

const errorOf = async (response: Response) => [response.status, (await response.json()).error];

interface Connected {
  service: ConsoleService;
  person: SignedInPerson;
  client: OAuthClient;
  tokens: Tokens;
  /** A code that was not exchanged yet. */
  code: string;
  keyId: string;
}

async function connect(): Promise<Connected> {
  const service = await startConsole();
  const person = await service.join('mia', 'owner');
  const client = await OAuthClient.register(service.url);
  const tokens = await client.signIn(person);
  const { apps } = await service.owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
  return { service, person, client, tokens, code: await client.code(person), keyId: apps[0]?.id ?? '' };
}

async function expectEnded({ service, client, tokens, code }: Connected): Promise<void> {
  expect((await ping(service.url, tokens.access_token)).status).toBe(401);
  expect(await errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
  expect(await errorOf(await client.exchange(code))).toEqual([400, 'invalid_grant']);
  expect((await service.owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps)).apps).toEqual([]);
}

async function expectGoesOn({ service, client, tokens, code }: Connected): Promise<void> {
  expect((await ping(service.url, tokens.access_token)).status).toBe(200);
  const next = await tokensOf(await client.refresh(tokens.refresh_token));
  expect((await ping(service.url, next.access_token)).status).toBe(200);
  expect((await client.exchange(code)).status).toBe(200);
}

const settings = (service: ConsoleService, change: Partial<Settings>) => service.owner.json('PATCH', ADMIN_PATHS.settings, change);

describe('an app is ended at once, with its open code', () => {
  test.each<[string, (connected: Connected) => Promise<unknown>]>([
    ['Disconnect', ({ person, keyId }) => person.json('DELETE', `${ADMIN_PATHS.connectedApps}/${keyId}`)],
    ['Disconnect by an owner', ({ service, keyId }) => service.owner.json('DELETE', `${ADMIN_PATHS.connectedApps}/${keyId}`)],
    ['the revocation of its key', ({ person, keyId }) => person.json('DELETE', `${PATHS.keys}/${keyId}`)],
    ['the removal of the person', ({ service, person }) => service.owner.json('DELETE', `${ADMIN_PATHS.people}/${person.id}`)],
  ])('by %s', async (_what, end) => {
    const connected = await connect();
    await end(connected);
    await expectEnded(connected);
  });
});

describe('an app goes on', () => {
  test.each<[string, (connected: Connected) => Promise<unknown>]>([
    [
      'its person becomes a member',
      ({ service, person }) => service.owner.json('PATCH', `${ADMIN_PATHS.people}/${person.id}`, { role: 'member' }),
    ],
    ['its person signs out', ({ person }) => person.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {})],
    ['owners turn off new apps', ({ service }) => settings(service, { connectApps: 'off' })],
    ['owners allow other hosts alone', ({ service }) => settings(service, { connectAppHosts: ['claude.ai'] })],
  ])('when %s', async (_what, change) => {
    const connected = await connect();
    await change(connected);
    await expectGoesOn(connected);
  });
});

test('another person neither sees nor ends an app, and its key gets no secret', async () => {
  const { service, person, tokens, keyId } = await connect();
  const bob = await service.join('bob');
  expect((await bob.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps)).apps).toEqual([]);
  expect((await bob.ask('DELETE', `${ADMIN_PATHS.connectedApps}/${keyId}`)).status).toBe(404);
  for (const who of [person, service.owner]) expect((await who.ask('POST', `${PATHS.keys}/${keyId}/rotate`)).status).toBe(400);
  const { id } = await service.keys.create({ kind: 'agent', name: 'no app' });
  expect((await service.owner.ask('DELETE', `${ADMIN_PATHS.connectedApps}/${id}`)).status).toBe(404);
  expect((await ping(service.url, tokens.access_token)).status).toBe(200);
});

test('an app that is disconnected and connected again has a new key, and its former tokens stay ended', async () => {
  const connected = await connect();
  const { service, person, client, tokens, keyId } = connected;
  await person.json('DELETE', `${ADMIN_PATHS.connectedApps}/${keyId}`);
  const again = await client.signIn(person);
  const { apps } = await person.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
  expect(apps.map(({ id }) => id)).not.toContain(keyId);
  expect((await ping(service.url, again.access_token)).status).toBe(200);
  expect((await ping(service.url, tokens.access_token)).status).toBe(401);
  expect(await errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
});

test('after a backup was restored people sign in again, and the service runs', async () => {
  const [folder, restored] = [makeFolder(), makeFolder()];
  onTestFinished(() => [folder, restored].forEach(({ remove }) => remove()));
  const service = await startConsole({ data: folder.path });
  const client = await OAuthClient.register(service.url);
  const kept = await client.signIn(service.owner);
  const backup = join(restored.path, 'backup.sqlite');
  await backupData(folder.path, { to: backup });
  let newest = kept;
  for (let refresh = 0; refresh < 3; refresh++) newest = await tokensOf(await client.refresh(newest.refresh_token));
  const later = await client.signIn(service.owner);
  await service.close();

  cpSync(backup, join(restored.path, 'svc.sqlite'));
  const again = await startService({ data: restored.path, console: true });
  const there = client.at(again.url);
  const noResource = { resource: undefined };
  // Newer than the grant of the backup, and of a grant that the backup does not have.
  for (const { refresh_token } of [newest, later])
    expect(await errorOf(await there.refresh(refresh_token, noResource))).toEqual([400, 'invalid_grant']);
  expect((await ping(again.url, later.access_token)).status).toBe(401);
  // The token of the time of the backup is the current one again.
  expect((await there.refresh(kept.refresh_token, noResource)).status).toBe(200);
});
