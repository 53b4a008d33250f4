import { expect, test } from 'vitest';
import { MAX_HEAD_BYTES, parseRequestHead } from '../../../src/http/fast-path/request-head';

const REQUIRED = ['host: localhost', 'content-length: 2'];

function headOf(lines: string[], { line = 'POST /v1/invoke HTTP/1.1', end = '\r\n' } = {}): string {
  return [line, ...lines, '', ''].join(end);
}

test('the headers that matter are returned unchanged, for any case and order', () => {
  const text = headOf([
    'Accept: */*',
    'HOST: localhost',
    'Authorization: Bearer svc_agent_x',
    'content-length: 17',
    'Idempotency-Key: order-1',
    'SVC-TIMEOUT-MS:1500',
    'svc-max-result-chars: 2000',
    'Svc-Search-Id: a.b',
    'traceparent: 00-a',
    'tracestate: k=v, l=w',
    'svc-user-id: ada',
    'svc-session-id: chat/7',
    'Prefer: respond-async, wait=9',
    'Svc-Ask: destructive',
    'Svc-Caller: program',
    'Connection: keep-alive',
    'X-Anything: at all',
    'user-agent: curl/8',
  ]);
  expect(parseRequestHead(`${text}{"action":"a__b"}`)).toEqual({
    path: '/v1/invoke',
    bytes: text.length,
    contentLength: 17,
    authorization: 'Bearer svc_agent_x',
    idempotencyKey: 'order-1',
    timeoutMs: '1500',
    maxResultChars: '2000',
    searchId: 'a.b',
    traceparent: '00-a',
    tracestate: 'k=v, l=w',
    userId: 'ada',
    sessionId: 'chat/7',
    prefer: 'respond-async, wait=9',
    ask: 'destructive',
    caller: 'program',
  });
});

test('a search is read by the same rules', () => {
  const text = headOf([...REQUIRED, 'svc-search-id: a.b'], { line: 'POST /v1/search HTTP/1.1' });
  expect(parseRequestHead(text)).toMatchObject({ path: '/v1/search', bytes: text.length, contentLength: 2, searchId: 'a.b' });
});

test('headers without a meaning here may repeat', () => {
  const text = headOf([...REQUIRED, 'x-forwarded-for: a', 'x-forwarded-for: b', 'via: a', 'via: b']);
  expect(parseRequestHead(text)).toMatchObject({ contentLength: 2, authorization: undefined });
});

test.each([
  'GET /v1/invoke HTTP/1.1',
  'post /v1/invoke HTTP/1.1',
  'POST /v1/invoke?a=1 HTTP/1.1',
  'POST /v1/invoke/ HTTP/1.1',
  'POST http://localhost/v1/invoke HTTP/1.1',
  'POST /v1/search?a=1 HTTP/1.1',
  'POST /v1/searches HTTP/1.1',
  'POST /v1/resolve HTTP/1.1',
  'POST  /v1/invoke HTTP/1.1',
  'POST /v1/invoke HTTP/1.0',
  'POST /v1/invoke HTTP/2.0',
  '\r\nPOST /v1/invoke HTTP/1.1',
])('the request line %j is left to node:http', (line) => {
  expect(parseRequestHead(headOf(REQUIRED, { line }))).toBeUndefined();
});

test.each([
  'transfer-encoding: chunked',
  'Transfer-Encoding: identity',
  'te: trailers',
  'trailer: x',
  'expect: 100-continue',
  'upgrade: websocket',
  'connection: close',
  'connection: upgrade, keep-alive',
  'proxy-connection: keep-alive',
  'origin: https://app.example',
  'accept: text/event-stream',
  'content-length: 2',
  'Content-Length: 3',
  'host: other',
  'unknown: 1',
  '__proto__: 1',
  'content-length : 2',
  'x-a : 1',
  ' x-a: 1',
  'x-a',
  ': 1',
  'x-a:',
  'x-a: \u0000',
  'x-a: \u007f',
  'x-a: \u00e9',
  'x-a:\tb',
  'x-a: b\tc',
  'x-a: b\r\n c',
  'x-a: b\rc',
  'x-a: b\nc',
  'x_a: 1',
])('a request with the line %j is left to node:http', (line) => {
  expect(parseRequestHead(headOf([...REQUIRED, line]))).toBeUndefined();
  expect(parseRequestHead(headOf([line, ...REQUIRED]))).toBeUndefined();
});

test.each(['authorization', 'idempotency-key', 'svc-timeout-ms', 'traceparent', 'accept'])('%s must not repeat', (name) => {
  expect(parseRequestHead(headOf([...REQUIRED, `${name}: a`]))).toBeDefined();
  expect(parseRequestHead(headOf([...REQUIRED, `${name}: a`, `${name.toUpperCase()}: a`]))).toBeUndefined();
  expect(parseRequestHead(headOf([...REQUIRED, `${name}: a `]))).toBeUndefined();
});

test.each(['', '+2', '-2', '2 ', '2, 2', '0x2', '2.0', '1e1', '1234567890', '9'.repeat(30), '２'])(
  'content-length %j is left to node:http',
  (length) => {
    expect(parseRequestHead(headOf(['host: x', `content-length: ${length}`]))).toBeUndefined();
  },
);

test('host and content-length have to be there', () => {
  expect(parseRequestHead(headOf(['host: x']))).toBeUndefined();
  expect(parseRequestHead(headOf(['content-length: 2']))).toBeUndefined();
  expect(parseRequestHead(headOf([]))).toBeUndefined();
});

test('lines end with CR and LF, and the head with an empty line', () => {
  for (const end of ['\n', '\r', '\n\r', '\r\r\n']) expect(parseRequestHead(headOf(REQUIRED, { end }))).toBeUndefined();
  const whole = headOf(REQUIRED);
  for (let length = 0; length < whole.length; length++) expect(parseRequestHead(whole.slice(0, length))).toBeUndefined();
  expect(parseRequestHead(whole)).toMatchObject({ bytes: whole.length });
});

test('a head without end takes linear time', () => {
  const lines = Array.from({ length: MAX_HEAD_BYTES / 8 }, () => 'x-a: b\r\n').join('');
  expect(parseRequestHead(`POST /v1/invoke HTTP/1.1\r\n${lines}`)).toBeUndefined();
});
