/** How long a request to X waits between its tries, by a clock that the test reads. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { XApi } from '../../src/agent/clients/x/api';
import { startX } from '../support/agent-x';

const NEVER = new AbortController().signal;

async function startApi() {
  const fake = await startX();
  const waits: number[] = [];
  const api = new XApi(fake.clientOptions, fake.origin, async (ms) => waits.push(ms));
  return { fake, api, waits };
}

test('waits double up to a minute, each times a random number', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => void vi.restoreAllMocks());
  const { fake, api, waits } = await startApi();
  fake.fault({ status: 503, times: 8 });
  const { body } = await api.send('GET', '/2/users/me', { signal: NEVER });

  expect(body).toMatchObject({ data: { username: 'svc_fake' } });
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test.each([
  ['cut', { cut: true }],
  ['500', { status: 500 }],
  ['408', { status: 408 }],
])('five attempts that end in %s reject with that reason', async (_, fault) => {
  const { fake, api, waits } = await startApi();
  fake.fault({ ...fault, times: 5 });

  await expect(api.send('GET', '/2/users/me', { signal: NEVER, tries: 5 })).rejects.toThrow(
    /^X did not take GET \/2\/users\/me in 5 tries\. The last time: /,
  );
  expect(waits).toHaveLength(4);
  expect(fake.requests).toHaveLength(5);
});

test('a rate limit waits for its reset, and not for a doubled time', async () => {
  const { fake, api, waits } = await startApi();
  fake.fault({ status: 429, retryAfter: 600 });
  await api.send('GET', '/2/users/me', { signal: NEVER });

  // The reset and the `date` header are whole seconds.
  expect(waits).toEqual([expect.toSatisfy((ms: number) => ms === 600_000 || ms === 601_000)]);
});

test('an unused address is an error with its code', async () => {
  const { fake, api } = await startApi();
  await fake.close();

  await expect(api.send('GET', '/2/users/me', { signal: NEVER, tries: 1 })).rejects.toThrow(
    'X did not take GET /2/users/me in 1 tries. The last time: ECONNREFUSED',
  );
});

test('a wait ends with the signal', async () => {
  const fake = await startX();
  const api = new XApi(fake.clientOptions, fake.origin);
  fake.fault({ status: 429, retryAfter: 900 });
  const ended = new AbortController();
  const sending = expect(api.send('GET', '/2/users/me', { signal: ended.signal })).rejects.toThrow(/abort/i);
  await expect.poll(() => fake.requests[0]?.status).toBe(429);
  ended.abort();

  await sending;
});

/** Answers of a server that is not X, or of an app with wrong settings. */
async function startServer(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status, headers).end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const CREDENTIALS = { apiKey: 'the-api-key', apiSecret: 'api-secret', accessToken: '12-the-token', accessSecret: 'access-secret' };

test('a 401 caused by a wrong clock reports the difference', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:10:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const origin = await startServer(401, '{}', { date: 'Sun, 22 Nov 2026 12:00:00 GMT' });

  await expect(new XApi(CREDENTIALS, origin).send('GET', '/2/users/me', { signal: NEVER })).rejects.toThrow(
    'X refused GET /2/users/me: 401. The clock of this machine is off by 600 s, and X accepts signatures of a few minutes: set the clock',
  );
});

test('the time of an answer is the time at X', async () => {
  const origin = await startServer(200, '{}', { date: 'Sun, 22 Nov 2026 12:00:00 GMT' });
  const { at } = await new XApi(CREDENTIALS, origin).send('GET', '/2/users/me', { signal: NEVER });

  expect(at).toBe(Date.parse('2026-11-22T12:00:00Z'));
});

test.each(['<html>', '"text"', 'null', ''])('an answer such as %j is tried again', async (body) => {
  const origin = await startServer(200, body);
  await expect(new XApi(CREDENTIALS, origin).send('GET', '/2/users/me', { signal: NEVER, tries: 1 })).rejects.toThrow(
    'X did not take GET /2/users/me in 1 tries. The last time: an answer that is not a JSON object',
  );
});

test('a redirect is not followed: the signature is for one address', async () => {
  const origin = await startServer(302, '', { location: '/elsewhere' });
  await expect(new XApi(CREDENTIALS, origin).send('GET', '/2/users/me', { signal: NEVER })).rejects.toThrow(
    'X refused GET /2/users/me: 302',
  );
});

test('an answer that repeats credentials shows none of them', async () => {
  const origin = await startServer(400, JSON.stringify({ detail: Object.values(CREDENTIALS).join(' ') }));
  await expect(new XApi(CREDENTIALS, origin).send('GET', '/2/users/me', { signal: NEVER })).rejects.toThrow(
    /^X refused GET \/2\/users\/me: 400 \*{3} \*{3} \*{3} \*{3}$/,
  );
});

test.each([
  [403, true],
  [400, false],
])('the word duplicate in a %d means a text that was sent before: %s', async (status, isDuplicate) => {
  const origin = await startServer(status, '{"detail":"You are not allowed to create a Tweet with duplicate content."}');
  await expect(new XApi(CREDENTIALS, origin).send('POST', '/2/tweets', { signal: NEVER, body: {} })).rejects.toMatchObject({ isDuplicate });
});

test('a base address may have a path and a slash at its end', async () => {
  const { fake } = await startApi();
  const { body } = await new XApi(fake.clientOptions, `${fake.origin}/`).send('GET', '/2/users/me', { signal: NEVER });

  expect(body).toMatchObject({ data: { id: '7000000003' } });
});
