/** The messages that a bot on Discord receives. */
import { expect, test } from 'vitest';
import { openDiscord, PNG, startDiscordClient } from '../support/discord';
import { receive, receiveTexts } from '../support/received-messages';

test('a direct message has its person, its chat and its id', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  const messageId = await fake.say({ text: 'hello', chatId: '1299000000000000001', userId: '1298000000000000001', userName: 'Grace' });

  expect(await receive(client)).toEqual({
    chatId: '1299000000000000001',
    userId: '1298000000000000001',
    message: 'hello',
    messageId,
    userName: 'Grace',
    isPrivate: true,
    address: {},
  });
});

test('the client requests only intents that need no approval', async () => {
  const fake = await openDiscord();
  await startDiscordClient(fake);
  expect(fake.gatewayLog).toEqual([`identify ${(1 << 9) | (1 << 12)}`]);
});

test('in a server the mention of the bot is removed from the text', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  const messageId = await fake.say({ text: `${fake.mention} what is new?`, isPrivate: false });

  expect(await receive(client)).toMatchObject({ message: 'what is new?', isPrivate: false, address: { replyTo: messageId } });
});

test('messages to others, of bots and of Discord itself are passed over', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await fake.say({ text: 'to everybody', isPrivate: false });
  await fake.say({ text: 'from a bot', isBot: true });
  await fake.say({ text: 'joined the server', type: 7 });
  await fake.say({ text: 'a reply to the bot', isPrivate: false, isReply: true });

  expect(await receiveTexts(client, 1)).toEqual(['a reply to the bot']);
});

test('pictures are data URLs', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await fake.say({ text: '', images: [PNG] });

  expect(await receive(client)).toMatchObject({ message: '', images: [PNG] });
});

test('a picture that cannot be read is named in the text', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await fake.say({ text: 'look', images: ['<svg/>'] });

  const ctx = await receive(client);
  expect(ctx.message).toBe('look\n[attachment that cannot be read: image.png]');
  expect(ctx.images).toBeUndefined();
});

test('a picture that is too large is not downloaded', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await fake.say({ text: 'large', images: [PNG], imageBytes: 6 * 1024 * 1024 });

  expect((await receive(client)).images).toBeUndefined();
  expect(fake.requests.filter(({ path }) => path.startsWith('/cdn/'))).toEqual([]);
});

test('reading a picture stops when it is larger than Discord declared', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  const bytes = Buffer.concat([Buffer.from(PNG.split(',')[1]!, 'base64'), Buffer.alloc(6 * 1024 * 1024)]);
  await fake.say({ text: 'large', images: [`data:image/png;base64,${bytes.toString('base64')}`], imageBytes: 100 });

  expect((await receive(client)).images).toBeUndefined();
});

test('a download that fails is tried again', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  fake.fault({ on: '/0', status: 503 });
  await fake.say({ text: '', images: [PNG], messageId: '1297000000000000001' });

  expect((await receive(client)).images).toEqual([PNG]);
});

test('a wait that is ended during a download leaves the message to the next one', async () => {
  const fake = await openDiscord();
  const client = await startDiscordClient(fake);
  await client.receiveMessage({ signal: AbortSignal.timeout(10_000) });
  fake.fault({ on: '/0', hangMs: 60_000 });
  await fake.say({ text: 'look', images: [PNG], messageId: '1297000000000000001' });
  const ending = new AbortController();
  const ended = client.receiveMessage({ signal: ending.signal }).catch(() => null);
  await expect.poll(() => fake.requests.filter(({ path }) => path.startsWith('/cdn/'))).toHaveLength(1);
  ending.abort();

  expect(await ended).toBeNull();
  // READY was the first event.
  expect(client.cursor).toMatchObject({ sequence: 1 });
  expect(await receive(client)).toMatchObject({ message: 'look', images: [PNG] });
});
