/** Forms of requests that HTTP clients rarely write: on the fast path, on the other routes, and on the upgrade of a toolkit. */
import { connect } from 'node:net';
import { Toolkit } from 'svc-sdk';
import { createService, type Service } from 'svc-service';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

let service: Service;
let agentKey: string;
let toolkitKey: string;
beforeAll(async () => {
  service = await createService({ port: 0, metrics: true });
  agentKey = (await service.keys.create({ kind: 'agent', name: 'agent' })).key;
  toolkitKey = (await service.keys.create({ kind: 'toolkit', name: 'kit' })).key;
  const toolkit = new Toolkit({ baseUrl: service.url, apiKey: toolkitKey });
  toolkit.action({ action: 'echo', actionDescription: 'Echoes' }, (_ctx, payload) => payload);
  toolkit.run().catch(() => {});
  await toolkit.ready;
  return async () => {
    await toolkit.stop({ timeoutMs: 100 });
    await service.close();
  };
});

/** The whole answer: the connection is closed after it. */
function exchange(text: string): Promise<string> {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.write(text, 'latin1');
  return new Promise((resolve) => {
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

/** `open` keeps the connection: the request is plain. A second one closes it. */
function request(line: string, headers: string[], body: string, open = false): string {
  const lines = [...headers, ...(open ? [] : ['Connection: close']), `Content-Length: ${body.length}`];
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

const CALL = '{"action":"kit__echo","payload":{"text":"hello"}}';
const bearer = () => `Authorization: Bearer ${agentKey}`;

const ROUTES: [string, string][] = [
  ['/v1/invoke', CALL],
  ['/v1/search', '{"query":"echo"}'],
  ['/v1/resolve', '{"action":"kit__echo","payload":{}}'],
  ['/v1/search?x=1', '{"query":"echo"}'],
];

test.each(ROUTES)('POST http://host%s is served like its path', async (path, body) => {
  for (const target of [`http://any.example${path}`, `HTTPS://any.example:8443${path}`]) {
    const answer = await exchange(request(`POST ${target}`, ['Host: other.example', bearer()], body));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  }
});

test('a connection serves plain requests again after one in absolute form', async () => {
  const absolute = request('POST http://a.example/v1/invoke', ['Host: a.example', bearer()], CALL, true);
  const answer = await exchange(absolute + request('POST /v1/invoke', ['Host: a.example', bearer()], CALL));
  expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
});

test('the host of an absolute target counts, not the Host header', async () => {
  const list = (target: string, host: string) => exchange(request(`GET ${target}`, [`Host: ${host}`], ''));
  expect(await list('http://127.0.0.1/metrics', 'rebound.example')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await list('/metrics', 'rebound.example')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await list('http://rebound.example/metrics', '127.0.0.1')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await list('http://127.0.0.1', '127.0.0.1')).toMatch(/^HTTP\/1\.1 (?!400)/);
});

test.each(['http:///healthz', 'http://user@host/healthz', 'http://a b/healthz', 'http://[::1/healthz'])(
  'GET %s is refused',
  async (target) => {
    expect(await exchange(request(`GET ${target}`, ['Host: 127.0.0.1'], ''))).toMatch(/^HTTP\/1\.1 400 /);
  },
);

const REPEATED = ['Host: a', 'Authorization: Bearer x', 'Idempotency-Key: a', 'Svc-User-Id: a', 'Svc-Session-Id: a', 'Svc-Search-Id: a'];

test.each(REPEATED)('two headers like %s are rejected with a text', async (header) => {
  const [name = ''] = header.split(':');
  for (const [path, body] of [...ROUTES, ['/v1/keys', '{}'], ['/mcp', '{}']] as const) {
    const others = name === 'Host' ? [bearer()] : name === 'Authorization' ? ['Host: a'] : ['Host: a', bearer()];
    const twice = [header, header.replace(name, name.toUpperCase())];
    const answer = await exchange(request(`POST ${path}`, [...others, ...twice], body));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`The request has two ${name.toUpperCase()} headers: send one`);
  }
});

test('two content lengths are refused', async () => {
  const answer = await exchange(request('POST /v1/invoke', ['Host: a', bearer(), `Content-Length: ${CALL.length}`], CALL));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test('the upgrade of a toolkit takes an absolute target, and refuses two keys', async () => {
  const upgrade = (target: string, ...keys: string[]) => {
    const headers = [
      'Host: a',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ...keys.map((key) => `Authorization: Bearer ${key}`),
    ];
    return `GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  };
  // A close frame: the service closes too.
  const closing = Buffer.from([0x88, 0x80, 0, 0, 0, 0]).toString('latin1');
  const answer = exchange(upgrade('http://a.example/v1/toolkit', toolkitKey) + closing);
  expect(await answer).toMatch(/^HTTP\/1\.1 101 /);
  const twice = await exchange(upgrade('/v1/toolkit', toolkitKey, toolkitKey));
  expect(twice).toMatch(/^HTTP\/1\.1 400 /);
  expect(twice).toContain('The request has two Authorization headers: send one');
});
