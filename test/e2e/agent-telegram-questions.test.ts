/** Questions with buttons on Telegram. */
import type { FakeTelegramMessage } from 'svc-sdk/agent/testing';
import { expect, test } from 'vitest';
import { receive, receiveTexts } from '../support/received-messages';
import { countCalls, openTelegram, startTelegramClient } from '../support/telegram';

const question = { id: 'q'.repeat(50), text: 'Delete the report?' };

async function ask(message: Partial<FakeTelegramMessage> = {}, text = question.text) {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ text: '@svc_fake_bot delete it', ...message });
  const ctx = await receive(client);
  return { fake, client, ctx, shown: await client.askApproval(ctx, { ...question, text }) };
}

test.each([
  ['in private', {}],
  ['in a group', { chatId: '-1001', isPrivate: false }],
  ['in a topic', { chatId: '-1001/7', isPrivate: false }],
])('a press %s is received with its answer', async (_, message) => {
  const { fake, client, ctx } = await ask(message);
  expect(fake.sent).toMatchObject([{ text: question.text, buttons: ['Yes', 'No'] }]);
  await fake.press({ chatId: ctx.chatId, button: 'yes' });
  await fake.press({ chatId: ctx.chatId, button: 'no', userId: '2009' });

  expect(await receive(client)).toEqual({
    chatId: ctx.chatId,
    userId: ctx.userId,
    userName: 'Ada',
    message: '',
    messageId: 'press/press-1',
    isPrivate: ctx.isPrivate,
    answer: { questionId: question.id, approved: true },
  });
  expect(await receive(client)).toMatchObject({ userId: '2009', answer: { approved: false } });
});

test('Telegram gets an answer to each press', async () => {
  const { fake, client, ctx } = await ask();
  await fake.press({ chatId: ctx.chatId, button: 'yes' });
  await receive(client);
  await expect.poll(() => fake.requests.at(-1)).toMatchObject({ path: expect.stringMatching(/\/answerCallbackQuery$/), status: 200 });
});

test.each([
  ['a rate limit', { status: 429, retryAfter: 3_600 }],
  ['a refusal', { status: 400 }],
  ['silence', { hangMs: 60_000 }],
])('%s for the answer to a press delays no press', async (_, fault) => {
  const { fake, client, ctx } = await ask();
  fake.fault({ on: '/answerCallbackQuery', ...fault });
  await fake.press({ chatId: ctx.chatId, button: 'no' });

  expect((await receive(client)).answer).toEqual({ questionId: question.id, approved: false });
  await expect.poll(() => countCalls(fake, 'answerCallbackQuery')).toBe(1);
});

test('presses while the client was stopped are received after a restart', async () => {
  const { fake, client, ctx } = await ask();
  await client.stop();
  await fake.press({ chatId: ctx.chatId, button: 'yes' });
  const restarted = await startTelegramClient(fake, client.cursor);

  expect((await receive(restarted)).answer).toEqual({ questionId: question.id, approved: true });
});

test.each(['other:yes:1', 'svc:maybe:1', 'svc:yes:', ''])('a press of a button with the data %j is passed over', async (data) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ text: 'hello' });
  await receive(client);
  await fetch(`${fake.origin}/bot${fake.secret}/sendMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: 1001, text: '?', reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: data }]] } }),
  });
  await fake.press({ chatId: '1001', button: 'yes' });
  await fake.say({ text: 'but this' });

  expect(await receiveTexts(client, 1)).toEqual(['but this']);
});

test('the end of a question takes the buttons away', async () => {
  const { fake, client, ctx, shown } = await ask();
  await client.endQuestion(ctx, JSON.parse(JSON.stringify(shown)), 'Delete the report? Approved.');
  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'Delete the report? Approved.', edits: 1 }]);
});

test('all of a long question is shown, and its last piece has the buttons and gets the outcome', async () => {
  const text = `${'a'.repeat(4_000)}\n${'b'.repeat(3_000)}`;
  const { fake, client, ctx, shown } = await ask({}, text);
  expect(fake.sent.map(({ text: piece, buttons }) => [piece.length, buttons])).toEqual([
    [4_000, undefined],
    [3_000, ['Yes', 'No']],
  ]);
  await client.endQuestion(ctx, shown, `${text}\nApproved.`);
  expect(fake.sent.map(({ text: piece, buttons }) => [piece.slice(-9), buttons])).toEqual([
    ['a'.repeat(9), undefined],
    ['Approved.', undefined],
  ]);
});

test('a deleted question ends without an error', async () => {
  const { fake, client, ctx, shown } = await ask();
  fake.deleteNewest();
  await client.endQuestion(ctx, shown, 'Time is up');
  expect(fake.sent).toEqual([]);
});

test('a question that ended before a crash ends again without an error', async () => {
  const { fake, client, ctx, shown } = await ask();
  for (let times = 0; times < 2; times++) await client.endQuestion(ctx, shown, 'Approved.');
  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'Approved.', edits: 1 }]);
});
