/** Requests that no well-behaved client sends: their answers are refusals, and show nothing. */
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startConsole } from '../../../test/support/console-service';
import { startService } from '../../../test/support/service';

/** The answer to bytes, until the service closes. */
function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

describe('a key that may use a part of the catalogue', () => {
  test('gets the same answer for a foreign action that exists and for one that does not', async () => {
    const service = await startService();
    for (const name of ['weather', 'bank'])
      await service.toolkit(name, (toolkit) => {
        toolkit.action({ action: 'today', actionDescription: `Today at the ${name}` }, () => name);
      });
    const scopes = [
      { toolkits: ['weather'], actions: [] },
      { toolkits: [], actions: ['weather__today'] },
      { toolkits: ['nothing'], actions: [] },
    ];
    for (const allow of scopes) {
      const { key } = await service.keys.create({ kind: 'agent', name: 'limited', allow });
      const { token } = await (await ask(service.url, key, 'POST', '/v1/tokens', { ttlSeconds: 60 })).json();
      for (const bearer of [key, token]) {
        const answers = async (toolkit: string, action: string) => {
          const id = `${toolkit}__${action}`;
          const requests: [method: string, path: string, body?: object][] = [
            ['POST', '/v1/invoke', { action: id, payload: {} }],
            ['POST', '/v1/resolve', { action: id, payload: {} }],
            ['POST', '/v1/explain', { action: id, query: 'today' }],
            ['GET', `/v1/actions/${id}`],
            ['GET', `/v1/actions?ids=${id}`],
            ['GET', `/v1/actions?toolkit=${toolkit}`],
            ['GET', `/v1/toolkits/${toolkit}`],
            ['POST', '/v1/tokens', { ttlSeconds: 60, allow: { toolkits: [toolkit] } }],
            ['POST', '/v1/tokens', { ttlSeconds: 60, allow: { actions: [id] } }],
            ['POST', '/v1/invoke', { action: 'svc__read_result', payload: { handle: id, offset: 0 } }],
            ['POST', `/mcp?staticActions=${id}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
            [
              'POST',
              '/mcp',
              { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'invoke_service', arguments: { action: id } } },
            ],
          ];
          const all = [];
          for (const [method, path, body] of requests) {
            const response = await ask(service.url, bearer, method, path, body);
            // The answers repeat the name, and may have other suggestions.
            const text = (await response.text()).replaceAll(toolkit, 'TOOLKIT').replaceAll(action, 'ACTION');
            all.push([
              path.split('?')[0]?.replace(id, '').replace(toolkit, ''),
              response.status,
              /"code": ?\\?"(\w+)/.exec(text)?.[1],
              text.replace(/,?\\?"didYouMean.*?\]/, ''),
            ]);
          }
          return all;
        };
        expect(await answers('bank', 'today')).toEqual(await answers('bunk', 'today'));
      }
    }
  });
});

function ask(url: string, bearer: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = {
    authorization: `Bearer ${bearer}`,
    accept: 'application/json, text/event-stream',
    ...(body && { 'content-type': 'application/json' }),
  };
  return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

describe('each answer has the headers that browsers require', () => {
  test.for([
    ['http', undefined],
    ['https', 'https://tools.example.com'],
  ])('of a service with %s', async ([, publicUrl]) => {
    const service = await startConsole({ metrics: true, console: publicUrl === undefined ? {} : { publicUrl } });
    await service.toolkit('shop', (toolkit) => {
      toolkit.action({ action: 'count', actionDescription: 'Counts' }, () => 1);
    });
    const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
    const call = { action: 'shop__count', payload: {} };
    const answers = [
      await ask(service.url, key, 'POST', '/v1/invoke', call),
      await fetch(`${service.url}/v1/invoke`, { method: 'POST', body: JSON.stringify(call), headers: { authorization: `Bearer ${key}` } }),
      await ask(service.url, key, 'POST', '/v1/invoke', { action: 'no__such' }),
      await ask(service.url, 'nothing', 'POST', '/v1/invoke', call),
      await ask(service.url, key, 'POST', '/v1/search', { query: 'count' }),
      await ask(service.url, key, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      await ask(service.url, key, 'GET', '/nothing'),
      await ask(service.url, key, 'GET', '/v1/people'),
      await ask(service.url, key, 'GET', '/metrics'),
      await ask(service.url, key, 'GET', '/healthz'),
      await ask(service.url, key, 'OPTIONS', '/v1/invoke'),
      await fetch(service.url, { headers: { accept: 'text/html' } }),
      await service.as().ask('POST', '/v1/auth/sign-in/email', {}),
    ];
    const secure = publicUrl === undefined ? null : 'max-age=31536000';
    expect(answers.map(({ headers }) => [headers.get('x-content-type-options'), headers.get('strict-transport-security')])).toEqual(
      answers.map(() => ['nosniff', secure]),
    );
    const upgrade = await exchange(service.url, 'GET /v1/toolkit HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    expect(upgrade).toContain('x-content-type-options: nosniff\r\n');
  });
});

describe('a request that proxies and services read in two ways', () => {
  test.each([
    'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n',
    'POST /v1/invoke HTTP/1.1\r\nHost: a\r\nHost: b\r\ncontent-length: 2\r\n\r\n{}',
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\nHost: evil.example\r\ncontent-length: 2\r\n\r\n{}',
    'GET /v1/toolkit HTTP/1.1\r\nHost: a\r\nHost: b\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ])('%j has two hosts: 400', async (request) => {
    const { url } = await startService();
    expect(await exchange(url, request)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"INVALID_REQUEST"/);
  });

  test.each(['TRACE', 'PROPFIND', 'LINK', 'QUERY', 'PURGE'])('the method %s is not allowed anywhere: 405', async (method) => {
    const { url } = await startConsole();
    for (const path of ['/', '/v1/invoke', '/v1/keys', '/mcp', '/v1/auth/sign-out', '/metrics']) {
      const answer = await exchange(url, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\ncookie: secret\r\ncontent-length: 0\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
      expect(answer).toContain('allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n');
      expect(answer).not.toContain('secret');
    }
  });
});

describe('a page that points its own name at the service (DNS rebinding)', () => {
  const as = (url: string, host: string, path: string, headers = '') =>
    exchange(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\naccept: text/html\r\nconnection: close\r\n${headers}\r\n`);
  const statusOf = async (answer: Promise<string>) => Number(/^HTTP\/1\.1 (\d+)/.exec(await answer)?.[1]);
  const FOREIGN = [
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'notlocalhost',
    'tools.example.com.',
    'a@localhost:b',
    '[x]',
  ];
  const OWN = [
    'localhost',
    'LOCALHOST:99',
    'a.localhost',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]:8787',
    '10.1.2.3',
    'tools.example.com',
    'svc.internal',
  ];

  test('reads no metrics, no console and nothing of the admin API', async () => {
    const options = { metrics: true, console: { publicUrl: 'https://tools.example.com' }, allowedHosts: ['svc.internal'] };
    const { url, owner } = await startConsole(options);
    const cookie = `cookie: ${owner.cookie}\r\n`;
    for (const host of FOREIGN) {
      expect([400, 403], host).toContain(await statusOf(as(url, host, '/metrics')));
      expect([400, 403], host).toContain(await statusOf(as(url, host, '/people')));
      expect([400, 403], host).toContain(await statusOf(as(url, host, '/v1/me', cookie)));
      expect([400, 403], host).toContain(await statusOf(as(url, host, '/v1/auth/get-session', cookie)));
    }
    for (const host of OWN) {
      expect([host, await statusOf(as(url, host, '/metrics'))]).toEqual([host, 200]);
      expect([host, await statusOf(as(url, host, '/v1/me', cookie))]).toEqual([host, 200]);
    }
  });

  test('a key or the token of the metrics counts more than a name', async () => {
    const { url, keys } = await startConsole({ metrics: { token: 'only-prometheus' } });
    const { key } = await keys.create({ kind: 'admin', name: 'root' });
    expect(await statusOf(as(url, 'svc:8787', '/metrics', 'authorization: Bearer only-prometheus\r\n'))).toBe(200);
    expect(await statusOf(as(url, 'svc:8787', '/v1/keys', `authorization: Bearer ${key}\r\n`))).toBe(200);
    expect(await statusOf(as(url, 'svc:8787', '/healthz'))).toBe(200);
  });
});
