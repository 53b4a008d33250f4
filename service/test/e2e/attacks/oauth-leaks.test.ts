/** The service writes and stores no code, secret or token of an app, and stores nothing for strangers. */
import { expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type ConnectedAppsPage, type InvocationsPage } from '#sdk/protocol/admin';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { startConsole } from '../../../../test/support/console-service';
import { makeFolder } from '../../../../test/support/folder';
import { OAuthClient, ping, postJson, REDIRECT } from '../../support/oauth-client';
import { exported, filesIn, recordingLogger } from '../../support/recorded-places';
import { rowsOf } from '../../support/rows-of';

test('no code, verifier, secret or token is in the log, the data, the audit log, an export or an error', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { logger, written } = recordingLogger();
  const service = await startConsole({ data: folder.path, logger });
  const { url, owner } = service;
  await service.toolkit('shop', (shop) => shop.action({ action: 'who', actionDescription: 'Says who asks' }, ({ userId }) => userId));
  await owner.json('PATCH', ADMIN_PATHS.settings, { content: 'all' });
  const client = await OAuthClient.register(url, { token_endpoint_auth_method: 'client_secret_post' });
  const code = await client.code(owner);
  const answers: string[] = [];
  const keepError = async (response: Response) => void answers.push(`${response.status} ${await response.text()}`);
  await keepError(await client.exchange(code, { redirect_uri: 'https://evil.example' }));
  const first = await (await client.exchange(code)).json();
  const second = await (await client.refresh(first.refresh_token)).json();
  const third = await (await client.refresh(second.refresh_token)).json();
  const invoke = { name: 'invoke_service', arguments: { action: 'shop__who', payload: {} } };
  const headers = { authorization: `Bearer ${third.access_token}`, accept: 'application/json, text/event-stream' };
  const called = await postJson(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: invoke }, headers);
  expect(await called.text()).toContain('usr_');
  // Every way to be refused.
  for (const response of [
    client.exchange(code),
    client.exchange(first.access_token),
    client.refresh(code),
    client.refresh(first.refresh_token),
    client.refresh(third.refresh_token),
    client.token({ grant_type: client.verifier }),
    client.token({
      grant_type: 'refresh_token',
      refresh_token: third.refresh_token,
      client_secret: `${client.registration.client_secret}x`,
    }),
    ping(url, first.refresh_token),
    postJson(`${url}/v1/invoke`, { action: 'shop__who', payload: {} }, headers),
    postJson(url + OAUTH_PATHS.oauthToken, { code, code_verifier: client.verifier, refresh_token: third.refresh_token }),
    owner.ask('POST', `${ADMIN_PATHS.oauth}/requests`, { query: `${client.query()}&code=${code}&code=${code}` }),
    owner.ask('POST', `${ADMIN_PATHS.oauth}/requests`, { query: client.query({ client_id: client.registration.client_secret }) }),
  ])
    await keepError(await response);
  const { invocations } = await owner.json<InvocationsPage>('GET', ADMIN_PATHS.invocations);
  await owner.json('DELETE', `/v1/keys/${invocations[0]?.key.id}`);
  await keepError(await ping(url, third.access_token));
  expect(answers.filter((answer) => answer.startsWith('2'))).toEqual([]);

  const secrets = { code, verifier: client.verifier, secret: client.registration.client_secret ?? '' };
  const tokens = [first, second, third].flatMap(({ access_token, refresh_token }) => [access_token, refresh_token]);
  const canaries = [...Object.values(secrets), ...tokens, ...tokens.map((token) => token.split('.').at(-1))];
  const audit = await (await owner.ask('GET', ADMIN_PATHS.audit)).text();
  const calls = await (await owner.ask('GET', ADMIN_PATHS.invocations)).text();
  const detail = await (await owner.ask('GET', `${ADMIN_PATHS.invocations}/${invocations[0]?.id}`)).text();
  const places = { log: written(), audit, calls, detail, errors: answers.join('\n'), export: await exported(folder.path) };
  await service.close();
  const files = filesIn(folder.path);
  expect([...files.keys()]).toContain('svc.sqlite');
  const data = [...files.values()].join('\n');
  for (const [place, text] of Object.entries({ ...places, data })) {
    expect(text.length).toBeGreaterThan(100);
    expect([place, canaries.filter((canary) => text.includes(canary))]).toEqual([place, []]);
  }
  // The places hold what the canaries belong to.
  expect(audit).toContain('app.replay');
  expect(data).toContain('oauth_grants');
});

test('an export has the key of an app, and no sign-in of it', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { url, owner } = await startConsole({ data: folder.path });
  const client = await OAuthClient.register(url);
  await client.signIn(owner);
  const { apps } = await owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
  const text = await exported(folder.path);
  expect(text).toContain(apps[0]?.id);
  expect(text).not.toMatch(/oauth_|token-secret|client_hash|challenge/);
});

test('strangers who register and send wrong requests leave no row', async () => {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const { url } = await startConsole({ data: folder.path });
  await OAuthClient.register(url);
  const before = rowsOf(folder.path);
  expect(before).toMatchObject({ oauth_codes: 0, oauth_grants: 0, keys: 0 });
  const register = async (index: number) => {
    const client = await OAuthClient.register(url, {
      client_name: `Client ${index}`,
      redirect_uris: [REDIRECT, `https://a${index}.example/cb`],
    });
    expect((await client.exchange('svc_code_x')).status).toBe(400);
    expect((await client.refresh('svc_refresh_x.0.y')).status).toBe(400);
    expect((await client.revoke('svc_refresh_x.0.y')).status).toBe(200);
  };
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 20 }, (_, index) => register(round * 20 + index)));
  expect(rowsOf(folder.path)).toEqual(before);
});
