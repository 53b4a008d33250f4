/** Starts that Telegram refuses or delays, and stops. */
import { TelegramClient } from 'svc-sdk/agent/telegram';
import { expect, onTestFinished, test } from 'vitest';
import { receive, receiveTexts } from '../support/received-messages';
import { countCalls, openTelegram, startTelegramClient } from '../support/telegram';

const patiently = () => ({ signal: AbortSignal.timeout(10_000) });

test('the id is read from the token', async () => {
  const fake = await openTelegram();
  expect(new TelegramClient(fake.clientOptions).clientId).toBe('telegram-7000000001');
});

test.each(['', 'abc', '123456789', 'sk-proj-0123456789012345678901234567890', '123456789:AAF0123456789012345678901\n'])(
  '%j is not a token, and the error does not show it',
  (botToken) => {
    const make = () => new TelegramClient({ botToken });
    expect(make).toThrow(/^botToken is not a token of Telegram. A token looks like 123456789:AAF… and comes from @BotFather/);
    expect(make).not.toThrow(/sk-proj|AAF0/);
  },
);

test.each([
  [{ apiRoot: 'api.telegram.org' }, 'apiRoot has to be an address that begins with https:// or http://'],
  [{ apiRoot: 'https://api telegram' }, 'apiRoot has to be an address that begins with https:// or http://'],
  [{ pollSeconds: 0 }, 'pollSeconds has to be from 1 to 50, and is 0'],
  [{ pollSeconds: 51 }, 'pollSeconds has to be from 1 to 50, and is 51'],
  [{ pollSeconds: Number.NaN }, 'pollSeconds has to be from 1 to 50, and is NaN'],
])('%j is refused', async (options, words) => {
  const fake = await openTelegram();
  expect(() => new TelegramClient({ ...fake.clientOptions, ...options })).toThrow(words);
});

test('a wrong token rejects the start with the place to get another', async () => {
  const fake = await openTelegram();
  const error = await new TelegramClient(fake.wrongCredentials).start().catch((caught) => caught);

  expect(error.message).toBe(
    'Telegram refused the bot token of telegram-7000000001 (401). Send /token to @BotFather (https://t.me/BotFather), and set what it answers as botToken',
  );
});

test('a start during an outage continues after it', async () => {
  const fake = await openTelegram();
  fake.fault({ on: '/getMe', status: 502 });
  fake.fault({ on: '/getMe', cut: true });
  fake.fault({ on: '/getMe', status: 429, retryAfter: 0.1 });
  fake.fault({ on: '/deleteWebhook', status: 503 });
  await startTelegramClient(fake);

  expect(fake.requests.map(({ status }) => status)).toEqual([502, 0, 429, 200, 503, 200]);
});

test('an existing webhook is deleted, and its messages are received', async () => {
  const fake = await openTelegram();
  await fetch(`${fake.origin}/bot${fake.secret}/setWebhook?url=https://example.com`);
  await fake.say({ text: 'meanwhile' });
  const client = await startTelegramClient(fake);

  expect(await receiveTexts(client, 1)).toEqual(['meanwhile']);
});

test.each([
  ['that waits for the rate limit', { status: 429, retryAfter: 3_600 }],
  ['without an answer', { hangMs: 60_000 }],
])('stop ends a start %s', async (_, fault) => {
  const fake = await openTelegram();
  fake.fault({ on: '/getMe', ...fault });
  const client = new TelegramClient(fake.clientOptions);
  const starting = client.start().catch((error) => error);
  await expect.poll(() => fake.requests).toHaveLength(1);
  await client.stop();

  expect((await starting).message).toBe('telegram-7000000001 was stopped');
});

test('a stop while the packages are loaded ends the start too', async () => {
  const fake = await openTelegram();
  const client = new TelegramClient(fake.clientOptions);
  const starting = client.start();
  await client.stop();

  await expect(starting).rejects.toThrow('was stopped');
  expect(fake.requests).toEqual([]);
});

test('a stop ends a wait at once, and can be called before a start and twice', async () => {
  const fake = await openTelegram();
  const client = new TelegramClient(fake.clientOptions);
  await client.stop();
  await client.start();
  const pending = client.receiveMessage(patiently());
  await expect.poll(() => countCalls(fake, 'getUpdates')).toBe(1);
  await client.stop();
  await client.stop();

  expect(await pending).toBeNull();
  expect(await client.receiveMessage(patiently())).toBeNull();
  expect(countCalls(fake, 'getUpdates')).toBe(1);
});

test('a client that was stopped starts again where it was', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  for (const text of ['one', 'two']) await fake.say({ text });
  expect(await receiveTexts(client, 1)).toEqual(['one']);
  await client.stop();
  await fake.say({ text: 'meanwhile' });
  await client.start();
  onTestFinished(() => client.stop());

  expect(await receiveTexts(client, 2)).toEqual(['two', 'meanwhile']);
  await client.sendMessage(await sayAndReceive(fake, client), [{ role: 'assistant', content: 'hi' }]);
  expect(fake.sent).toHaveLength(1);
});

async function sayAndReceive(fake: Awaited<ReturnType<typeof openTelegram>>, client: TelegramClient) {
  await fake.say({ text: 'hello' });
  return receive(client);
}
