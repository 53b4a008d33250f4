/** A client of X when X fails: at the start, in between, and at the end. */
import { XClient } from 'svc-sdk/agent/x';
import { expect, onTestFinished, test } from 'vitest';
import { receive, receiveTexts, startX, startXClient } from '../support/agent-x';

test('wrong credentials reject the start with what to do, and show none of them', async () => {
  const fake = await startX();
  const client = new XClient(fake.wrongCredentials);
  await expect(client.start()).rejects.toThrow(
    'X refused GET /2/users/me: 401 Unauthorized. Copy apiKey, apiSecret, accessToken and accessSecret again from the developer portal of X, ' +
      '"Keys and tokens", all four from one app',
  );
});

test('an app without write permission rejects the start with where to give it', async () => {
  const fake = await startX();
  fake.fault({ status: 403 });
  await expect(new XClient(fake.clientOptions).start()).rejects.toThrow(
    'X refused GET /2/users/me: 403 Forbidden. Check in the developer portal of X that the app may read and write, and make the access token ' +
      'again after a change',
  );
});

test('a start waits for X', async () => {
  const fake = await startX();
  fake.fault({ cut: true });
  fake.fault({ status: 503 });
  fake.fault({ status: 429 });
  await startXClient(fake);

  expect(fake.requests.map(({ status }) => status)).toEqual([0, 503, 429, 200]);
});

test('stop ends a start that waits', async () => {
  const fake = await startX();
  fake.fault({ status: 429, retryAfter: 900 });
  const client = new XClient(fake.clientOptions);
  const starting = expect(client.start()).rejects.toThrow(/abort/i);
  await expect.poll(() => fake.requests[0]?.status).toBe(429);
  await client.stop();

  await starting;
});

test.each([
  ['a cut', { cut: true }],
  ['a 503', { status: 503 }],
  ['a rate limit', { status: 429 }],
  ['a cut behind the effect', { cut: true, done: true }],
])('%s loses no mention, and brings none twice', async (_, fault) => {
  const fake = await startX({ pageSize: 1 });
  const client = await startXClient(fake);
  await fake.say({ text: 'one' });
  await fake.say({ text: 'two' });
  fake.fault({ on: '/mentions', ...fault });
  expect(await receiveTexts(client, 2)).toEqual(['one', 'two']);

  await fake.say({ text: 'three' });
  expect(await receiveTexts(client, 1)).toEqual(['three']);
});

test('a token that was revoked ends the client with words', async () => {
  const fake = await startX();
  const client = await startXClient(fake);
  fake.fault({ on: '/mentions', status: 401 });

  await expect(receive(client, 1)).rejects.toThrow(/^X refused GET \/2\/users\/7000000003\/mentions: 401 Unauthorized\. Copy apiKey/);
});

test.each(['stop', 'signal'])('%s ends a pending receive with null', async (end) => {
  const fake = await startX();
  const client = await startXClient(fake, { pollSeconds: 3_600 });
  const ended = new AbortController();
  const signal = ended.signal;
  await client.receiveMessage({ signal });
  await client.receiveMessage({ signal });
  const pending = client.receiveMessage({ signal });
  if (end === 'stop') await client.stop();
  else ended.abort();

  expect(await pending).toBeNull();
});

test('a receive that ended during a poll loses nothing', async () => {
  const fake = await startX();
  const client = await startXClient(fake);
  await client.receiveMessage({ signal: AbortSignal.timeout(5_000) });
  await fake.say({ text: 'one' });
  fake.fault({ on: '/mentions', hangMs: 60_000 });
  const ended = new AbortController();
  const pending = client.receiveMessage({ signal: ended.signal });
  await expect.poll(() => fake.requests.at(-1)?.path).toMatch(/mentions$/);
  ended.abort();

  expect(await pending).toBeNull();
  expect(await receiveTexts(client, 1)).toEqual(['one']);
});

test('stop may be called before start, and twice', async () => {
  const fake = await startX();
  const client = new XClient(fake.clientOptions);
  await client.stop();
  await client.stop();

  await client.start();
  onTestFinished(() => client.stop());
  await fake.say({ text: 'hello' });
  expect(await receiveTexts(client, 1)).toEqual(['hello']);
});

test('a client that is started again reads on from its cursor', async () => {
  const fake = await startX();
  const client = await startXClient(fake);
  for (const text of ['one', 'two']) await fake.say({ text });
  expect(await receiveTexts(client, 1)).toEqual(['one']);
  await client.stop();
  await client.start();

  expect(await receiveTexts(client, 1)).toEqual(['two']);
});
