/** Replies that go out: one for each mention, of what X accepts. */
import { type Message, type MessageContext, RefusedReply } from 'svc-sdk/agent';
import { expect, test } from 'vitest';
import { receive, startX, startXClient } from '../support/agent-x';

const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const GIF = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=';

/** A client, a mention that it received, and a reply to it. */
async function startMentioned() {
  const fake = await startX();
  const client = await startXClient(fake);
  await fake.say({ text: 'hello', chatId: '17' });
  const [ctx] = (await receive(client, 1)) as [MessageContext];
  return { fake, client, ctx, replyTo: ctx.messageId };
}

function reply(text: string, images: string[] = []): Message[] {
  return [
    { role: 'tool', tool_call_id: 'call_1', content: '{}', svc_images: images },
    { role: 'assistant', content: text },
  ];
}

test('a reply answers the post', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  await client.sendMessage(ctx, reply('Hello, Ada!'));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'Hello, Ada!', replyTo }]);
});

test('a client that was started anew answers a message of the one before', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  await client.stop();
  const second = await startXClient(fake, { cursor: client.cursor });
  await second.sendMessage(JSON.parse(JSON.stringify(ctx)), reply('late'));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'late', replyTo }]);
});

test('a long reply is one post that ends with an ellipsis', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  await client.sendMessage(ctx, reply(`${'word '.repeat(100)}end`));

  expect(fake.sent).toEqual([{ chatId: '17', text: `${'word '.repeat(55).trimEnd()}…`, replyTo }]);
});

test('a reply that was posted before is not an error, and is shown once', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  await client.sendMessage(ctx, reply('once'));
  await client.sendMessage(ctx, reply('once'));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'once', replyTo }]);
  expect(fake.requests.filter(({ path }) => path === '/2/tweets').map(({ status }) => status)).toEqual([201, 403]);
});

test('a cut behind the effect shows the reply once', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  fake.fault({ on: '/2/tweets', cut: true, done: true });
  await client.sendMessage(ctx, reply('once'));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'once', replyTo }]);
});

test.each([
  ['a 503', { status: 503 }],
  ['a rate limit', { status: 429 }],
  ['a cut', { cut: true }],
])('%s is tried again', async (_, fault) => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  fake.fault({ on: '/2/tweets', ...fault });
  await client.sendMessage(ctx, reply('again'));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'again', replyTo }]);
});

test.each([400, 401, 402, 403, 404])('a %d is a RefusedReply', async (status) => {
  const { fake, client, ctx } = await startMentioned();
  fake.fault({ on: '/2/tweets', status });
  const error = await client.sendMessage(ctx, reply('no')).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(RefusedReply);
  expect((error as Error).message).toMatch(new RegExp(`^X refused POST /2/tweets: ${status} `));
  expect(fake.sent).toEqual([]);
});

test('a post that X no longer shows refuses the reply for good', async () => {
  const { client, ctx } = await startMentioned();
  await expect(client.sendMessage({ ...ctx, messageId: '1' }, reply('no'))).rejects.toThrow(
    new RefusedReply(
      'X refused POST /2/tweets: 403 You attempted to reply to a Tweet that is deleted or not visible to you. Check in the developer portal ' +
        'of X that the app may read and write, and make the access token again after a change',
    ),
  );
});

test('stop ends a reply, which is not refused: the agent sends it again', async () => {
  const { fake, client, ctx } = await startMentioned();
  fake.fault({ on: '/2/tweets', hangMs: 60_000 });
  const sending = client.sendMessage(ctx, reply('later')).catch((thrown: unknown) => thrown);
  await expect.poll(() => fake.requests.at(-1)?.path).toBe('/2/tweets');
  await client.stop();

  const error = await sending;
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(RefusedReply);
});

test('images of tools are uploaded, four at most, and GIFs are left out', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  const pictures = ['', 'a', 'b', 'c', 'd'].map(
    (more) => `data:image/png;base64,${Buffer.concat([pngBytes(), Buffer.from(more)]).toString('base64')}`,
  );
  await client.sendMessage(ctx, reply('look', [GIF, ...pictures]));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'look', images: 4, replyTo }]);
  expect(fake.requests.filter(({ path }) => path === '/2/media/upload')).toHaveLength(4);
});

test('an image that X rejects is left out, and the text is posted', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  fake.fault({ on: '/2/media/upload', status: 400 });
  await client.sendMessage(ctx, reply('look', [PNG]));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'look', replyTo }]);
});

test('an upload is tried again', async () => {
  const { fake, client, ctx, replyTo } = await startMentioned();
  fake.fault({ on: '/2/media/upload', cut: true });
  await client.sendMessage(ctx, reply('look', [PNG]));

  expect(fake.sent).toEqual([{ chatId: '17', text: 'look', images: 1, replyTo }]);
});

function pngBytes(): Buffer {
  return Buffer.from(PNG.slice(22), 'base64');
}
