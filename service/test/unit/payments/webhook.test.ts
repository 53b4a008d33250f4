/** The webhook of the ledger over real HTTP. `standardwebhooks`, which shares no code with the service, verifies its signatures. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { SvcError } from 'svc-sdk';
import type { ChargedEntry } from 'svc-service';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listening } from '../../../../test/support/listening';
import { readSettlement } from '../../../src/payments/settlement-options';
import { webhookSettle } from '../../../src/payments/webhook';
import { readWebhookUrl } from '../../../src/payments/webhook-url';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

const ENTRY: ChargedEntry = {
  invocationId: 'inv_0mh8x2k9fabc',
  agentKeyId: 'key_agent',
  toolkit: 'maps',
  action: 'maps__route',
  currency: 'USD',
  authorised: '0.05',
  charged: '0.03',
  heldAt: '2026-11-23T11:59:00.000Z',
  bookedAt: '2026-11-23T11:59:01.000Z',
};

async function receiver(answer: RequestListener): Promise<string> {
  return `${await listening(createServer(answer))}/ledger?tenant=a`;
}

async function refusalOf(settled: Promise<void>): Promise<SvcError> {
  const error = await settled.then(
    () => expect.unreachable('it was accepted'),
    (reason: unknown) => reason,
  );
  if (!SvcError.is(error)) throw error;
  return error;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

test('an entry is a signed POST of JSON, with the invocation id as idempotency key', async () => {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const url = await receiver(async (request, response) => {
    seen.push({ request, body: await text(request) });
    response.writeHead(202).end('an unread body');
  });
  await webhookSettle({ url, secret: SECRET }).settle(ENTRY);
  const [{ request, body }] = seen as [(typeof seen)[0]];
  const headers = headersOf(request);
  expect([request.method, request.url]).toEqual(['POST', '/ledger?tenant=a']);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': ENTRY.invocationId,
    'webhook-id': ENTRY.invocationId,
  });
  expect(JSON.parse(body)).toEqual(ENTRY);
  expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(10);

  expect(new Webhook(SECRET).verify(body, headers)).toEqual(ENTRY);
  expect(() => new Webhook(OTHER_SECRET).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(SECRET).verify(body.replace('0.03', '0.01'), headers)).toThrow('No matching signature');
  expect(() => new Webhook(SECRET).verify(body, { ...headers, 'webhook-id': 'inv_other' })).toThrow('No matching signature');
  expect(() => new Webhook(SECRET).verify(body, { ...headers, 'webhook-timestamp': '1700000000' })).toThrow('too old');
});

test('the signature equals that of the library of Standard Webhooks', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_123);
  onTestFinished(() => void vi.restoreAllMocks());
  let sent = '';
  const url = await receiver(async (request, response) => {
    sent = String(request.headers['webhook-signature']);
    response.end();
  });
  await webhookSettle({ url, secret: SECRET }).settle(ENTRY);
  const expected = new Webhook(SECRET).sign(ENTRY.invocationId, new Date(1_700_000_000_000), JSON.stringify(ENTRY));
  expect(sent).toBe(expected);
});

test.each([400, 401, 404, 409, 410, 429, 500, 503])('%i is a failure', async (status) => {
  const url = await receiver((_, response) => void response.writeHead(status).end('why'));
  const error = await refusalOf(webhookSettle({ url, secret: SECRET }).settle(ENTRY));
  expect(error.message).toMatch(new RegExp(`at 127\\.0\\.0\\.1:\\d+ answered ${status}$`));
  expect(error.retryAfterMs).toBeUndefined();
});

test.each([301, 302, 307, 308])('%i is a failure too: a redirect is not followed', async (status) => {
  let strangers = 0;
  const elsewhere = await receiver((_, response) => {
    strangers++;
    response.end();
  });
  const url = await receiver((_, response) => void response.writeHead(status, { location: elsewhere }).end());
  expect((await refusalOf(webhookSettle({ url, secret: SECRET }).settle(ENTRY))).message).toContain(`${status}, a redirect`);
  expect(strangers).toBe(0);
});

test.each([
  ['7', 7_000],
  [new Date(Date.now() + 3_600_000).toUTCString(), 3_599_000],
  ['soon', undefined],
  ['-5', undefined],
])('Retry-After: %s sets the time of the retry', async (header, ms) => {
  const url = await receiver((_, response) => void response.writeHead(503, { 'retry-after': header }).end());
  const { retryAfterMs } = await refusalOf(webhookSettle({ url, secret: SECRET }).settle(ENTRY));
  if (ms === undefined) return expect(retryAfterMs).toBeUndefined();
  expect(Math.abs(Number(retryAfterMs) - ms)).toBeLessThan(5_000);
});

test('a receiver that is down, or hangs up, is a failure that names its host', async () => {
  const closed = createServer();
  const { port } = new URL(await listening(closed));
  closed.close();
  const down = await refusalOf(webhookSettle({ url: `http://127.0.0.1:${port}/`, secret: SECRET }).settle(ENTRY));
  expect(down.message).toMatch(new RegExp(`at 127\\.0\\.0\\.1:${port} cannot be reached: .*ECONNREFUSED`));
  const url = await receiver((request) => void request.socket.destroy());
  expect((await refusalOf(webhookSettle({ url, secret: SECRET }).settle(ENTRY))).message).toContain('cannot be reached');
});

test('a receiver that does not answer in ten seconds is a failure', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    expect(ms).toBe(10_000);
    return AbortSignal.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  });
  onTestFinished(() => timeout.mockRestore());
  const url = await receiver(() => {});
  expect((await refusalOf(webhookSettle({ url, secret: SECRET }).settle(ENTRY))).message).toMatch(/did not answer in 10 s$/);
});

test.each([
  'https://billing.example.com/ledger?tenant=a',
  'http://localhost:3000/',
  'http://127.0.0.1/x',
  'http://[::1]:80/',
  'http://billing:8080/ledger',
  'http://billing.prod.svc.cluster.local/',
  'http://billing.internal',
  'http://10.3.4.5',
  'http://172.31.0.1',
  'http://192.168.1.2',
  'http://[fd00::1]/',
])('%s is a webhook', (url) => {
  expect(readWebhookUrl(url).href).toBe(new URL(url).href);
});

test.each([
  ['billing.example.com/ledger', /must be an http\(s\) URL/],
  ['', /must be an http\(s\) URL/],
  ['ftp://billing.example.com/', /must be an http\(s\) URL/],
  ['https://user:s3cret@billing.example.com/', /no credentials/],
  ['https://s3cret@billing.example.com/', /no credentials/],
  ['https://billing.example.com/#s3cret', /no fragment/],
  ['http://billing.example.com/?key=s3cret', /billing\.example\.com over http.*use https/],
  ['http://8.8.8.8/', /over http/],
  ['http://172.32.0.1/', /over http/],
  ['http://[2001:db8::1]/', /over http/],
  ['http://127.0.0.1.example.com/', /over http/],
])('%s is not, and the error has the reason without a secret', (url, message) => {
  expect(() => readWebhookUrl(url)).toThrow(message);
  expect(() => readWebhookUrl(url)).not.toThrow('s3cret');
});

test.each(['', 'whsec_', 's3cret', 'whsec_c2hvcnQ=', `whsec_${'!'.repeat(44)}`, SECRET.slice('whsec_'.length)])(
  'the secret %j is refused with the way to make a good one, and is not shown',
  (secret) => {
    const make = () => webhookSettle({ url: 'https://billing.example.com/', secret });
    expect(make).toThrow('echo "whsec_$(openssl rand -base64 32)"');
    if (secret.length > 6) expect(make).not.toThrow(secret);
  },
);

test('either a function or a webhook settles', () => {
  const settle = async () => {};
  const ledgerWebhook = { url: 'https://billing.example.com/ledger?token=s3cret', secret: SECRET };
  expect(() => readSettlement({ settle, ledgerWebhook })).toThrow('either settle or ledgerWebhook');
  expect(readSettlement({})).toBeUndefined();
  expect(readSettlement({ settle })).toEqual({ settle, shown: 'by this program' });
  expect(readSettlement({ ledgerWebhook })?.shown).toBe('webhook at billing.example.com');
});
