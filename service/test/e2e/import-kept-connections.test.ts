/** Imports whose users connect their accounts on the connect page: from the document or the server's URL alone to calls, renewals and ends. */
import type { Toolkit } from 'svc-sdk';
import { mcpToolkit, openapiToolkit, pinsOf } from 'svc-service/import';
import { expect, onTestFinished, test } from 'vitest';
import { HEADERS, PATHS } from '#sdk/protocol/http';
import { makeFolder } from '../../../test/support/folder';
import { startService } from '../../../test/support/service';
import { openMcp } from '../../import/mcp/open-mcp';
import { accessToken, accountOf } from '../support/connections/access-token';
import { ConnectStage } from '../support/connections/connect-stage';
import { aSecretsKey } from '../support/connections/kept-rows';
import { startOAuthMcpServer } from '../support/connections/oauth-mcp-server';
import { type OAuthProvider, startOAuthProvider } from '../support/connections/oauth-provider';
import { codeOn, PageBrowser } from '../support/connections/page-browser';
import { recordedApi } from '../support/recorded-api';

/** The id that the stage has. */
const TOOLKIT = 'github';

type Answer = { result?: unknown; code?: string; detail?: string; cause?: { code: string }; connect?: { url: string } };

/** A service for the imported toolkit, and the users of one agent key. */
async function startStage() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const secretsKey = aSecretsKey();
  const service = await startService({ data: folder.path, secretsKey, connections: { privateHosts: ['127.0.0.1'] } });
  const { key: apiKey } = await service.keys.create({ kind: 'toolkit', name: TOOLKIT });
  const { key } = await service.keys.create({ kind: 'agent', name: 'app' });
  const send = async (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
    return (await fetch(service.url + path, { method: 'POST', headers: all, body: JSON.stringify(body) })).json();
  };
  const invoke = (action: string, user: string) =>
    send(PATHS.invoke, { action: `${TOOLKIT}__${action}`, payload: {} }, { [HEADERS.userId]: user });
  return {
    toolkitOptions: { baseUrl: service.url, apiKey },
    callbackUrl: `${service.url}/connections/callback/${TOOLKIT}`,
    invoke,
    async serve(toolkit: Toolkit): Promise<ConnectStage> {
      onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
      void toolkit.run();
      await toolkit.ready;
      return new ConnectStage({ service, toolkit, data: folder.path, secretsKey });
    },
    /** The user opens the link of a refused call and signs in at the provider; the app confirms the code. */
    async connect(provider: OAuthProvider, action: string, { user, account }: { user: string; account: string }): Promise<void> {
      const { connect } = await invoke(action, user);
      const browser = new PageBrowser(service.url);
      const { left } = await browser.submit(await browser.open(connect?.url ?? ''));
      const back = await provider.signIn(left ?? '', account);
      await send(PATHS.connectionConfirmations, { code: codeOn(await browser.open(back.href)), userId: user });
    },
  };
}

test('a document with a sign-in: each user has their own data, and a refused token is renewed', async () => {
  const { toolkitOptions, callbackUrl, invoke, serve, connect } = await startStage();
  const provider = await startOAuthProvider({ redirectUris: [callbackUrl] });
  const refused = new Set<string | undefined>();
  const api = await recordedApi(async ({ headers: { authorization = '' } }, response) => {
    const found = await accountOf(provider, authorization.slice('Bearer '.length));
    const account = refused.has(authorization) || refused.has(found) ? undefined : found;
    response.writeHead(account === undefined ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ account, message: `You sent ${authorization}` }));
  });
  const { authorizationUrl, tokenUrl, accountUrl, clientId, clientSecret } = provider;
  const flows = { authorizationCode: { authorizationUrl, tokenUrl, scopes: { openid: 'who you are' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Accounts', version: '1' },
    paths: { '/me': { get: { operationId: 'me', security: [{ login: ['openid'] }], responses: {} } } },
    components: { securitySchemes: { login: { type: 'oauth2', flows } } },
  };
  const auth = { from: 'user', account: { url: accountUrl, field: '/sub' } } as const;
  const stage = await serve(await openapiToolkit({ document, toolkitId: TOOLKIT, baseUrl: api.url, auth, toolkit: toolkitOptions }));
  await stage.setClient({ clientId, clientSecret });

  expect(await invoke('me', 'ann')).toMatchObject({ code: 'CONNECTION_REQUIRED', connect: { url: expect.any(String) } });
  expect(api.requests).toEqual([]);
  await connect(provider, 'me', { user: 'ann', account: 'ann-at-provider' });
  await connect(provider, 'me', { user: 'bob', account: 'bob-at-provider' });
  expect(await invoke('me', 'bob')).toMatchObject({ result: { account: 'bob-at-provider' } });
  expect(await invoke('me', 'ann')).toMatchObject({ result: { account: 'ann-at-provider', message: 'You sent Bearer [connection]' } });

  refused.add(String(api.requests.at(-1)?.headers.authorization));
  const before = api.requests.length;
  expect(await invoke('me', 'ann')).toMatchObject({ result: { account: 'ann-at-provider' } });
  expect(api.requests).toHaveLength(before + 2);
  expect(await invoke('me', 'bob')).toMatchObject({ result: { account: 'bob-at-provider' } });
  expect(await invoke('me', 'carl')).toMatchObject({ code: 'CONNECTION_REQUIRED' });

  refused.add('ann-at-provider');
  expect(await invoke('me', 'ann')).toMatchObject({
    code: 'CONNECTION_REQUIRED',
    detail: expect.stringContaining('The API refused a token that its provider has just given'),
    connect: { url: expect.any(String) },
  });
});

test('an MCP server with a sign-in: found by its URL, with a session for each account that outlives its tokens', async () => {
  const { toolkitOptions, invoke, serve, connect } = await startStage();
  const features = { registration: { enabled: true }, resourceIndicators: { enabled: false } };
  const provider = await startOAuthProvider({ configuration: { features } });
  const server = await startOAuthMcpServer({ issuer: provider.issuer, accountOf: (token) => accountOf(provider, token) });
  const listing = openMcp({ url: server.url, auth: 'user' }, { listToken: await accessToken(provider, 'operator') });
  const pins = pinsOf({ toolkit: await listing.details(), actions: await listing.listActions() });
  await listing.close();
  await serve(await mcpToolkit({ server: { url: server.url, auth: 'user' }, pins, toolkitId: TOOLKIT, toolkit: toolkitOptions }));

  await connect(provider, 'whose', { user: 'ann', account: 'ann-at-provider' });
  await connect(provider, 'whose', { user: 'bob', account: 'bob-at-provider' });
  expect(await invoke('whose', 'ann')).toMatchObject({ result: 'ann-at-provider in a session of ann-at-provider' });
  expect(await invoke('whose', 'bob')).toMatchObject({ result: 'bob-at-provider in a session of bob-at-provider' });
  expect(await invoke('count', 'ann')).toMatchObject({ result: '1' });

  const open = server.open();
  for (const token of server.tokens.keys()) server.refused.add(token);
  expect(await invoke('count', 'ann')).toMatchObject({ result: '2' });
  expect(await invoke('whose', 'bob')).toMatchObject({ result: 'bob-at-provider in a session of bob-at-provider' });
  expect(server.open()).toBe(open);
  expect(await invoke('whose', 'carl')).toMatchObject({ code: 'CONNECTION_REQUIRED' });
  for (const accounts of server.sessions.values()) expect(accounts.size).toBe(1);
});
