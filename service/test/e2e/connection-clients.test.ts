/** The admin API for links to the connect page, and for the OAuth clients of toolkits. */
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type AuditPage, type ConnectionClient, type CreatedConnectLink } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { ageSignIns } from '../support/old-sign-ins';

const OAUTH = {
  type: 'oauth2',
  from: 'everyone',
  authorizationUrl: 'https://provider.example/authorize',
  tokenUrl: 'https://provider.example/token',
};
const SECRET = 'canary-client-secret';

async function stage() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startConsole({ data: folder.path });
  const anna = await service.join('anna');
  const toolkit = async (name: string, auth: object | null) => {
    const { key } = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name });
    const raw = await RawToolkit.connect(service, key);
    await raw.register([{ action: 'run', actionDescription: 'Runs' }], { toolkit: { auth } });
    return raw;
  };
  const link = (who: Asker, body: object) => who.json<CreatedConnectLink>('POST', `${ADMIN_PATHS.keptConnections}/links`, body);
  return { service, anna, toolkit, link, data: folder.path };
}

const clientPath = (toolkit: string) => `${ADMIN_PATHS.connectionClients}/${toolkit}`;

test('a link fits what the toolkit asks for, and its maker has the right to connect that account', async () => {
  const { service, anna, toolkit, link } = await stage();
  for (const from of ['caller', 'user', 'agent', 'everyone']) await toolkit(from, { type: 'bearer', from });
  const agent = await anna.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'a' });
  const other = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'toolkit', name: 'b' });
  const mayBe = [
    { toolkit: 'everyone', owner: 'everyone' },
    { toolkit: 'agent', owner: 'agent', keyId: agent.id },
    { toolkit: 'user', owner: 'me', name: 'work' },
  ];
  for (const body of mayBe) {
    const { url, expiresAt } = await link(anna, body);
    expect(url).toMatch(new RegExp(`^${service.url}/connections/connect/[\\w-]{43}$`));
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  }
  const cannotBe = [
    { toolkit: 'caller', owner: 'me' },
    { toolkit: 'user', owner: 'everyone' },
    { toolkit: 'agent', owner: 'me' },
    { toolkit: 'everyone', owner: 'me' },
    { toolkit: 'agent', owner: 'agent' },
    { toolkit: 'everyone', owner: 'everyone', keyId: agent.id },
    { toolkit: 'agent', owner: 'agent', keyId: other.id },
    { toolkit: 'user', owner: 'me', name: 'my account' },
  ];
  for (const body of cannotBe)
    await expect(link(service.owner, body), JSON.stringify(body)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(link(anna, { toolkit: 'agent', owner: 'agent', keyId: 'key_none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(link(anna, { toolkit: 'none', owner: 'me' })).rejects.toMatchObject({ code: 'TOOLKIT_NOT_FOUND' });
});

test('no answer and no audit entry has the secret of a client, and other endpoints of the toolkit are said', async () => {
  const { service, anna, toolkit } = await stage();
  const raw = await toolkit('repos', OAUTH);
  const callbackUrl = `${service.url}/connections/callback/repos`;
  const endpoints = { authorizationUrl: OAUTH.authorizationUrl, tokenUrl: OAUTH.tokenUrl };
  const none = { hasSecret: false, callbackUrl, endpoints };
  expect(await anna.json('GET', clientPath('repos'))).toEqual(none);
  const set = await anna.json<ConnectionClient>('PUT', clientPath('repos'), { clientId: 'Iv1', clientSecret: SECRET });
  expect(set).toEqual({
    ...{ ...none, clientId: 'Iv1', source: 'owner', authMethod: 'basic', hasSecret: true },
    changedAt: expect.any(String),
  });
  expect(await anna.json('GET', clientPath('repos'))).toEqual(set);

  await raw.request('update', { auth: { ...OAUTH, tokenUrl: 'https://evil.example/token' } });
  const other = { endpoints: { ...endpoints, tokenUrl: 'https://evil.example/token' }, otherEndpoints: true };
  expect(await anna.json('GET', clientPath('repos'))).toMatchObject(other);
  await anna.ask('DELETE', clientPath('repos'));
  expect(await anna.json('GET', clientPath('repos'))).toEqual({ ...none, endpoints: other.endpoints });

  const { entries } = await service.owner.json<AuditPage>('GET', ADMIN_PATHS.audit);
  const changes = entries.filter(({ what }) => what === 'connection.client');
  expect(changes.map(({ subject, details }) => [subject, details])).toEqual([
    ['repos', { clientId: null }],
    ['repos', { clientId: 'Iv1' }],
  ]);
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});

test('a client, and an account of more than oneself, need a fresh sign-in', async () => {
  const { anna, toolkit, link, data } = await stage();
  await toolkit('repos', OAUTH);
  await toolkit('notes', { type: 'bearer', from: 'user' });
  ageSignIns(data, 16);
  const old = { code: 'FRESH_SIGN_IN_REQUIRED' };
  await expect(anna.json('PUT', clientPath('repos'), { clientId: 'Iv1' })).rejects.toMatchObject(old);
  await expect(link(anna, { toolkit: 'repos', owner: 'everyone' })).rejects.toMatchObject(old);
  expect(await link(anna, { toolkit: 'notes', owner: 'me' })).toMatchObject({ url: expect.any(String) });
});

test('a toolkit that asks for no account has no links, and one without OAuth has no client', async () => {
  const { anna, toolkit, link } = await stage();
  await toolkit('plain', null);
  await toolkit('static', { type: 'bearer', from: 'everyone' });
  await toolkit('passed', { type: 'oauth2', from: 'caller' });
  await expect(link(anna, { toolkit: 'plain', owner: 'everyone' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  for (const id of ['plain', 'static', 'passed'])
    await expect(anna.json('PUT', clientPath(id), { clientId: 'x' }), id).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
