/** Attacks by the address of a client's document, which the service reads: into the operator's network, and at the service itself. */
// @module-tag openssl
import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AuthorizationRequest } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { Problem } from '#sdk/protocol/errors';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { type Certificates, makeCertificates } from '../../../../test/support/certificates';
import { type SignedInPerson, startConsole } from '../../../../test/support/console-service';
import { makeFolder } from '../../../../test/support/folder';
import { OAuthClient, postJson, REDIRECT } from '../../support/oauth-client';

const REQUESTS = `${ADMIN_PATHS.oauth}/requests`;
const DECISIONS = `${ADMIN_PATHS.oauth}/decisions`;

let certificates: Certificates;
let removeCertificates: () => void;
const usualAuthorities = tls.getCACertificates('default');
beforeAll(() => {
  const folder = makeFolder();
  removeCertificates = folder.remove;
  certificates = makeCertificates(folder.path);
  tls.setDefaultCACertificates([...usualAuthorities, readFileSync(certificates.caFile, 'utf8')]);
});
afterAll(() => {
  tls.setDefaultCACertificates(usualAuthorities);
  removeCertificates();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A listener in the operator's network, which counts connections. */
async function privateListener() {
  let connections = 0;
  const port = await listen(
    createServer((socket) => {
      connections++;
      socket.destroy();
    }),
  );
  return { port, connections: () => connections };
}

/** A client's document at `https://localhost:<port>/client`, which a test may change. */
async function documentServer(answer?: RequestListener) {
  const { certFile, keyFile } = certificates.server;
  let requests = 0;
  const server = createTlsServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    requests++;
    if (answer) answer(request, response);
    else response.end(JSON.stringify(document));
  });
  onTestFinished(() => server.closeAllConnections());
  const id = `https://localhost:${await listen(server)}/client`;
  const document: Record<string, unknown> = { client_id: id, client_name: 'Documented', redirect_uris: [REDIRECT] };
  return { id, document, requests: () => requests };
}

const startAllowing = () => startConsole({ console: { privateClientHosts: ['localhost'] } });

function queryOf(url: string, id: string): string {
  return new OAuthClient(url, { client_id: id }, REDIRECT).query();
}

async function problemOf(person: SignedInPerson, query: string, path = REQUESTS): Promise<string> {
  const answer = await person.ask('POST', path, { query, ...(path === DECISIONS && { decision: 'allow' }) });
  const { code, detail } = (await answer.json()) as Problem;
  expect([query, answer.status, code]).toEqual([query, 400, 'INVALID_REQUEST']);
  return detail;
}

/** Names of the tests resolve to these addresses. */
function resolveTo(names: Record<string, readonly string[]>): void {
  const original = dns.lookup;
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((name: string, options: object, callback: (...answer: unknown[]) => void) => {
    const addresses = names[name];
    if (!addresses) return original(name, options, callback);
    queueMicrotask(() =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  }) as typeof dns.lookup);
  onTestFinished(() => lookup.mockRestore());
}

describe('a private listener sees no connection', () => {
  test('from the address of a client, however it is written', async () => {
    const { url, owner } = await startConsole();
    const { port, connections } = await privateListener();
    const hosts = [
      ...['localhost', 'LOCALHOST', 'loc%61lhost', 'localhost.', 'ⓛocalhost', '127.0.0.1', '127.1', '127.0.0.1.', '2130706433', '0x7f.1'],
      ...[
        '0x7f000001',
        '017700000001',
        '0',
        '0.0.0.0',
        '127。0。0。1',
        '[::1]',
        '[::]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[0:0::1]',
      ],
      ...['user@localhost', 'user:password@localhost', 'evil.example@localhost', 'localhost#@evil.example', 'evil.example:1\\@localhost'],
    ];
    const addresses = [
      ...hosts.map((host) => `https://${host}:${port}/client`),
      ...[`https:localhost:${port}/client`, `https:///localhost:${port}/client`, `https:\\\\localhost:${port}\\client`],
      ...[
        `HTTPS://localhost:${port}/client`,
        ` https://localhost:${port}/client`,
        `https://localhost:${port}`,
        `https://localhost:${port}/`,
      ],
      ...[`https://localhost:${port}/a/../client`, `https://localhost:${port}/client#part`, `https://localhost:${port}/\tclient`],
      ...[`http://localhost:${port}/client`, `ws://localhost:${port}/client`, `ftp://localhost:${port}/client`, 'file:///etc/passwd'],
      ...['https://169.254.169.254/latest/meta-data', 'https://[fd00:ec2::254]/latest/meta-data', 'https://[::ffff:a9fe:a9fe]/latest'],
      ...['data:application/json,{}', 'https://', 'https://%00/client', `https://${'a'.repeat(5_000)}.example/client`],
    ];
    for (const id of addresses) await problemOf(owner, queryOf(url, id));
    expect(connections()).toBe(0);
  });

  test('from a name that resolves to it, alone, among public addresses or as IPv4 within IPv6', async () => {
    const { url, owner } = await startConsole();
    const { port, connections } = await privateListener();
    const names = {
      'one.example': ['127.0.0.1'],
      'mixed.example': ['1.1.1.1', '127.0.0.1'],
      'first.example': ['127.0.0.1', '1.1.1.1'],
      'mapped.example': ['::ffff:127.0.0.1'],
      'six.example': ['::1'],
      'cloud.example': ['169.254.169.254'],
      'nat64.example': ['64:ff9b::7f00:1'],
      'local.example': ['10.0.0.1'],
      'zone.example': ['fe80::1%lo'],
    };
    resolveTo(names);
    // A name that is not there reads the same: otherwise people could look up names of the operator's network.
    for (const name of [...Object.keys(names), 'not-there.invalid'])
      expect(await problemOf(owner, queryOf(url, `https://${name}:${port}/client`))).toContain('its host has no public address');
    expect(connections()).toBe(0);
  });

  test('from a redirect', async () => {
    const target = await privateListener();
    const { url, owner } = await startAllowing();
    for (const status of [301, 302, 303, 307, 308]) {
      const { id } = await documentServer((_request, response) =>
        response.writeHead(status, { location: `https://127.0.0.1:${target.port}/client` }).end(),
      );
      expect(await problemOf(owner, queryOf(url, id))).toContain(`it answered ${status}, and redirects are not followed`);
    }
    expect(target.connections()).toBe(0);
  });

  test('and open ports look like closed ones', async () => {
    const { url, owner } = await startConsole();
    const { port } = await privateListener();
    const ports = [port, 1, 22, 65_535];
    const problems = await Promise.all(ports.map((each) => problemOf(owner, queryOf(url, `https://localhost:${each}/client`))));
    const texts = problems.map((text) => text.replace(/:\d+/, ''));
    expect(new Set(texts)).toEqual(
      new Set([
        "The app cannot be connected: The client's document https://localhost/client cannot be read: its host has no public address",
      ]),
    );
  });
});

describe('a stranger causes no request', () => {
  test('without a session, with another credential, or from another site', async () => {
    const { id, requests } = await documentServer();
    const service = await startAllowing();
    const { url, owner } = service;
    const query = queryOf(url, id);
    const { key: agent } = await service.keys.create({ kind: 'agent', name: 'agent' });
    const { key: admin } = await service.keys.create({ kind: 'admin', name: 'admin' });
    for (const path of [REQUESTS, DECISIONS]) {
      const body = { query, ...(path === DECISIONS && { decision: 'allow' }) };
      for (const asker of [service.as(), service.as(agent), service.as(admin)])
        expect((await asker.ask('POST', path, body)).status).toBeGreaterThanOrEqual(401);
      const wrong = [{ cookie: owner.cookie.replace(/.{8}$/, 'aaaaaaaa') }, { cookie: owner.cookie, origin: 'https://evil.example' }];
      for (const headers of wrong) expect((await postJson(url + path, body, headers)).status).toBeGreaterThanOrEqual(401);
    }
    // The endpoints for programs and the page of the consent.
    const client = new OAuthClient(url, { client_id: id }, REDIRECT);
    expect((await client.exchange('svc_code_x')).status).toBe(400);
    expect((await client.refresh('svc_refresh_x.0.y')).status).toBe(400);
    expect((await client.revoke('svc_refresh_x.0.y')).status).toBe(200);
    expect(
      (await postJson(url + OAUTH_PATHS.registerClient, { client_id: id, client_uri: id, jwks_uri: id, redirect_uris: [REDIRECT] })).status,
    ).toBe(201);
    await fetch(`${url}${OAUTH_PATHS.authorize}?${query}`, { headers: { accept: 'text/html' } });
    expect(requests()).toBe(0);
    expect(await owner.json('POST', REQUESTS, { query })).toMatchObject({ client: { name: 'Documented', document: id } });
    expect(requests()).toBe(1);
  });

  test('and neither does a person whom the settings let connect no apps', async () => {
    const { id, requests } = await documentServer();
    const { url, owner, join } = await startAllowing();
    const mia = await join('mia');
    for (const [connectApps, person] of [
      ['owners', mia],
      ['off', owner],
    ] as const) {
      await owner.json('PATCH', ADMIN_PATHS.settings, { connectApps });
      await expect(person.json('POST', REQUESTS, { query: queryOf(url, id) })).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    }
    expect(requests()).toBe(0);
  });
});

test('a document in a private network is read where the operator allows its host, once an hour', async () => {
  const { id, document, requests } = await documentServer();
  const { url, owner } = await startAllowing();
  const client = new OAuthClient(url, { client_id: id }, REDIRECT);
  const tokens = await client.signIn(owner);
  expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  expect(await owner.json<AuthorizationRequest>('POST', REQUESTS, { query: client.query() })).toMatchObject({
    client: { name: 'Documented', host: new URL(id).host, document: id },
    redirectTo: 'localhost',
  });
  document.client_name = 'Changed';
  expect(await owner.json('POST', REQUESTS, { query: client.query() })).toMatchObject({ client: { name: 'Documented' } });
  expect(requests()).toBe(1);
});

type Change = (document: Record<string, unknown>) => unknown;

test.each<[string, Change, string]>([
  ['of another client', (document) => ({ ...document, client_id: 'https://localhost/other' }), 'is of another client'],
  ['of the same client in another spelling', (document) => ({ ...document, client_id: `${document.client_id}/` }), 'is of another client'],
  ['without an id', ({ client_id: _id, ...document }) => document, 'client_id'],
  ['with a secret', (document) => ({ ...document, client_secret: 'public' }), 'client_secret: must not be there'],
  ['with a method that needs a secret', (document) => ({ ...document, token_endpoint_auth_method: 'client_secret_post' }), '"none"'],
  ['with a method of keys', (document) => ({ ...document, token_endpoint_auth_method: 'private_key_jwt' }), '"none"'],
  ['without redirects', (document) => ({ ...document, redirect_uris: [] }), 'redirect_uris'],
  ['with a redirect without TLS', (document) => ({ ...document, redirect_uris: [REDIRECT, 'http://app.example/cb'] }), 'must be https'],
  ['with a script as redirect', (document) => ({ ...document, redirect_uris: [REDIRECT, 'javascript:alert(1)'] }), 'must be https'],
  ['with a redirect that is no text', (document) => ({ ...document, redirect_uris: [REDIRECT, { href: REDIRECT }] }), 'redirect_uris.1'],
  ['that is a list', (document) => [document], 'is not understood'],
  ['that is null', () => null, 'is not understood'],
  ['that is a page', () => '<!doctype html>', 'is not JSON'],
  ['that is empty', () => '', 'is not JSON'],
  ['of more than 5 KiB', (document) => ({ ...document, filler: 'x'.repeat(5_000) }), 'it has more than 5120 bytes'],
])('a document %s connects no client', async (_what, change, reason) => {
  const { id, document } = await documentServer((_request, response) => {
    const changed = change(document);
    response.end(typeof changed === 'string' ? changed : JSON.stringify(changed));
  });
  const { url, owner } = await startAllowing();
  for (const path of [REQUESTS, DECISIONS]) expect(await problemOf(owner, queryOf(url, id), path)).toContain(reason);
});

test('a redirect that the document does not name is refused, for any similar one', async () => {
  const { id, document } = await documentServer();
  document.redirect_uris = ['https://app.example/cb', REDIRECT];
  const { url, owner } = await startAllowing();
  const similar = [
    'https://app.example/cb/',
    'https://app.example/cb?a=b',
    'https://app.example:444/cb',
    'https://app.example.evil.example/cb',
  ];
  for (const redirect of [...similar, 'https://evil.example/cb', 'http://app.example/cb', REDIRECT.replace('127.0.0.1', 'localhost')])
    expect(await problemOf(owner, new OAuthClient(url, { client_id: id }, redirect).query())).toContain('redirect_uri');
});

describe('a document that does not end', () => {
  test('is cut after 5 KiB', async () => {
    let closed = false;
    const { id } = await documentServer((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(1_000)), 1);
      response.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    });
    const { url, owner } = await startAllowing();
    expect(await problemOf(owner, queryOf(url, id))).toContain('it has more than 5120 bytes');
    await expect.poll(() => closed).toBe(true);
  });

  test.each<[string, RequestListener]>([
    ['that never begins', () => {}],
    ['that comes byte by byte', (_request, response) => void response.writeHead(200).write(' ')],
  ])('%s has five seconds', async (_how, answer) => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), 50);
      return controller.signal;
    });
    onTestFinished(() => timeout.mockRestore());
    const { id } = await documentServer(answer);
    const { url, owner } = await startAllowing();
    expect(await problemOf(owner, queryOf(url, id))).toContain('it took more than 5 s');
    expect(timeout).toHaveBeenCalledWith(5_000);
  });
});

test('a server without a certificate for its name is not believed', async () => {
  const { id } = await documentServer();
  const { url, owner } = await startConsole({ console: { privateClientHosts: ['other.example'] } });
  resolveTo({ 'other.example': ['127.0.0.1'] });
  expect(await problemOf(owner, queryOf(url, id.replace('localhost', 'other.example')))).toContain('cannot be read');
});
