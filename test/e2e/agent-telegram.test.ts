/** An agent on Telegram: its replies, its store and its events, also with a second agent of the same bot. */
import { DatabaseSync } from 'node:sqlite';
import { type AskModel, messageText } from 'svc-sdk/agent';
import { TelegramClient } from 'svc-sdk/agent/telegram';
import type { FakeTelegram } from 'svc-sdk/agent/testing';
import { expect, test, vi } from 'vitest';
import { PNG } from '../support/discord';
import { callActions, newestResults, runAgent, say, storePath } from '../support/run-agent';
import { startService } from '../support/service';
import { countCalls, openTelegram, secondsUntil, stopTimers } from '../support/telegram';

/** Deletes an order on request, and otherwise repeats the message. */
const model: AskModel = async ({ messages }) => {
  const results = newestResults(messages);
  const text = messageText(messages.at(-1) ?? { role: 'user' });
  const [, id] = /delete (\d+)/.exec(text) ?? [];
  if (results.length > 0) return say(results.join());
  return id ? callActions(['orders__delete', { id: Number(id) }]) : say(`You: ${text}`);
};

async function open() {
  const service = await startService();
  const deleted: number[] = [];
  await service.toolkit('orders', (toolkit) =>
    toolkit.action(
      {
        action: 'delete',
        actionDescription: 'Deletes an order',
        payloadDescription: { id: { type: 'integer', required: true } },
        annotations: { destructive: true },
      },
      (_ctx, { id }) => {
        deleted.push(Number(id));
        return `deleted ${id}`;
      },
    ),
  );
  const fake = await openTelegram();
  const run = (store = storePath()) => runAgent(service, { clients: [new TelegramClient(fake.clientOptions)], model, store });
  return { fake, deleted, run };
}

const texts = (fake: FakeTelegram) => fake.sent.map(({ text }) => text);

/** Texts of the messages that the agent stored. */
function takenIn(store: string): unknown[] {
  using database = new DatabaseSync(store);
  return database
    .prepare("SELECT ctx ->> 'message' AS text FROM svc_turn ORDER BY seq")
    .all()
    .map(({ text }) => text);
}

function storedRows(store: string): string {
  using database = new DatabaseSync(store);
  const tables = ['svc_client', 'svc_turn', 'svc_message', 'svc_setting'];
  return JSON.stringify(tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all()));
}

test('a message is answered, and neither the store nor an event holds the token', async () => {
  const { fake, run } = await open();
  const store = storePath();
  const { events, stop } = await run(store);
  fake.fault({ on: '/sendMessage', cut: true, times: 5 });
  fake.fault({ on: '/sendMessage', status: 403 });
  await fake.say({ text: 'look', images: [PNG] });
  await vi.waitFor(() => expect(events).toContainEqual(expect.objectContaining({ type: 'turn-end', code: 'not-sent' })));
  await fake.say({ text: 'hello', twice: true });
  await vi.waitFor(() => expect(texts(fake)).toEqual(['You: hello']));
  await stop();

  const [, secret = ''] = fake.secret.split(':');
  expect(storedRows(store)).toContain('You: hello');
  expect(
    `${storedRows(store)} ${JSON.stringify(events)} ${events.map((event) => ('error' in event ? event.error?.stack : ''))}`,
  ).not.toContain(secret);
});

test('in a group only the person who asked can approve, after a restart too', async () => {
  const { fake, deleted, run } = await open();
  const store = storePath();
  const chatId = '-1001';
  const { stop } = await run(store);
  await fake.say({ chatId, isPrivate: false, userId: '2001', text: '@svc_fake_bot delete 7' });
  await vi.waitFor(() => expect(fake.sent).toMatchObject([{ chatId, buttons: ['Yes', 'No'] }]));
  await stop();
  await fake.press({ chatId, userId: '2002', button: 'yes' });
  await fake.say({ chatId, isPrivate: false, userId: '2002', text: '@svc_fake_bot yes' });
  await run(store);
  await vi.waitFor(() => expect(takenIn(store)).toEqual(['delete 7', 'yes']));
  await vi.waitFor(() => expect(countCalls(fake, 'answerCallbackQuery')).toBe(1));
  expect(deleted).toEqual([]);
  await fake.press({ chatId, userId: '2001', button: 'yes' });

  await vi.waitFor(() => expect(texts(fake).slice(1)).toEqual(['deleted 7', 'You: [Ada] yes']));
  expect(fake.sent[0]).toMatchObject({ text: 'May I do this?\norders__delete {"id":7}\nApproved.' });
  expect(fake.sent[0]?.buttons).toBeUndefined();
  expect(deleted).toEqual([7]);
});

test('commands work with the name of the bot', async () => {
  const { fake, run } = await open();
  await run();
  await fake.say({ chatId: '-1001', isPrivate: false, text: '/new@svc_fake_bot' });
  await vi.waitFor(() => expect(texts(fake)).toEqual(['A new conversation. I no longer read what came before.']));
});

test('a token that is revoked ends the agent with what to do', async () => {
  const { fake, run } = await open();
  const { running, events } = await run();
  await vi.waitFor(() => expect(countCalls(fake, 'getUpdates')).toBe(1));
  fake.fault({ on: '/getUpdates', status: 401 });
  await fake.say({ text: 'hello' });

  await expect(running).rejects.toThrow(/Telegram refused the bot token of telegram-7000000001 \(401\).*@BotFather/);
  expect(events).toContainEqual(expect.objectContaining({ type: 'client-state', state: 'failed' }));
});

test('a second agent with the same store does not poll, and takes over when the first one ends', async () => {
  const { fake, run } = await open();
  const store = storePath();
  const first = await run(store);
  await vi.waitFor(() => expect(countCalls(fake, 'getUpdates')).toBe(1));
  const second = await run(store);
  await vi.waitFor(() => expect(second.events).toEqual([{ type: 'client-state', clientId: 'telegram-7000000001', state: 'waiting' }]));
  await fake.say({ text: 'one' });
  await vi.waitFor(() => expect(texts(fake)).toEqual(['You: one']));
  await first.stop();
  await fake.say({ text: 'two' });

  await vi.waitFor(() => expect(texts(fake)).toEqual(['You: one', 'You: two']));
  expect(fake.requests.filter(({ status }) => status === 409)).toEqual([]);
  expect(countCalls(fake, 'getMe')).toBe(2);
});

test('a second agent with another store takes turns with the first, and each message is answered once', async () => {
  const { fake, run } = await open();
  stopTimers();
  const first = await run();
  await secondsUntil(() => countCalls(fake, 'getUpdates') === 1);
  const second = await run();
  const answered: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const conflicts = answered.length + 1;
    await secondsUntil(() => fake.requests.filter(({ status }) => status === 409).length >= conflicts);
    await fake.say({ text });
    answered.push(`You: ${text}`);
    await secondsUntil(() => fake.sent.length === answered.length);
  }

  expect(texts(fake)).toEqual(answered);
  const ends = (events: typeof first.events) => events.filter(({ type }) => type === 'turn-end').length;
  expect(ends(first.events)).toBeGreaterThan(0);
  expect(ends(second.events)).toBeGreaterThan(0);
  expect([...first.events, ...second.events].filter((event) => 'error' in event)).toEqual([]);
  vi.useRealTimers();
});
