/** Tokens of a real provider, which rotates refresh tokens and ends the grant of one that comes twice. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import type { OAuthGrant } from '../../../src/connections/kept-secret';
import { CallConnection } from '../../../src/lib/call-connection';
import type { ConnectionStore } from '../../../src/store/connection-store';
import { connectAccount, isTaken, oauthOf } from '../../support/connections/connected-account';
import { aSecretsKey, keptRows, storeInMemory } from '../../support/connections/kept-rows';
import { type OAuthProvider, startOAuthProvider } from '../../support/connections/oauth-provider';

const HOUR_MS = 3_600_000;

async function connected({ nodes = 1, ...options }: Parameters<typeof startOAuthProvider>[0] & { nodes?: number } = {}) {
  const at = await startOAuthProvider({ authMethod: 'none', ...options });
  const [store, keys] = [await storeInMemory(), aSecretsKey()];
  const all = await Promise.all(Array.from({ length: nodes }, () => keptRows(oauthOf(at), { store, keys })));
  const [first] = all as [(typeof all)[number], ...typeof all];
  const row = await connectAccount(at, first.kept.rows);
  const used = at.requests.length;
  return { at, ...first, all, row, refreshes: () => at.requests.slice(used).filter((path) => path === '/token').length };
}

/** The time of the store, and so of every token in it. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

test('a token is used as it is while it is good', async () => {
  const { kept, ask, row, refreshes } = await connected();
  const { connection } = await kept.calls.open(ask());
  expect(connection.secrets).toEqual([(kept.rows.secretOf(row) as OAuthGrant).token]);
  expect(JSON.parse(connection.frameJson)).toEqual({
    ...{ id: `${row.id}.${row.connectedAt}`, type: 'bearer', token: connection.secrets[0], account: 'octocat' },
    expiresAt: new Date(row.expiresAt ?? 0).toISOString(),
  });
  expect(refreshes()).toBe(0);
});

test('a minute before its end it is refreshed, once for all calls of all nodes', async () => {
  const { at, all, store, row, ask, refreshes } = await connected({ nodes: 3 });
  later(HOUR_MS - 59_000);
  const opened = await Promise.all(all.flatMap(({ kept }) => Array.from({ length: 20 }, () => kept.calls.open(ask()))));
  const tokens = new Set(opened.map(({ connection }) => connection.secrets[0]));
  expect(tokens.size).toBe(1);
  expect(new Set(opened.map(({ connection }) => JSON.parse(connection.frameJson).id))).toEqual(new Set([`${row.id}.${row.connectedAt}`]));
  expect(await isTaken(at, [...tokens][0])).toBe(true);
  expect(refreshes()).toBe(1);
  expect(at.events).not.toContain('grant.revoked');
  expect(await store.connections.find(row.id)).toMatchObject({ version: 2, refreshingUntil: 0, status: 'live' });
});

test('a token that lives for less than four minutes is refreshed in its last quarter', async () => {
  const { kept, ask, refreshes } = await connected({ accessTokenSeconds: 40 });
  later(29_000);
  await kept.calls.open(ask());
  expect(refreshes()).toBe(0);
  later(2_000);
  await kept.calls.open(ask());
  expect(refreshes()).toBe(1);
});

test('a token that is good for long is refreshed each day, when it is used', async () => {
  const month = 30 * 86_400;
  const ttl = { AccessToken: month, Grant: month, IdToken: 600, Interaction: 600, RefreshToken: month, Session: month };
  const { kept, ask, refreshes, store, row } = await connected({ configuration: { ttl } });
  later(23 * HOUR_MS);
  await kept.calls.open(ask());
  expect(refreshes()).toBe(0);
  later(2 * HOUR_MS);
  await kept.calls.open(ask());
  expect(refreshes()).toBe(1);
  expect(await store.connections.find(row.id)).toMatchObject({ version: 2 });
});

test('a token that the API refuses is refreshed, and a call with an older one gets the newest', async () => {
  const { at, kept, ask, refreshes } = await connected();
  const { connection, id } = await kept.calls.open(ask());
  const renewed = await Promise.all(Array.from({ length: 10 }, () => kept.calls.renew(id, connection)));
  expect(new Set(renewed.map(({ secrets }) => secrets[0])).size).toBe(1);
  expect(renewed[0]?.secrets).not.toEqual(connection.secrets);
  expect(await isTaken(at, renewed[0]?.secrets[0])).toBe(true);
  expect((await kept.calls.renew(id, connection)).secrets).toEqual(renewed[0]?.secrets);
  expect(refreshes()).toBe(1);
});

test('while the provider is down, a good token is used, and an expired one is an error that says so', async () => {
  const { at, kept, ask, store, row } = await connected();
  at.up = false;
  later(HOUR_MS - 30_000);
  const { connection } = await kept.calls.open(ask());
  expect(connection.secrets).toEqual([(kept.rows.secretOf(row) as OAuthGrant).token]);
  later(31_000);
  const calls = await Promise.allSettled(Array.from({ length: 5 }, () => kept.calls.open(ask())));
  for (const call of calls)
    expect(call).toMatchObject({
      reason: { code: 'SERVICE_UNAVAILABLE', retryable: true, message: expect.stringContaining(`${new URL(at.issuer).host} answered 503`) },
    });
  expect(await store.connections.find(row.id)).toMatchObject({
    ...{ status: 'live', version: 1, refreshingUntil: 0 },
    fault: expect.stringContaining('answered 503'),
  });

  at.up = true;
  later(5_000);
  const after = await kept.calls.open(ask());
  expect(await isTaken(at, after.connection.secrets[0])).toBe(true);
  expect(await store.connections.find(row.id)).toMatchObject({ version: 2, fault: null, faultAt: null });
});

test('a call does not wait for a slow provider while its token is good', async () => {
  const { kept, ask, row } = await connected();
  const silent = await listen(() => {});
  await rewrite(kept, row.id, { tokenUrl: silent });
  later(HOUR_MS - 30_000);
  const startedAt = performance.now();
  expect((await kept.calls.open(ask())).connection.secrets).toEqual([(kept.rows.secretOf(row) as OAuthGrant).token]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test.each<[string, RequestListener]>([
  ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')],
  ['a redirect', (_, response) => response.writeHead(302, { location: 'https://login.example/' }).end()],
  ['an error without a code', (_, response) => response.writeHead(400).end('no')],
  ['too many requests', (_, response) => response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":"slow_down"}')],
  ['invalid_client', (_, response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}')],
  ['tokens without an access token', (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
])('an answer of the provider that is %s ends no connection', async (_what, answer) => {
  const { kept, ask, store, row } = await connected();
  await rewrite(kept, row.id, { tokenUrl: await listen(answer) });
  later(2 * HOUR_MS);
  await expect(kept.calls.open(ask())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('github') });
  expect(await store.connections.find(row.id)).toMatchObject({ status: 'live', refreshingUntil: 0, fault: expect.any(String) });
});

test.each(['interaction_required', 'bad_refresh_token'])(
  '%s of the provider asks the user to connect again, and ends nothing',
  async (error) => {
    const { kept, ask, store, row } = await connected();
    const refuse: RequestListener = (_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    };
    await rewrite(kept, row.id, { tokenUrl: await listen(refuse) });
    later(2 * HOUR_MS);
    await expect(kept.calls.open(ask())).rejects.toMatchObject({
      code: 'CONNECTION_REQUIRED',
      message: expect.stringContaining(error),
      details: { connect: { toolkit: 'github' } },
    });
    expect(await store.connections.find(row.id)).toMatchObject({ status: 'live', fault: expect.stringContaining(error) });
  },
);

test('a grant that its user revoked ends the connection, with the reason, and is asked for once', async () => {
  const { at, kept, ask, store, row, refreshes } = await connected();
  const grant = kept.rows.secretOf(row) as OAuthGrant;
  await fetch(at.revocationUrl, { method: 'POST', body: new URLSearchParams({ token: grant.refreshToken ?? '', client_id: at.clientId }) });
  later(2 * HOUR_MS);
  for (let call = 0; call < 3; call++)
    await expect(kept.calls.open(ask())).rejects.toMatchObject({
      code: 'CONNECTION_REQUIRED',
      message: expect.stringContaining('invalid_grant'),
      details: { connect: { toolkit: 'github' } },
    });
  expect(refreshes()).toBe(1);
  const fault = expect.stringContaining('invalid_grant');
  expect(await store.connections.find(row.id)).toMatchObject({ status: 'ended', fault });
  const [entry, ...others] = await store.audit.list({ limit: 10 });
  expect(entry).toMatchObject({
    what: 'connection.end',
    subject: 'github',
    details: { connection: row.id, account: 'octocat', why: fault },
  });
  expect(others).toEqual([]);
});

test('a node with an older version asks the row before the provider', async () => {
  const { at, all, store, row, refreshes } = await connected({ nodes: 2 });
  const [one, other] = all;
  const { connection, id } = await one!.kept.calls.open(one!.ask());
  const find = store.connections.find.bind(store.connections);
  // The other node has read the row; before it asks the provider, this one has refreshed.
  vi.spyOn(store.connections, 'find').mockImplementationOnce(async (rowId) => {
    const before = await find(rowId);
    await one!.kept.calls.renew(id, connection);
    return before;
  });
  const renewed = await other!.kept.calls.renew(row.id, connection);
  expect(refreshes()).toBe(1);
  expect(await isTaken(at, renewed.secrets[0])).toBe(true);
  expect(await store.connections.find(id)).toMatchObject({ status: 'live', version: 2 });
});

test('a claim of a node that died before the provider answered lapses', async () => {
  const { at, kept, ask, store, row } = await connected();
  expect(await store.connections.claimRefresh(row.id, { version: 1, forMs: 100 })).toBe(true);
  later(2 * HOUR_MS);
  const { connection } = await kept.calls.open(ask());
  expect(await isTaken(at, connection.secrets[0])).toBe(true);
});

test('a node that died with the new token ends the connection once, and the reason names the node', async () => {
  const { at, kept, ask, store, row } = await connected();
  const grant = kept.rows.secretOf(row) as OAuthGrant;
  await store.connections.claimRefresh(row.id, { version: 1, forMs: 100 });
  const form = { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '', client_id: at.clientId };
  expect((await fetch(at.tokenUrl, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(200);
  later(2 * HOUR_MS);
  await expect(kept.calls.open(ask())).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('A node stopped while it refreshed this connection'),
  });
  const again = await connectAccount(at, kept.rows);
  expect(again).toMatchObject({ id: row.id, status: 'live', fault: null });
  expect(await isTaken(at, (await kept.calls.open(ask())).connection.secrets[0])).toBe(true);
});

test('a user who connects again during a refresh keeps the new account', async () => {
  const { kept, ask, store, row } = await connected();
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const slow = await listen(async (_, response) => {
    onAsked();
    await answered;
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  });
  await rewrite(kept, row.id, { tokenUrl: slow });
  later(2 * HOUR_MS);
  const opened = kept.calls.open(ask());
  await asked;
  await kept.rows.keep({ ...(await accountOf(kept, row.id)), expiresInMs: HOUR_MS, secret: { ...grantAt(slow), token: 'the new one' } });
  answer();
  expect((await opened).connection.secrets).toEqual(['the new one']);
  expect(await store.connections.find(row.id)).toMatchObject({ status: 'live' });
});

test('a new token is stored even if the database is away for a moment', async () => {
  const { at, kept, ask, store, row } = await connected();
  const refreshed = store.connections.refreshed.bind(store.connections);
  const away = vi
    .spyOn(store.connections, 'refreshed')
    .mockRejectedValueOnce(new SvcError('SERVICE_UNAVAILABLE', 'away'))
    .mockRejectedValueOnce(new SvcError('SERVICE_UNAVAILABLE', 'away'))
    .mockImplementation(refreshed);
  later(2 * HOUR_MS);
  const { connection } = await kept.calls.open(ask());
  expect(away).toHaveBeenCalledTimes(3);
  expect(await isTaken(at, connection.secrets[0])).toBe(true);
  expect(await store.connections.find(row.id)).toMatchObject({ version: 2 });
});

test('a token without a stated life is used until the API refuses it', async () => {
  const { kept, ask, row, refreshes } = await connected();
  await kept.rows.keep({ ...(await accountOf(kept, row.id)), expiresInMs: undefined, secret: kept.rows.secretOf(row)! });
  later(20 * HOUR_MS);
  const { connection, id } = await kept.calls.open(ask());
  expect(JSON.parse(connection.frameJson)).not.toHaveProperty('expiresAt');
  expect(refreshes()).toBe(0);
  await kept.calls.renew(id, connection);
  expect(refreshes()).toBe(1);
});

test('a token without a refresh token is used to its end, and then its user connects again', async () => {
  const { kept, ask, row, store } = await connected();
  const { refreshToken: _, ...grant } = kept.rows.secretOf(row) as OAuthGrant;
  await kept.rows.keep({ ...(await accountOf(kept, row.id)), expiresInMs: HOUR_MS, secret: grant });
  later(HOUR_MS - 1_000);
  const { connection, id } = await kept.calls.open(ask());
  expect(connection.secrets).toEqual([grant.token]);
  await expect(kept.calls.renew(id, connection)).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
  later(2_000);
  await expect(kept.calls.open(ask())).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('the provider gave no refresh token'),
  });
  expect(await store.connections.find(row.id)).toMatchObject({ status: 'live' });
});

test('a connection that was removed meanwhile cannot be renewed', async () => {
  const { at, kept, ask, row } = await connected();
  const { connection, id } = await kept.calls.open(ask());
  expect(await kept.revocation.remove(row.id)).toBe('revoked');
  expect(await isTaken(at, connection.secrets[0])).toBe(false);
  await expect(kept.calls.renew(id, connection)).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
  await expect(kept.calls.renew('con_none', CallConnection.of({ type: 'bearer', token: 'none' }))).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
  });
  expect(await kept.revocation.remove(row.id)).toBeUndefined();
});

test('a connection is removed even if its provider is down', async () => {
  const { at, kept, row, store } = await connected();
  at.up = false;
  expect(await kept.revocation.remove(row.id)).toBe('failed');
  expect(await store.connections.find(row.id)).toBeUndefined();
});

function grantAt(tokenUrl: string): OAuthGrant {
  return { type: 'oauth2', token: 'old', refreshToken: 'old', tokenUrl, clientId: 'svc-app' };
}

type Kept = Awaited<ReturnType<typeof keptRows>>['kept'];

async function accountOf(kept: Kept, id: string) {
  const row = await kept.rows.store.find(id);
  if (!row) throw new Error('There is no such row');
  const { toolkitId, owner, name, account, scopes, createdBy } = row;
  return { toolkitId, owner, name, account, scopes, createdBy };
}

/** The same row with another secret. */
async function rewrite(kept: Kept, id: string, change: Partial<OAuthGrant>): Promise<void> {
  const row = (await kept.rows.store.find(id))!;
  const seal = kept.rows.seal(row, { ...(kept.rows.secretOf(row) as OAuthGrant), ...change });
  expect(await (kept.rows.store as ConnectionStore).reseal(id, row.version, seal)).toBe(true);
}

async function listen(listener: RequestListener): Promise<OAuthProvider['tokenUrl']> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
}
