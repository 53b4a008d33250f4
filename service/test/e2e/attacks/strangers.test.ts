/** Attacks without a key: bytes that no client sends, ambiguous requests, paths that lead elsewhere. */

import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startConsole } from '../../../../test/support/console-service';
import { startService, type TestService } from '../../../../test/support/service';
import { sendBytes, statusesIn } from '../../support/raw-bytes';

const SECRET_PATH = '/v1/actions';

/** A service with one action that counts its runs, and the request that calls it. */
async function startCounting() {
  const service = await startService();
  let runs = 0;
  await service.toolkit('till', (till) => {
    till.action({ action: 'charge', actionDescription: 'Charges a card' }, () => ++runs);
  });
  const { key } = await service.keys.create({ kind: 'agent', name: 'attacker' });
  const body = JSON.stringify({ action: 'till__charge', payload: {} });
  const head = (...lines: string[]) =>
    ['POST /v1/invoke HTTP/1.1', 'Host: 127.0.0.1', `Authorization: Bearer ${key}`, 'Content-Type: application/json', ...lines].join(
      '\r\n',
    );
  return { service, key, body, head, runs: () => runs };
}

async function isAlive(service: TestService): Promise<void> {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
}

test('a request whose length has two meanings is refused, and its second half is not a request', async () => {
  const { service, body, head, runs } = await startCounting();
  const inner = `GET ${SECRET_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const attacks: Record<string, string> = {
    'both lengths': `${head(`Content-Length: ${chunked.length}`, 'Transfer-Encoding: chunked')}\r\n\r\n${chunked}${inner}`,
    'both lengths, chunked first': `${head('Transfer-Encoding: chunked', 'Content-Length: 3')}\r\n\r\n${chunked}${inner}`,
    'two different lengths': `${head(`Content-Length: ${body.length}`, 'Content-Length: 3')}\r\n\r\n${body}${inner}`,
    'a list of lengths': `${head(`Content-Length: ${body.length}, 3`)}\r\n\r\n${body}${inner}`,
    'a length with a sign': `${head(`Content-Length: +${body.length}`)}\r\n\r\n${body}${inner}`,
    'a length in hexadecimal': `${head(`Content-Length: 0x${body.length.toString(16)}`)}\r\n\r\n${body}${inner}`,
    'a negative length': `${head('Content-Length: -1')}\r\n\r\n${body}${inner}`,
    'a length beyond 2^64': `${head('Content-Length: 18446744073709551999')}\r\n\r\n${body}${inner}`,
    'an unknown coding': `${head('Transfer-Encoding: xchunked')}\r\n\r\n${chunked}${inner}`,
    'chunked twice': `${head('Transfer-Encoding: chunked, chunked')}\r\n\r\n${chunked}${inner}`,
    'chunked with identity': `${head('Transfer-Encoding: chunked, identity')}\r\n\r\n${chunked}${inner}`,
    'a space before the colon': `${head(`Content-Length : ${body.length}`)}\r\n\r\n${body}${inner}`,
    'a folded header': `${head('X-Fold: a', ` Content-Length: ${body.length}`)}\r\n\r\n${body}${inner}`,
    'a NUL in a header': `${head(`X-Nul: a\0b`, `Content-Length: ${body.length}`)}\r\n\r\n${body}${inner}`,
    'a bare CR in a header': `${head(`X-Cr: a\rContent-Length: ${body.length}`)}\r\n\r\n${body}${inner}`,
    'a chunk size with an underscore': `${head('Transfer-Encoding: chunked')}\r\n\r\n1_0\r\n${body}\r\n0\r\n\r\n${inner}`,
    'a chunk longer than it says': `${head('Transfer-Encoding: chunked')}\r\n\r\n5\r\n${body}\r\n0\r\n\r\n${inner}`,
  };
  const answers = await Promise.all(
    Object.entries(attacks).map(async ([attack, bytes]) => ({ attack, answer: await sendBytes(service, bytes) })),
  );
  for (const { attack, answer } of answers) {
    const statuses = statusesIn(answer);
    // The service sends at most one answer, a refusal; none if the connection is reset.
    expect([attack, statuses.length <= 1, statuses.every((status) => status >= 400)]).toEqual([attack, true, true]);
  }
  expect(runs()).toBe(0);
  await isAlive(service);
});

test('two requests in one packet each get their own answer, for any first request', async () => {
  const { service, body, head, runs } = await startCounting();
  const call = `${head(`Content-Length: ${body.length}`)}\r\n\r\n${body}`;
  expect(statusesIn(await sendBytes(service, call + call))).toEqual([200, 200]);
  const noKey = `POST /v1/invoke HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  expect(statusesIn(await sendBytes(service, call + noKey))).toEqual([200, 401]);
  // The key of the first is not lent to the second.
  expect(statusesIn(await sendBytes(service, `${call}GET ${SECRET_PATH} HTTP/1.1\r\nHost: a\r\n\r\n`))).toEqual([200, 401]);
  expect(runs()).toBe(4);
});

test('invalid HTTP/1.1 is answered or closed, and the service continues', async () => {
  const { service } = await startCounting();
  const attacks = [
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', // a TLS ClientHello
    'GET http://evil.example/v1/actions HTTP/1.1\r\nHost: a\r\n\r\n',
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
    'get /healthz HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n',
    'GET /healthz\r\n\r\n',
    '\r\n\r\n\r\n\r\n',
    '\0'.repeat(10_000),
    `GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nHost: a\r\n${'X-Many: 1\r\n'.repeat(5_000)}\r\n`,
    'GET /v1/toolkit HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    'GET /v1/toolkit HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: x\r\n\r\n',
  ];
  const answers = await Promise.all(attacks.map((bytes) => sendBytes(service, bytes)));
  for (const [index, bytes] of attacks.entries()) {
    const statuses = statusesIn(answers[index] ?? '');
    expect([bytes.slice(0, 30), statuses.some((status) => status >= 500 && status !== 505)]).toEqual([bytes.slice(0, 30), false]);
  }
  await isAlive(service);
});

test('no path leads out of the folder of the console, or past its door', async () => {
  const service = await startConsole();
  const paths = [
    '/assets/../index.html',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%252e%252e/package.json',
    '/assets/....//....//package.json',
    '/assets//etc/passwd',
    '/assets/%00',
    '/assets/index.js%00.html',
    '/assets/.',
    '/icon.svg/../../../package.json',
    '//evil.example/%2f..',
    '/%ff%fe',
    '/v1//people',
    '/v1/./people',
    '/v1/people/',
    '/V1/people',
    '/v1/people;a=b',
    '/v1/people%2f',
    '/v1/%70eople',
    '/v1/auth/../people',
    '/console/../v1/people',
  ];
  for (const path of paths) {
    const answer = await sendBytes(service, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    const [status = 0] = statusesIn(answer);
    expect([path, status >= 500, /"name": ?"svc-sdk"|root:|olga/.test(answer)]).toEqual([path, false, false]);
    if (path.startsWith('/v1')) expect([path, status === 200]).toEqual([path, false]);
  }
});

test('links and cookies are made for the address of the service, for any headers of a request', async () => {
  const service = await startConsole();
  const lies = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example;proto=https',
    'x-original-url': '/v1/people',
    'x-rewrite-url': '/v1/people',
    'x-http-method-override': 'DELETE',
  };
  const invitation = await service.owner.ask('POST', '/v1/invitations', { role: 'member' }, { headers: lies });
  expect(await invitation.text()).not.toContain('evil');
  expect((await service.as().ask('GET', '/v1/people', undefined, { headers: lies })).status).toBe(401);
  const me = await service.owner.ask('GET', '/v1/me', undefined, { headers: lies });
  expect([me.status, (await me.text()).includes('evil')]).toEqual([200, false]);
});

test('a page that signs in leads to no other site', async () => {
  const service = await startConsole();
  for (const target of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/%2f/evil.example']) {
    const body = { email: 'olga@example.com', password: 'seven blue whales', callbackURL: target, redirect: true };
    const answer = await service.as().ask('POST', '/v1/auth/sign-in/email', body, { redirect: 'manual' });
    const location = answer.headers.get('location') ?? '';
    expect([target, /evil|javascript/.test(location), /evil|javascript/.test(await answer.text())]).toEqual([target, false, false]);
  }
});

test('a socket without a key passes no frame, for any upgrade request', async () => {
  const service = await startService();
  const address = `${service.url.replace('http', 'ws')}/v1/toolkit`;
  for (const [url, headers] of [
    [address, {}],
    [address, { authorization: 'Bearer ' }],
    [address, { authorization: 'Basic c3ZjOnN2Yw==' }],
    [`${address}?key=svc_toolkit_x`, {}],
    [`${address}/`, { authorization: 'Bearer svc_toolkit_x' }],
    [address, { 'sec-websocket-protocol': 'svc_toolkit_x' }],
    [address, { authorization: `Bearer ${'x'.repeat(8_000)}` }],
  ] as const) {
    const socket = new WebSocket(url, { headers });
    const refused = vi.fn();
    socket.on('error', refused);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(refused).toHaveBeenCalled();
  }
  await isAlive(service);
});
