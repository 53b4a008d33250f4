// @module-tag postgres
// @module-tag nats
/** Tokens of kept connections on their way to handlers: one node, three nodes, removed keys, and what the log says about missing secrets keys. */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Toolkit, Tools } from 'svc-sdk';
import { backupData } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { newDatabase } from '../../../test/support/postgres';
import { runToolkit, startService, type TestService } from '../../../test/support/service';
import { SecretKeys } from '../../src/connections/secret-keys';
import { StoredConnections } from '../../src/connections/stored-connections';
import { type DataPlace, locationOf } from '../../src/store/location';
import { openKeyStore } from '../../src/store/open-store';
import { connectAccount, isTaken, oauthOf } from '../support/connections/connected-account';
import { anAccount, aSecretsKey } from '../support/connections/kept-rows';
import { type OAuthProvider, startOAuthProvider } from '../support/connections/oauth-provider';
import { exported, filesIn, recordingLogger } from '../support/recorded-places';

const CANARY = 'canary-0a7d3e';

/** The rows of a running service. */
async function rowsIn(place: DataPlace, secretsKey: string): Promise<StoredConnections> {
  const store = await openKeyStore(locationOf(place), { create: false });
  onTestFinished(() => store.close());
  return new StoredConnections(store.connections, SecretKeys.read(secretsKey, 'the key'));
}

function dataFolder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
}

/** A toolkit that asks the provider about its token, as an API does, and for a new one when it is refused. */
async function whoami(service: TestService, at: OAuthProvider): Promise<Toolkit> {
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'github' });
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: key });
  onTestFinished(() => toolkit.stop({ timeoutMs: 100 }));
  toolkit.updateToolkit({ auth: oauthOf(at) });
  toolkit.action({ action: 'whoami', actionDescription: 'Says whose account it is' }, async ({ connection }) => {
    if (!connection) throw new Error('no connection');
    for (let attempt = 0; ; attempt++) {
      if (await isTaken(at, connection.token)) return { account: connection.account, attempt };
      if (attempt === 1) throw new Error('The API refused the token twice');
      await connection.refused();
    }
  });
  void toolkit.run();
  await toolkit.ready;
  return toolkit;
}

test('three nodes refresh tokens of a second once each, under the calls of sixty callers', async () => {
  const [at, database, secretsKey] = [
    await startOAuthProvider({ authMethod: 'none', accessTokenSeconds: 1 }),
    await newDatabase(),
    aSecretsKey(),
  ];
  const nodes = await startNodes(3, { database, secretsKey, connections: { privateHosts: ['127.0.0.1'] } });
  await whoami(nodes[0]!, at);
  await offeredAt(nodes, 'github__whoami');
  const agent = await nodes[0]!.keys.create({ kind: 'agent', name: 'app' });
  const rows = await rowsIn({ database }, secretsKey);
  const row = await connectAccount(at, rows, { owner: `user:${agent.id}:u_81` });
  const asked = () => at.requests.filter((path) => path === '/token').length;
  const before = asked();

  let isOver = false;
  const calls = { done: 0, failed: [] as unknown[] };
  const caller = async ({ url }: TestService) => {
    while (!isOver) {
      const answer = await fetch(`${url}/v1/invoke`, {
        method: 'POST',
        headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json', 'svc-user-id': 'u_81' },
        body: JSON.stringify({ action: 'github__whoami', payload: {} }),
      });
      const text = await answer.text();
      if (answer.ok) calls.done++;
      else calls.failed.push(text);
    }
  };
  const callers = nodes.flatMap((node) => Array.from({ length: 20 }, () => caller(node)));
  await vi.waitFor(async () => expect((await rows.store.find(row.id))?.version).toBeGreaterThan(3), { timeout: 30_000 });
  isOver = true;
  await Promise.all(callers);

  expect(calls.failed).toEqual([]);
  expect(calls.done).toBeGreaterThan(60);
  expect(at.events).not.toContain('grant.revoked');
  expect(at.events).not.toContain('grant.error');
  expect(await rows.store.find(row.id)).toMatchObject({ status: 'live', version: 1 + asked() - before });
});

test('a revoked key takes the accounts of its users with it, and their tokens', async () => {
  const [at, data, secretsKey] = [await startOAuthProvider({ authMethod: 'none' }), dataFolder(), aSecretsKey()];
  const service = await startService({ data, secretsKey, connections: { privateHosts: ['127.0.0.1'] } });
  const agent = await service.keys.create({ kind: 'agent', name: 'app' });
  const rows = await rowsIn(data, secretsKey);
  const row = await connectAccount(at, rows, { owner: `user:${agent.id}:u_81` });
  const secret = rows.secretOf(row);
  const token = secret?.type === 'oauth2' ? secret.token : '';
  expect(await isTaken(at, token)).toBe(true);
  await service.keys.revoke(agent.id);
  expect(await rows.store.find(row.id)).toBeUndefined();
  await vi.waitFor(async () => expect(await isTaken(at, token)).toBe(false), { timeout: 10_000 });
});

test('a service that stops in the middle of a refresh stores the new token first', async () => {
  const [data, secretsKey] = [dataFolder(), aSecretsKey()];
  const [asked, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tokenUrl = await listen(async (_, response) => {
    asked.resolve();
    await stopped.promise;
    const tokens = { access_token: 'next-token', refresh_token: 'next-refresh', token_type: 'bearer', expires_in: 3600 };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens));
  });
  const service = await startService({ data, secretsKey, connections: { privateHosts: ['127.0.0.1'] } });
  const agent = await service.keys.create({ kind: 'agent', name: 'app' });
  const rows = await rowsIn(data, secretsKey);
  const secret = { type: 'oauth2', token: 'first-token', refreshToken: 'first-refresh', tokenUrl, clientId: 'svc' } as const;
  const row = await rows.keep(anAccount({ owner: `user:${agent.id}:u_81`, secret, expiresInMs: 0 }));
  const github = await runToolkit(service.url, (await service.keys.create({ kind: 'toolkit', name: 'github' })).key, (toolkit) => {
    toolkit.updateToolkit({ auth: { type: 'oauth2', from: 'user', authorizationUrl: tokenUrl, tokenUrl } });
    toolkit.action({ action: 'star', actionDescription: 'Stars' }, () => 'done');
  });
  const tools = new Tools({ baseUrl: service.url, apiKey: agent.key, userId: 'u_81' });
  const leaving = new AbortController();
  const call = tools.invoke('github__star', {}, { signal: leaving.signal }).catch(() => {});
  await asked.promise;
  leaving.abort();
  await call;
  await github.stop({ timeoutMs: 100 });
  const closed = service.close();
  const early = await Promise.race([closed.then(() => true), setTimeout(100, false)]);
  stopped.resolve();
  await closed;
  expect(early).toBe(false);
  const after = await rows.store.find(row.id);
  expect(after).toMatchObject({ version: 2, status: 'live', refreshingUntil: 0 });
  expect(after && rows.secretOf(after)).toMatchObject({ token: 'next-token', refreshToken: 'next-refresh' });
});

test('a service on a database without a secrets key refuses calls with kept connections, and logs who asks for one', async () => {
  const lines: unknown[] = [];
  const log = (fields: object, message: string) => void lines.push([fields, message]);
  const logger = { info() {}, warn: log, error: log, isLevelEnabled: () => false };
  const service = await startService({ database: await newDatabase(), logger });
  await runToolkit(service.url, (await service.keys.create({ kind: 'toolkit', name: 'github' })).key, (toolkit) => {
    toolkit.updateToolkit({ auth: { type: 'bearer', from: 'user' } });
    toolkit.action({ action: 'star', actionDescription: 'Stars' }, () => 'never');
  });
  const tools = await service.tools({ userId: 'u_81' });
  await expect(tools.invoke('github__star')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryable: false,
    message: expect.stringContaining('SVC_SECRETS_KEY'),
  });
  expect(lines).toEqual([[{ toolkit: 'github' }, expect.stringContaining('SVC_SECRETS_KEY')]]);
});

test('a start counts the accounts that no key opens in one line, and their users connect again', async () => {
  const data = dataFolder();
  await (await startService({ data })).close();
  expect([...filesIn(data).keys()]).not.toContain('secrets.key');
  const lost = await rowsIn(data, aSecretsKey('lost'));
  for (const userId of ['u_1', 'u_2', 'u_3']) await lost.keep(anAccount({ owner: `user:key_1:${userId}` }));
  const { logger, written } = recordingLogger();
  const service = await startService({ data, logger });
  await vi.waitFor(() => expect(written()).toContain('stored connections cannot be read'));
  expect(written()).toMatch(/secrets: 3, secretsKeys: \[ 'lost'/);
  const agent = await service.keys.create({ kind: 'agent', name: 'app' });
  await lost.keep(anAccount({ owner: `user:${agent.id}:u_1` }));
  await runToolkit(service.url, (await service.keys.create({ kind: 'toolkit', name: 'github' })).key, (toolkit) => {
    toolkit.updateToolkit({ auth: { type: 'bearer', from: 'user' } });
    toolkit.action({ action: 'star', actionDescription: 'Stars' }, () => 'never');
  });
  const tools = new Tools({ baseUrl: service.url, apiKey: agent.key, userId: 'u_1' });
  await expect(tools.invoke('github__star')).rejects.toMatchObject({
    code: 'CONNECTION_REQUIRED',
    message: expect.stringContaining('cannot read the stored secret'),
  });
});

test('a kept secret is in no file, log, export, backup or answer, and the key of the secrets in no export and backup', async () => {
  const [data, copies] = [dataFolder(), dataFolder()];
  const { logger, written } = recordingLogger();
  const service = await startConsole({ data, logger });
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { content: 'all' });
  const agent = await service.keys.create({ kind: 'agent', name: 'app' });
  let seen = 0;
  const github = await runToolkit(service.url, (await service.keys.create({ kind: 'toolkit', name: 'github' })).key, (toolkit) => {
    toolkit.updateToolkit({ auth: { type: 'bearer', from: 'user' } });
    toolkit.action({ action: 'star', actionDescription: 'Stars' }, ({ connection }) => {
      if (connection?.token === CANARY) seen++;
      if (seen === 2) throw new Error(`401 for ${connection?.token}`);
      return { token: connection?.token, printed: `${connection}` };
    });
  });
  const tools = new Tools({ baseUrl: service.url, apiKey: agent.key, userId: 'u_81' });
  await expect(tools.invoke('github__star')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
  const secretsKey = readFileSync(join(data, 'secrets.key'), 'utf8').trim();
  await (await rowsIn(data, secretsKey)).keep(anAccount({ owner: `user:${agent.id}:u_81`, secret: { type: 'bearer', token: CANARY } }));
  const answers = await Promise.allSettled([tools.invoke('github__star'), tools.invoke('github__star')]);
  expect(seen).toBe(2);
  await backupData(data, { to: join(copies, 'copy') });
  const copied = [...filesIn(copies).values(), await exported(data)];
  await github.stop({ timeoutMs: 100 });
  await service.close();
  const files = [...filesIn(data)].filter(([name]) => name !== 'secrets.key').map(([, text]) => text);
  for (const text of [...files, ...copied, written(), inspect(answers, { depth: 10 })]) expect(text).not.toContain('canary');
  for (const text of [...files, ...copied, written()]) expect(text).not.toContain(secretsKey.split(':')[1]);
});
