/** The messages that a bot on Telegram sends. */
import { type Message, type MessageContext, RefusedReply } from 'svc-sdk/agent';
import { TelegramClient } from 'svc-sdk/agent/telegram';
import type { FakeTelegramMessage } from 'svc-sdk/agent/testing';
import { expect, test } from 'vitest';
import { PNG } from '../support/discord';
import { receive } from '../support/received-messages';
import { countCalls, openTelegram, startTelegramClient } from '../support/telegram';

const GROUP = { chatId: '-1001', isPrivate: false };
const TWO_PIECES = `${'a'.repeat(4_000)}\n\n${'b'.repeat(3_000)}`;

const reply = (content: string): Message[] => [{ role: 'assistant', content }];
const picture = (images: string[]): Message => ({ role: 'tool', tool_call_id: 'call', content: 'a picture', svc_images: images });

async function openChat(message: Partial<FakeTelegramMessage> = {}) {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  const messageId = await fake.say({ text: '@svc_fake_bot hello', ...message });
  return { fake, client, ctx: await receive(client), messageId };
}

test('a reply in a private chat', async () => {
  const { fake, client, ctx } = await openChat();
  await client.sendMessage(ctx, reply('hi'));
  expect(fake.sent).toEqual([{ chatId: '1001', text: 'hi' }]);
});

test('a reply in a group refers to the message, which may be deleted', async () => {
  const { fake, client, ctx, messageId } = await openChat(GROUP);
  await client.sendMessage(ctx, reply('hi'));

  expect(fake.sent).toEqual([{ chatId: '-1001', text: 'hi', replyTo: messageId }]);
  expect(fake.bodies).toMatchObject([{ reply_parameters: { allow_sending_without_reply: true } }]);
});

test('a reply in a topic stays in it', async () => {
  const { fake, client, ctx } = await openChat({ chatId: '-1001/7', isPrivate: false });
  const partial = await client.showPartial(ctx, 'h');
  await client.sendMessage({ ...ctx, partial }, [picture([PNG]), ...reply('hi')]);

  expect(fake.sent).toMatchObject([
    { chatId: '-1001/7', text: 'hi', edits: 1 },
    { chatId: '-1001/7', images: 1 },
  ]);
});

test('a reply after a restart needs nothing but the stored message', async () => {
  const { fake, client, ctx } = await openChat();
  await client.stop();
  const restarted = await startTelegramClient(fake, client.cursor);
  await restarted.sendMessage(JSON.parse(JSON.stringify(ctx)), reply('late'));

  expect(fake.sent).toEqual([{ chatId: '1001', text: 'late' }]);
});

test('Telegram fetches no address of a reply, and reads no marks', async () => {
  const { fake, client, ctx } = await openChat();
  const partial = await client.showPartial(ctx, 'https://example.com/?q=secret');
  await client.sendMessage({ ...ctx, partial }, reply('https://example.com/?q=*secret*'));

  expect(fake.bodies).toMatchObject([{ link_preview_options: { is_disabled: true } }, { link_preview_options: { is_disabled: true } }]);
  expect(fake.bodies).toEqual(fake.bodies.map(() => expect.not.objectContaining({ parse_mode: expect.anything() })));
});

test('a long reply is sent in pieces, and only the first refers to the message', async () => {
  const { fake, client, ctx, messageId } = await openChat(GROUP);
  await client.sendMessage(ctx, reply(`${TWO_PIECES}${'💥'.repeat(2_000)}`));

  expect(fake.sent.map(({ text, replyTo }) => [[...text][0], text.length, replyTo])).toEqual([
    ['a', 4_000, messageId],
    ['b', 4_096, undefined],
    ['💥', 2_904, undefined],
  ]);
});

test('images of tools are sent after the text, as photos', async () => {
  const { fake, client, ctx } = await openChat();
  await client.sendMessage(ctx, [picture([PNG]), ...reply('Here')]);

  expect(fake.sent).toEqual([
    { chatId: '1001', text: 'Here' },
    { chatId: '1001', text: '', images: 1 },
  ]);
  expect(countCalls(fake, 'sendDocument')).toBe(0);
});

test.each([400, 413])('an image that Telegram refuses as a photo with %i is sent as a file, and else left out', async (status) => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/sendPhoto', status, times: 2 });
  await client.sendMessage(ctx, [picture([PNG]), ...reply('as a file')]);
  expect(fake.sent.map(({ text, images }) => images ?? text)).toEqual(['as a file', 1]);

  fake.fault({ on: '/sendDocument', status });
  await client.sendMessage(ctx, [picture([PNG]), ...reply('left out')]);
  expect(fake.sent.map(({ text, images }) => images ?? text)).toEqual(['as a file', 1, 'left out']);
});

test.each(['sendMessage', 'sendPhoto', 'editMessageText'])('a rate limit of %s is waited out', async (method) => {
  const { fake, client, ctx } = await openChat();
  const partial = await client.showPartial(ctx, 'h');
  fake.fault({ on: `/${method}`, status: 429, retryAfter: 0.1, times: 7 });
  const before = countCalls(fake, method);
  await client.sendMessage({ ...ctx, partial: method === 'sendMessage' ? undefined : partial }, [picture([PNG]), ...reply('hi')]);

  expect(countCalls(fake, method) - before).toBe(8);
  expect(fake.sent.at(-1)).toMatchObject({ images: 1 });
});

test('outages are tried 5 times', async () => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/sendMessage', status: 502, times: 3 });
  fake.fault({ on: '/sendMessage', cut: true });
  await client.sendMessage(ctx, reply('after four'));
  expect(fake.sent).toHaveLength(1);

  fake.fault({ on: '/sendMessage', status: 502, times: 5 });
  const error = await client.sendMessage(ctx, reply('after five')).catch((caught) => caught);
  expect(error).not.toBeInstanceOf(RefusedReply);
  expect(error.message).toBe('Telegram refused sendMessage of telegram-7000000001: 502 Internal Server Error');
  expect(countCalls(fake, 'sendMessage')).toBe(10);
});

test.each([
  ['the second piece', '/sendMessage'],
  ['an image', '/sendPhoto'],
])('a reply that failed at %s continues there: Telegram would show the rest twice', async (_, on) => {
  const { fake, client, ctx } = await openChat();
  // The first request passes.
  if (on === '/sendMessage') fake.fault({ on, hangMs: 0 });
  fake.fault({ on, status: 502, times: 5 });
  const messages = [picture([PNG]), ...reply(TWO_PIECES)];
  await expect(client.sendMessage(ctx, messages)).rejects.toThrow('502');
  await client.sendMessage(ctx, messages);
  expect(fake.sent.map(({ text, images }) => (images ? 'image' : text.length))).toEqual([4_000, 3_000, 'image']);

  // A reply that was sent whole is not continued.
  await client.sendMessage(ctx, messages);
  expect(fake.sent).toHaveLength(6);
});

test.each([400, 403, 413])('a reply that Telegram refuses with %i is not tried again', async (status) => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/sendMessage', status });
  const error = await client.sendMessage(ctx, reply('hi')).catch((caught) => caught);

  expect(error).toBeInstanceOf(RefusedReply);
  expect(error.message).toMatch(new RegExp(`^Telegram refused sendMessage of telegram-7000000001: ${status} `));
  expect(countCalls(fake, 'sendMessage')).toBe(1);
});

test('a token that is refused later can be accepted again', async () => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/sendMessage', status: 401 });
  const error = await client.sendMessage(ctx, reply('hi')).catch((caught) => caught);
  expect(error).not.toBeInstanceOf(RefusedReply);
  expect(error.message).toMatch(/Telegram refused the bot token of telegram-7000000001 \(401\).*@BotFather/);
  await client.sendMessage(ctx, reply('hi'));

  expect(fake.sent).toHaveLength(1);
});

test('a reply to a group that became a supergroup is sent to the supergroup', async () => {
  const { fake, client, ctx } = await openChat(GROUP);
  const partial = await client.showPartial(ctx, 'h');
  fake.upgradeGroup('-1001', '-1009');
  await client.sendMessage({ ...ctx, partial }, [picture([PNG]), ...reply('hi')]);

  expect(fake.sent.slice(1)).toMatchObject([
    { chatId: '-1009', text: 'hi' },
    { chatId: '-1009', images: 1 },
  ]);
});

test.each([
  ['that waits for the rate limit', { status: 429, retryAfter: 3_600 }],
  ['without an answer', { hangMs: 60_000 }],
])('a stop ends a reply %s', async (_, fault) => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/sendMessage', ...fault });
  const sending = client.sendMessage(ctx, reply('hi')).catch((error) => error);
  await expect.poll(() => countCalls(fake, 'sendMessage')).toBe(1);
  await client.stop();

  expect((await sending).message).toBe('telegram-7000000001 was stopped');
  await expect(client.sendMessage(ctx, reply('later'))).rejects.toThrow('was stopped');
});

test('typing is shown, and neither waits nor is tried again', async () => {
  const { fake, client, ctx } = await openChat();
  await client.setTyping(ctx);
  fake.fault({ on: '/sendChatAction', status: 429, retryAfter: 3_600 });
  await expect(client.setTyping(ctx)).rejects.toThrow('429');

  expect(countCalls(fake, 'sendChatAction')).toBe(2);
});

test('a partial reply is edited, and replaced by the reply', async () => {
  const { fake, client, ctx, messageId } = await openChat(GROUP);
  const partial = await client.showPartial(ctx, 'The');
  expect(await client.showPartial({ ...ctx, partial }, 'The answer')).toEqual(partial);
  await client.sendMessage({ ...ctx, partial: JSON.parse(JSON.stringify(partial)) }, reply(`The answer\n\n${TWO_PIECES}`));

  expect(fake.sent).toMatchObject([
    { text: expect.stringMatching(/^The answer/), edits: 2, replyTo: messageId },
    { text: expect.stringMatching(/^b/) },
  ]);
});

test('a reply that equals its partial text is shown once', async () => {
  const { fake, client, ctx } = await openChat();
  const partial = await client.showPartial(ctx, 'The answer');
  await client.sendMessage({ ...ctx, partial }, reply('The answer'));

  expect(fake.sent).toEqual([{ chatId: '1001', text: 'The answer' }]);
});

test('a deleted partial reply is sent again', async () => {
  const { fake, client, ctx } = await openChat();
  const partial = await client.showPartial(ctx, 'The');
  fake.deleteNewest();
  const again = await client.showPartial({ ...ctx, partial }, 'The answer');
  fake.deleteNewest();
  await client.sendMessage({ ...ctx, partial: again }, reply('The answer is 4'));

  expect(fake.sent).toEqual([{ chatId: '1001', text: 'The answer is 4' }]);
});

test('a long partial reply is its first piece, and is not tried again', async () => {
  const { fake, client, ctx } = await openChat();
  await client.showPartial(ctx, TWO_PIECES);
  expect(fake.sent).toEqual([{ chatId: '1001', text: 'a'.repeat(4_000) }]);
  fake.fault({ on: '/sendMessage', status: 502 });
  await expect(client.showPartial(ctx, 'The')).rejects.toThrow('502');
});

test('a client that was not started fails with the reason', async () => {
  const fake = await openTelegram();
  const ctx: MessageContext = { chatId: '1', userId: '2', message: 'hello' };
  await expect(new TelegramClient(fake.clientOptions).sendMessage(ctx, reply('hi'))).rejects.toThrow(/telegram-\d+ is not started/);
});
