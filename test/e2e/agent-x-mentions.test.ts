/** Received mentions: their selection and order, each once, over restarts too. */
import { describe, expect, test } from 'vitest';
import { receive, receiveTexts, startX, startXClient } from '../support/agent-x';

const PNG = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a mention has all that an answer needs', async () => {
  const fake = await startX();
  const client = await startXClient(fake);
  const messageId = await fake.say({ text: 'hello', chatId: '17', userId: '42', userName: 'grace' });

  expect(await receive(client, 1)).toEqual([
    { chatId: '17', userId: '42', userName: 'grace', message: 'hello', messageId, isPrivate: false },
  ]);
});

test('mentions of all pages are received oldest first, in the order of their numbers', async () => {
  const fake = await startX({ pageSize: 2 });
  const client = await startXClient(fake);
  for (const messageId of ['9', '10', '99', '100', '101']) await fake.say({ text: messageId, messageId });

  expect(await receiveTexts(client, 5)).toEqual(['9', '10', '99', '100', '101']);
});

test('a mention on two pages is received once', async () => {
  const fake = await startX({ pageSize: 1 });
  const client = await startXClient(fake);
  await fake.say({ text: 'one', twice: true });
  await fake.say({ text: 'two' });

  expect(await receiveTexts(client, 2)).toEqual(['one', 'two']);
  await fake.say({ text: 'three' });
  expect(await receiveTexts(client, 1)).toEqual(['three']);
});

describe('the cursor', () => {
  test('of a first start is the time at X, stored before the first look for mentions', async () => {
    const fake = await startX();
    await fake.say({ text: 'long ago', at: Date.now() - 5_000 });
    const client = await startXClient(fake);

    expect(await client.receiveMessage({ signal: AbortSignal.timeout(5_000) })).toBeNull();
    expect(client.cursor).toEqual({ start_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) });
    expect(fake.requests.map(({ path }) => path)).toEqual(['/2/users/me']);

    await fake.say({ text: 'now' });
    expect(await receiveTexts(client, 1)).toEqual(['now']);
  });

  test('of a first start finds a mention that was written while the agent was down again', async () => {
    const fake = await startX();
    const first = await startXClient(fake);
    expect(first.cursor).toBeNull();
    await first.receiveMessage({ signal: AbortSignal.timeout(5_000) });
    const { cursor } = first;
    await first.stop();
    await fake.say({ text: 'meanwhile' });

    const second = await startXClient(fake, { cursor });
    expect(await receiveTexts(second, 1)).toEqual(['meanwhile']);
  });

  test('is the mention that was returned, and a restart goes on behind it', async () => {
    const fake = await startX();
    const first = await startXClient(fake);
    const ids = [];
    for (const text of ['one', 'two', 'three']) ids.push(await fake.say({ text }));
    const [one] = await receive(first, 1);
    expect(one).toMatchObject({ message: 'one' });
    expect(first.cursor).toEqual({ since_id: ids[0] });
    await first.stop();

    const second = await startXClient(fake, { cursor: first.cursor });
    expect(await receiveTexts(second, 2)).toEqual(['two', 'three']);
    expect(second.cursor).toEqual({ since_id: ids[2] });
  });

  test('passes posts that need no answer', async () => {
    const fake = await startX();
    const client = await startXClient(fake);
    await fake.say({ text: 'one' });
    expect(await receiveTexts(client, 1)).toEqual(['one']);
    const id = await fake.say({ text: 'mine', userId: '7000000003' });

    await expect
      .poll(async () => client.receiveMessage({ signal: AbortSignal.timeout(5_000) }).then(() => client.cursor))
      .toEqual({ since_id: id });
  });
});

test.each([
  ['of the account itself', { userId: '7000000003' }],
  ['that only some people may answer', { replySettings: 'following' as const }],
  ['that only the mentioned people may answer', { replySettings: 'mentionedUsers' as const }],
  ['that is a retweet', { kind: 'retweeted' as const }],
])('a post %s is passed over', async (_, message) => {
  const fake = await startX();
  const client = await startXClient(fake);
  await fake.say({ text: 'not this', ...message });
  await fake.say({ text: 'but this' });

  expect(await receiveTexts(client, 1)).toEqual(['but this']);
});

test.each([
  ['@svc_fake hello', 'hello'],
  ['@SVC_Fake   hello @svc_fake', 'hello @svc_fake'],
  ['@ada @svc_fake @bob hello', '@ada @bob hello'],
  ['@svc_fake', '@svc_fake'],
  ['@svc_fake_two and @svc_fake', '@svc_fake_two and @svc_fake'],
  ['hello @svc_fake', 'hello @svc_fake'],
  ['@svc_fake\ntwo\n\nlines', 'two\n\nlines'],
  ['@svc_fake is 1 < 2 && 3 > 2 or &lt;?', 'is 1 < 2 && 3 > 2 or &lt;?'],
  ['@svc_fake read https://example.com/?a=1&b=$& or https://example.com/2', 'read https://example.com/?a=1&b=$& or https://example.com/2'],
  [`@svc_fake ${'long '.repeat(200)}end`, `${'long '.repeat(200)}end`],
  [`@svc_fake ${'long '.repeat(200)}https://example.com/end`, `${'long '.repeat(200)}https://example.com/end`],
])('%j is read as the person wrote it, without the account in front', async (text, message) => {
  const fake = await startX();
  const client = await startXClient(fake);
  await fake.say({ text });

  expect(await receiveTexts(client, 1)).toEqual([message]);
});

test.each([
  ['replied_to' as const, 'yes'],
  ['quoted' as const, '@ada @bob yes'],
])('a post that is %s has %j as its text: X puts the names in front of replies', async (kind, message) => {
  const fake = await startX();
  const client = await startXClient(fake);
  await fake.say({ text: '@ada @svc_fake @bob yes', kind });

  expect(await receiveTexts(client, 1)).toEqual([message]);
});

describe('photos', () => {
  test('of a post without words have only the name as text', async () => {
    const fake = await startX();
    const client = await startXClient(fake);
    await fake.say({ text: '@svc_fake', images: [PNG] });

    expect(await receive(client, 1)).toMatchObject([{ message: '@svc_fake', images: [PNG] }]);
  });

  test('come as data URLs', async () => {
    const fake = await startX();
    const client = await startXClient(fake);
    await fake.say({ text: 'look', images: [PNG, PNG] });

    expect(await receive(client, 1)).toMatchObject([{ message: 'look', images: [PNG, PNG] }]);
  });

  test('are four at most', async () => {
    const fake = await startX();
    const client = await startXClient(fake);
    await fake.say({ text: 'look', images: [PNG, PNG, PNG, PNG, PNG] });

    expect((await receive(client, 1))[0]?.images).toHaveLength(4);
  });

  test('are downloaded again after a cut', async () => {
    const fake = await startX();
    const client = await startXClient(fake);
    fake.fault({ on: '/photos/3_1', cut: true });
    fake.fault({ on: '/photos/3_1', status: 503 });
    await fake.say({ text: 'look', images: [PNG] });

    expect(await receive(client, 1)).toMatchObject([{ message: 'look', images: [PNG] }]);
  });

  test.each([
    ['is gone', { status: 404 }],
    ['cannot be reached', { cut: true, times: 3 }],
  ])('are left out if one %s', async (_, fault) => {
    const fake = await startX();
    const client = await startXClient(fake);
    fake.fault({ on: '/photos/3_1', ...fault });
    await fake.say({ text: 'look', images: [PNG, PNG] });

    expect(await receive(client, 1)).toMatchObject([{ message: 'look', images: [PNG] }]);
  });

  test('above 5 MB are left out', async () => {
    const fake = await startX();
    const client = await startXClient(fake);
    const large = Buffer.concat([Buffer.from(PNG.slice(22), 'base64'), Buffer.alloc(5 * 1024 * 1024)]);
    await fake.say({ text: 'look', images: [`data:image/png;base64,${large.toString('base64')}`] });

    expect(await receive(client, 1)).toEqual([expect.not.objectContaining({ images: expect.anything() })]);
  });
});
