/** The messages that a bot on Discord sends. */
import { type Message, type MessageContext, RefusedReply } from 'svc-sdk/agent';
import { expect, test } from 'vitest';
import { openDiscord, PNG, startDiscordClient } from '../support/discord';
import { receive } from '../support/received-messages';

const reply = (content: string): Message[] => [{ role: 'assistant', content }];
const picture = (images: string[]): Message => ({ role: 'tool', tool_call_id: 'call', content: 'a picture', svc_images: images });

async function openChat(options: { isPrivate?: boolean } = {}) {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await fake.say({ text: `${fake.mention} hello`, ...options });
  return { fake, client, ctx: await receive(client) };
}

function creates(fake: { requests: readonly { method: string; path: string }[] }): number {
  return fake.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages')).length;
}

test('a reply in a direct message', async () => {
  const { fake, client, ctx } = await openChat();
  await client.sendMessage(ctx, reply('hi'));
  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'hi' }]);
});

test('a reply in a server refers to the message and sends no notification', async () => {
  const { fake, client, ctx } = await openChat({ isPrivate: false });
  await client.sendMessage(ctx, reply('@everyone hi'));

  expect(fake.sent).toMatchObject([{ text: '@everyone hi', replyTo: ctx.messageId }]);
  expect(fake.bodies).toMatchObject([{ allowed_mentions: { parse: [] }, message_reference: { fail_if_not_exists: false } }]);
});

test('a long reply is sent in pieces, and only the first refers to the message', async () => {
  const { fake, client, ctx } = await openChat({ isPrivate: false });
  await client.sendMessage(ctx, reply(`${'a'.repeat(1_999)}\n\n${'b'.repeat(1_500)}`));

  expect(fake.sent.map(({ text, replyTo }) => [text[0], text.length, replyTo])).toEqual([
    ['a', 1_999, ctx.messageId],
    ['b', 1_500, undefined],
  ]);
});

test('a reply that is sent again, after its answer was cut off, is shown once', async () => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/messages', cut: true, done: true });
  await client.sendMessage(ctx, reply('hi'));
  await client.sendMessage(JSON.parse(JSON.stringify(ctx)), reply('hi'));

  expect(creates(fake)).toBe(3);
  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'hi' }]);
});

test('replies to two messages are two, though they have the same words', async () => {
  const { fake, client, ctx } = await openChat();
  await client.sendMessage(ctx, reply('hi'));
  await fake.say({ text: 'again' });
  await client.sendMessage(await receive(client), reply('hi'));

  expect(fake.sent.map(({ text }) => text)).toEqual(['hi', 'hi']);
});

test('images of tools are sent with the last piece, further ones in separate messages', async () => {
  const { fake, client, ctx } = await openChat();
  const images = Array.from({ length: 6 }, (_, n) => PNG.replace('AAAADUlEQVR', `AAAADUlEQV${n}`));
  await client.sendMessage(ctx, [picture(images), ...reply(`${'a'.repeat(2_000)}b`)]);

  expect(fake.sent.map(({ text, images: count }) => [text.length, count])).toEqual([
    [2_000, undefined],
    [1, 4],
    [0, 2],
  ]);
});

test('a rate limit is waited out', async () => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/messages', status: 429, retryAfter: 0.3, times: 7 });
  await client.sendMessage(ctx, reply('hi'));

  expect(creates(fake)).toBe(8);
  expect(fake.sent).toHaveLength(1);
});

test('outages are tried 5 times', async () => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/messages', status: 502, times: 4 });
  await client.sendMessage(ctx, reply('after four'));
  expect(fake.sent).toHaveLength(1);

  fake.fault({ on: '/messages', status: 502, times: 5 });
  const error = await client.sendMessage({ ...ctx, messageId: '1' }, reply('after five')).catch((caught) => caught);
  expect(error).not.toBeInstanceOf(RefusedReply);
  expect(error.message).toMatch(/^Discord answers POST .*\/messages with 502$/);
  expect(creates(fake)).toBe(10);
});

test.each([400, 403, 404])('a reply that Discord refuses with %i is not tried again', async (status) => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/messages', status });
  const error = await client.sendMessage(ctx, reply('hi')).catch((caught) => caught);

  expect(error).toBeInstanceOf(RefusedReply);
  expect(error.message).toContain(`Discord refuses POST /channels/${ctx.chatId}/messages: ${status}`);
  expect(creates(fake)).toBe(1);
});

test('a token that is refused later can be accepted again', async () => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/messages', status: 401 });
  await expect(client.sendMessage(ctx, reply('hi'))).rejects.toThrow(/Discord refuses the bot token.*Reset Token/);
  await client.sendMessage(ctx, reply('hi'));

  expect(fake.sent).toHaveLength(1);
});

test('a stop ends a wait for the rate limit', async () => {
  const { fake, client, ctx } = await openChat();
  fake.fault({ on: '/messages', status: 429, retryAfter: 3_600 });
  const sending = client.sendMessage(ctx, reply('hi')).catch((error) => error);
  await expect.poll(() => creates(fake)).toBe(1);
  await client.stop();

  expect(await sending).toBeInstanceOf(Error);
});

test('typing is shown', async () => {
  const { fake, client, ctx } = await openChat();
  await client.setTyping(ctx);
  expect(fake.requests.at(-1)).toEqual({ method: 'POST', path: `/api/v10/channels/${ctx.chatId}/typing`, status: 204 });
});

test('a partial reply is edited, and replaced by the reply', async () => {
  const { fake, client, ctx } = await openChat({ isPrivate: false });
  const partial = await client.showPartial(ctx, 'The');
  await client.showPartial({ ...ctx, partial }, 'The answer');
  await client.sendMessage({ ...ctx, partial }, [picture([PNG]), ...reply('The answer is 4')]);

  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'The answer is 4', edits: 2, images: 1, replyTo: ctx.messageId }]);
});

test('a reply replaces its partial text after a crash lost the reference to it', async () => {
  const { fake, client, ctx } = await openChat();
  await client.showPartial(ctx, 'The');
  await client.sendMessage(ctx, reply('The answer is 4'));

  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'The answer is 4', edits: 1 }]);
});

test('images of a reply that is sent again over its partial text are shown once', async () => {
  const { fake, client, ctx } = await openChat();
  const partial = await client.showPartial(ctx, 'Here');
  for (let times = 0; times < 2; times++) await client.sendMessage({ ...ctx, partial }, [picture([PNG]), ...reply('Here it is')]);

  expect(fake.sent).toMatchObject([{ text: 'Here it is', images: 1 }]);
});

test('a deleted partial reply is sent again', async () => {
  const { fake, client, ctx } = await openChat();
  const partial = await client.showPartial(ctx, 'The');
  fake.deleteNewest();
  await client.sendMessage({ ...ctx, partial }, reply('The answer'));

  expect(fake.sent).toEqual([{ chatId: ctx.chatId, text: 'The answer' }]);
});

test('a client that was not started fails with the reason', async () => {
  const { DiscordClient } = await import('svc-sdk/agent/discord');
  const fake = await openDiscord();
  const ctx: MessageContext = { chatId: '1', userId: '2', message: 'hello' };
  await expect(new DiscordClient(fake.clientOptions).sendMessage(ctx, reply('hi'))).rejects.toThrow(/Start discord-\d+ before it sends/);
});
