/** Cross-origin requests, as a browser makes them. service/test/browser/cross-origin.test.ts has a real one. */
import { createService } from 'svc-service';
import { expect, test } from 'vitest';
import { startService } from '../../../test/support/service';

const APP = 'https://app.example.com';
const OPEN = ['/v1/search', '/v1/invoke', '/v1/invocations/inv_1', '/v1/resolve', '/v1/actions', '/mcp'];
/** All that our client and MCP clients send. */
const ASKED =
  'accept,authorization,content-type,idempotency-key,svc-timeout-ms,svc-search-id,svc-max-payment,traceparent,mcp-session-id,mcp-protocol-version';

function preflight(url: string, path: string, origin: string): Promise<Response> {
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': ASKED };
  return fetch(url + path, { method: 'OPTIONS', headers });
}

/** The CORS headers of an answer. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

test.each(OPEN)('a preflight of an allowed origin to %s is answered', async (path) => {
  const { url } = await startService({ allowedOrigins: [APP] });
  const answer = await preflight(url, path, APP);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('vary')).toBe('origin');
  expect(corsOf(answer)).toMatchObject({
    'access-control-allow-origin': APP,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': ASKED,
  });
  expect(corsOf(answer)).not.toHaveProperty('access-control-allow-credentials');
});

test('every answer to an allowed origin can be read, errors too, with the headers that clients need', async () => {
  const { url, keys } = await startService({ allowedOrigins: [APP] });
  const { key } = await keys.create({ kind: 'agent', name: 'a', callsPerMinute: 4 });
  const post = (path: string, authorization?: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { origin: APP, 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: JSON.stringify({ query: 'x', action: 'a__b' }),
    });
  const answers = [
    ...(await Promise.all(['/v1/search', '/v1/invoke', '/v1/resolve', '/mcp'].map((path) => post(path)))),
    await post('/v1/search', `Bearer ${key}`),
    await post('/v1/invoke', `Bearer ${key}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 200, 404]);
  for (const answer of answers) {
    expect(corsOf(answer)).toEqual({
      'access-control-allow-origin': APP,
      'access-control-expose-headers': expect.stringMatching(/retry-after.*svc-search-id.*mcp-session-id/),
    });
  }
});

test('another origin gets no data, and its developer reads how to allow it', async () => {
  const { url } = await startService({ allowedOrigins: [APP] });
  for (const origin of ['https://evil.example', 'http://app.example.com', 'https://app.example.com:8443', 'null']) {
    const answer = await preflight(url, '/v1/invoke', origin);
    expect(corsOf(answer)).toEqual({});
    expect(answer.status).toBe(403);
    expect((await answer.json()).detail).toContain(`--allowed-origin ${origin}`);
  }
});

test.each(['/v1/keys', '/v1/tokens', '/v1/me', '/v1/auth/sign-in/email', '/v1/people', '/metrics', '/v1/keys/key_x/invoke'])(
  'no page of an allowed origin reads %s',
  async (path) => {
    const { url } = await startService({ allowedOrigins: [APP], console: true, metrics: true });
    for (const answer of [await preflight(url, path, APP), await fetch(url + path, { headers: { origin: APP } })])
      expect(corsOf(answer)).toEqual({});
  },
);

test.each([
  ['*', 'name each origin'],
  ['https://*.example.com', 'name each origin'],
  ['null', 'is the origin of every file'],
  ['https://app.example.com/', 'write https://app.example.com'],
  ['https://APP.example.com', 'write https://app.example.com'],
  ['https://app.example.com:443', 'write https://app.example.com'],
  ['https://user@app.example.com', 'write https://app.example.com'],
  ['app.example.com', 'is not an origin'],
  ['', 'is not an origin'],
])('a service does not start with the origin %s', async (origin, message) => {
  await expect(createService({ port: 0, allowedOrigins: [origin] })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining(message),
  });
});

test.each(['http://localhost:5173', 'https://app.example.com:8443', 'http://[::1]:3000', 'capacitor://localhost'])(
  'a service starts with the origin %s',
  async (origin) => {
    const { url } = await startService({ allowedOrigins: [origin] });
    expect((await preflight(url, '/v1/search', origin)).headers.get('access-control-allow-origin')).toBe(origin);
  },
);
