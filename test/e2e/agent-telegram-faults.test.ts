/** The messages that a bot on Telegram receives when requests fail, and over restarts. */
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { TelegramClient } from 'svc-sdk/agent/telegram';
import { expect, onTestFinished, test } from 'vitest';
import { PNG } from '../support/discord';
import { listening } from '../support/listening';
import { receive, receiveTexts } from '../support/received-messages';
import { countCalls, openTelegram, secondsUntil, startTelegramClient, stopTimers } from '../support/telegram';

const patiently = () => ({ signal: AbortSignal.timeout(10_000) });

test('a new client continues at the cursor of an earlier one', async () => {
  const fake = await openTelegram();
  const first = await startTelegramClient(fake);
  for (const text of ['one', 'two', 'three']) await fake.say({ text });
  expect(await receiveTexts(first, 1)).toEqual(['one']);
  await first.stop();
  const second = await startTelegramClient(fake, JSON.parse(JSON.stringify(first.cursor)));

  expect(await receiveTexts(second, 2)).toEqual(['two', 'three']);
});

test('messages that were received and not stored are received again', async () => {
  const fake = await openTelegram();
  const first = await startTelegramClient(fake);
  for (const text of ['one', 'two']) await fake.say({ text });
  expect(await receiveTexts(first, 2)).toEqual(['one', 'two']);
  await first.stop();
  // The agent was killed before it stored the first one.
  const second = await startTelegramClient(fake);

  expect(await receiveTexts(second, 2)).toEqual(['one', 'two']);
});

test('a client whose cursor was set back receives again what it had received', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  for (const text of ['one', 'two', 'three']) await fake.say({ text });
  expect(await receiveTexts(client, 1)).toEqual(['one']);
  await client.stop();
  client.cursor = null;
  await client.start();

  expect(await receiveTexts(client, 3)).toEqual(['one', 'two', 'three']);
});

test('messages to others move the cursor on', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ text: 'to others', chatId: '-1001', isPrivate: false });
  await fake.say({ text: 'to others', chatId: '-1001', isPrivate: false });

  expect(await client.receiveMessage(patiently())).toBeNull();
  expect(client.cursor).toBe(100_003);
});

test('a cursor of another shape starts at the oldest message', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake, { session: 'x' });
  await fake.say({ text: 'hello' });
  expect(await receiveTexts(client, 1)).toEqual(['hello']);
});

test.each([
  ['a cut', { cut: true }],
  ['a cut behind the effect', { cut: true, done: true }],
  ['a 502', { status: 502, times: 9 }],
  ['a rate limit', { status: 429, retryAfter: 0.1, times: 3 }],
])('%s loses no message, and brings none twice', async (_, fault) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  for (const text of ['one', 'two']) await fake.say({ text });
  fake.fault({ on: '/getUpdates', ...fault });
  expect(await receiveTexts(client, 2)).toEqual(['one', 'two']);

  await fake.say({ text: 'three' });
  expect(await receiveTexts(client, 1)).toEqual(['three']);
});

test('a wait that is ended loses nothing', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on: '/getUpdates', done: true, hangMs: 60_000 });
  await fake.say({ text: 'hello' });
  const ending = new AbortController();
  const pending = client.receiveMessage({ signal: ending.signal });
  await expect.poll(() => countCalls(fake, 'getUpdates')).toBe(1);
  ending.abort();

  expect(await pending).toBeNull();
  expect(client.cursor).toBeNull();
  expect(await receiveTexts(client, 1)).toEqual(['hello']);
});

test('a connection that is half open is left 15 s after the poll should have ended', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  stopTimers();
  fake.fault({ on: '/getUpdates', hangMs: 3_600_000 });
  await fake.say({ text: 'hello' });
  const pending = receive(client);
  await secondsUntil(() => countCalls(fake, 'getUpdates') === 1);

  const seconds = await secondsUntil(() => countCalls(fake, 'getUpdates') === 2);
  expect(seconds).toBeGreaterThanOrEqual(44);
  // The library's own limit is 500 s.
  expect(seconds).toBeLessThan(400);
  expect((await pending).message).toBe('hello');
});

test('another poller is waited for, 35 s each time', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  stopTimers();
  fake.fault({ on: '/getUpdates', status: 409, times: 3 });
  await fake.say({ text: 'hello' });
  const pending = receive(client);
  await secondsUntil(() => countCalls(fake, 'getUpdates') === 1);
  for (const count of [2, 3, 4]) {
    expect(await secondsUntil(() => countCalls(fake, 'getUpdates') === count)).toBeGreaterThanOrEqual(34);
  }

  expect((await pending).message).toBe('hello');
});

test('a stop ends the wait for another poller', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on: '/getUpdates', status: 409 });
  const pending = client.receiveMessage(patiently());
  await expect.poll(() => fake.requests.at(-1)?.status).toBe(409);
  await client.stop();

  expect(await pending).toBeNull();
});

test.each([401, 404])('a token that was revoked ends the client with words (%i)', async (status) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on: '/getUpdates', status });

  await expect(receive(client)).rejects.toThrow(
    `Telegram refused the bot token of telegram-7000000001 (${status}). Send /token to @BotFather`,
  );
});

test('a token that was revoked before a picture was downloaded ends the client too', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on: '/getFile', status: 401 });
  await fake.say({ text: 'look', images: [PNG] });

  await expect(receive(client)).rejects.toThrow('Telegram refused the bot token of telegram-7000000001 (401)');
});

test('a poll that Telegram refuses ends the client with its words', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on: '/getUpdates', status: 400 });

  await expect(receive(client)).rejects.toThrow(/^Telegram refused getUpdates of telegram-7000000001: 400 /);
});

test('answers that are not JSON are tried again', async () => {
  const fake = await openTelegram();
  const answers = ['<html>502 Bad Gateway</html>', '', JSON.stringify({ ok: true, result: { id: 1, username: 'bot' } })];
  const proxy = createServer((_, response) => response.end(answers.shift() ?? JSON.stringify({ ok: true, result: true })));
  const apiRoot = await listening(proxy);
  const client = new TelegramClient({ ...fake.clientOptions, apiRoot });
  onTestFinished(() => client.stop());
  await client.start();

  expect(answers).toEqual([]);
});

test.each([{ cut: true }, { status: 403 }, { status: 429 }, { status: 502 }, { status: 401 }])(
  'after %j no error contains the token',
  async (fault) => {
    const fake = await openTelegram();
    const client = await startTelegramClient(fake);
    await fake.say({ text: 'hello' });
    const ctx = await receive(client);
    fake.fault({ on: '/sendMessage', times: 5, ...fault });
    const error = await client.sendMessage(ctx, [{ role: 'assistant', content: 'hi' }]).catch((caught) => caught);

    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain(fake.secret.split(':')[1]);
  },
);
