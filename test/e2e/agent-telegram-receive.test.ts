/** The messages that a bot on Telegram receives. */
import { expect, test } from 'vitest';
import { PNG } from '../support/discord';
import { receive, receiveTexts } from '../support/received-messages';
import { countCalls, openTelegram, startTelegramClient } from '../support/telegram';

const GROUP = { chatId: '-1001', isPrivate: false };

test('a private message has its person, its chat and its id', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  const messageId = await fake.say({ text: 'hello', chatId: '1001', userName: 'Grace' });

  expect(await receive(client)).toEqual({
    chatId: '1001',
    userId: '1001',
    message: 'hello',
    messageId: `1001/${messageId}`,
    userName: 'Grace',
    isPrivate: true,
    address: { messageId: Number(messageId) },
  });
});

test.each([
  ['@svc_fake_bot what is new?', 'what is new?'],
  ['@SVC_fake_BOT, what is new?', 'what is new?'],
  ['what is new, @svc_fake_bot?', 'what is new, @svc_fake_bot?'],
  ['👩‍👩‍👧 @svc_fake_bot what is new?', '👩‍👩‍👧 @svc_fake_bot what is new?'],
  ['@svc_fake_bot', '@svc_fake_bot'],
  ['/new@svc_fake_bot', '/new'],
  ['/weather@svc_fake_bot in Rome', '/weather in Rome'],
])('in a group %j is for the bot', async (text, message) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ ...GROUP, text });

  expect(await receive(client)).toMatchObject({ chatId: '-1001', userId: '2001', isPrivate: false, message });
});

test('in a group a reply to the bot, and a mention by its id, are for the bot', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ ...GROUP, text: 'and tomorrow?', replyTo: '17' });
  const mention = { type: 'text_mention', offset: 0, length: 3, user: { id: 7_000_000_001, is_bot: true, first_name: 'Svc' } };
  await fake.say({ ...GROUP, text: 'Svc again', members: { entities: [mention] } });

  expect(await receiveTexts(client, 2)).toEqual(['and tomorrow?', 'Svc again']);
});

test.each([
  ['to everybody in a group', { ...GROUP, text: 'hello all' }],
  ['for a bot whose name begins alike', { ...GROUP, text: '@svc_fake_bot_two hello' }],
  ['that has the name in another place than the entity', { ...GROUP, text: 'x@svc_fake_bot.example' }],
  ['that is a command for another bot', { ...GROUP, text: '/new@other_bot' }],
  ['in a group that replies to another person', { ...GROUP, text: 'yes', members: { reply_to_message: { from: { id: 5 } } } }],
  ['of a bot', { text: 'from a bot', isBot: true }],
  ['of a channel in its group', { ...GROUP, text: '@svc_fake_bot', members: { sender_chat: { id: -1009, type: 'channel' } } }],
  ['without words and files', { text: '', members: { text: undefined, sticker: { emoji: '👍' } } }],
  ['that was edited', { text: 'edited', update: 'edited_message' as const }],
  ['that is a post in a channel', { text: '@svc_fake_bot', chatId: '-1009', update: 'channel_post' as const }],
])('a message %s is passed over', async (_, message) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say(message);
  await fake.say({ text: 'but this' });

  expect(await receiveTexts(client, 1)).toEqual(['but this']);
});

test('topics are separate chats, and the first message of a topic is not a reply to the bot', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ chatId: '-1001/7', isPrivate: false, text: 'not for the bot, which made the topic', replyTo: '7' });
  await fake.say({ chatId: '-1001/7', isPrivate: false, text: '@svc_fake_bot in the topic' });
  // The answers to a message in a group without topics are a thread too.
  await fake.say({ ...GROUP, text: '@svc_fake_bot in the thread', members: { message_thread_id: 9 } });

  expect(await receive(client)).toMatchObject({ chatId: '-1001/7', message: 'in the topic' });
  expect(await receive(client)).toMatchObject({ chatId: '-1001', message: 'in the thread' });
});

test('messages of different groups with the same number have different ids', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  for (const chatId of ['-1001', '-1002']) await fake.say({ chatId, isPrivate: false, text: '@svc_fake_bot hi', messageId: '17' });

  expect([(await receive(client)).messageId, (await receive(client)).messageId]).toEqual(['-1001/17', '-1002/17']);
});

test('a message that arrives twice has the same id twice', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  const messageId = await fake.say({ text: 'hello', twice: true });

  expect([(await receive(client)).messageId, (await receive(client)).messageId]).toEqual([`1001/${messageId}`, `1001/${messageId}`]);
});

test.each([false, true])('a picture is a data URL, with its caption (as a file: %s)', async (asFiles) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ ...GROUP, text: '@svc_fake_bot what is this?', images: [PNG], asFiles });

  const ctx = await receive(client);
  expect(ctx).toMatchObject({ message: 'what is this?', images: [PNG] });
  expect(JSON.stringify(ctx)).not.toMatch(/file-|http/);
});

test('an album is one message, with four pictures at most', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  const messageId = await fake.say({ ...GROUP, text: '@svc_fake_bot look', images: [PNG, PNG, PNG, PNG, PNG] });
  await fake.say({ text: 'next' });

  expect(await receive(client)).toMatchObject({
    message: 'look\n[attachment that cannot be read: photo]',
    messageId: `-1001/${messageId}`,
    images: [PNG, PNG, PNG, PNG],
  });
  expect(await receiveTexts(client, 1)).toEqual(['next']);
});

test('a picture that arrives late is added to its album', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  const album = { text: '', images: [PNG], members: { media_group_id: 'album' } };
  await fake.say({ ...album, text: 'look' });
  const pending = receive(client);
  await expect.poll(() => fake.requests.at(-1)).toMatchObject({ path: expect.stringMatching(/getUpdates$/), status: 200 });
  await fake.say(album);

  expect(await pending).toMatchObject({ message: 'look', images: [PNG, PNG] });
  const again = await startTelegramClient(fake, client.cursor);
  await fake.say({ text: 'next' });
  expect(await receiveTexts(again, 1)).toEqual(['next']);
});

test.each([
  ['report.pdf', { document: { file_id: 'x', file_name: 'report.pdf', mime_type: 'application/pdf' } }],
  ['drawing.svg', { document: { file_id: 'x', file_name: 'drawing.svg', mime_type: 'image/svg+xml' } }],
  ['file', { document: { file_id: 'x' } }],
  ['photo', { photo: [{ file_id: 'file-0', file_size: 6 * 1024 * 1024 }] }],
  ['voice message', { voice: { file_id: 'x' } }],
  ['song.mp3', { audio: { file_id: 'x', file_name: 'song.mp3' } }],
  ['video', { video: { file_id: 'x' } }],
  ['video', { video_note: { file_id: 'x' } }],
])('a file that cannot be read is named in the text: %s', async (name, file) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ text: '', members: { text: undefined, caption: 'look', ...file } });
  await fake.say({ text: '', members: { text: undefined, ...file } });

  const words = `[attachment that cannot be read: ${name}]`;
  expect(await receiveTexts(client, 2)).toEqual([`look\n${words}`, words]);
});

test('a file that only claims to be a picture is named in the text', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  await fake.say({ text: '', images: [`data:image/png;base64,${btoa('<svg/>')}`], asFiles: true });

  expect(await receive(client)).toEqual(expect.not.objectContaining({ images: expect.anything() }));
  expect(countCalls(fake, 'photos/file-0.jpg')).toBe(1);
});

test('the download of a picture stops when it is larger than declared', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  const bytes = Buffer.concat([Buffer.from(PNG.split(',')[1] ?? '', 'base64'), Buffer.alloc(6 * 1024 * 1024)]);
  await fake.say({
    text: 'large',
    images: [`data:image/png;base64,${bytes.toString('base64')}`],
    members: { photo: [{ file_id: 'file-0' }] },
  });

  expect((await receive(client)).images).toBeUndefined();
  expect(fake.requests.filter(({ path }) => path.startsWith('/file/'))).toEqual([]);
});

test.each([
  ['a download', '.jpg'],
  ['the path of a file', '/getFile'],
])('%s that fails is tried again, and left out after three tries', async (_, on) => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on, status: 503 });
  fake.fault({ on, cut: true });
  await fake.say({ text: 'one', images: [PNG] });
  expect(await receive(client)).toMatchObject({ message: 'one', images: [PNG] });

  fake.fault({ on, status: 503, times: 3 });
  await fake.say({ text: 'two', images: [PNG] });
  expect((await receive(client)).message).toBe('two\n[attachment that cannot be read: photo]');
});

test('a picture that Telegram no longer has is left out', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on: '/getFile', status: 400 });
  await fake.say({ text: 'gone', images: [PNG] });

  expect((await receive(client)).message).toBe('gone\n[attachment that cannot be read: photo]');
  expect(countCalls(fake, 'getFile')).toBe(1);
});

test('a wait that is ended during a download leaves the message to the next one', async () => {
  const fake = await openTelegram();
  const client = await startTelegramClient(fake);
  fake.fault({ on: '.jpg', hangMs: 60_000 });
  await fake.say({ text: 'look', images: [PNG] });
  const ending = new AbortController();
  const ended = client.receiveMessage({ signal: ending.signal });
  await expect.poll(() => fake.requests.at(-1)?.path).toMatch(/^\/file\//);
  ending.abort();

  expect(await ended).toBeNull();
  expect(client.cursor).toBeNull();
  expect(await receive(client)).toMatchObject({ message: 'look', images: [PNG] });
});
