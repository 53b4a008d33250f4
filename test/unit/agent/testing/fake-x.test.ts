/** The fake refuses what X refuses: otherwise a client that passes here fails there. */
import { startFakeX } from 'svc-sdk/agent/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { authorizationHeader } from '../../../../src/agent/clients/x/oauth';

async function startX(options?: { pageSize: number }) {
  const x = await startFakeX(options);
  onTestFinished(() => x.close());
  async function call(method: string, path: string, { body, sign = {} }: { body?: object; sign?: object } = {}) {
    const url = new URL(path, x.origin);
    const authorization = authorizationHeader({ ...x.clientOptions, ...sign }, method, url, sign);
    const response = await fetch(url, { method, headers: { authorization }, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  }
  const reply = (text: string, replyTo: string, more: object = {}) =>
    call('POST', '/2/tweets', { body: { text, reply: { in_reply_to_tweet_id: replyTo }, ...more } });
  return { x, call, reply };
}

const MENTIONS = '/2/users/7000000003/mentions';

describe('a signature', () => {
  test.each([
    ['of another API secret', { apiSecret: 'other' }],
    ['of another access secret', { accessSecret: 'other' }],
    ['of another app', { apiKey: 'other' }],
    ['of another token', { accessToken: 'other' }],
    ['that is six minutes old', { timestamp: Math.floor(Date.now() / 1000) - 360 }],
    ['of a clock six minutes ahead', { timestamp: Math.floor(Date.now() / 1000) + 360 }],
  ])('%s is refused', async (_, sign) => {
    const { call } = await startX();
    expect(await call('GET', '/2/users/me', { sign })).toMatchObject({ status: 401, body: { title: 'Unauthorized', status: 401 } });
  });

  test('is good for one request', async () => {
    const { call } = await startX();
    expect(await call('GET', '/2/users/me', { sign: { nonce: 'once' } })).toMatchObject({ status: 200 });
    expect(await call('GET', '/2/users/me', { sign: { nonce: 'once' } })).toMatchObject({ status: 401 });
  });

  test.each([
    ['another method', 'POST', '/2/users/me?a=1'],
    ['another path', 'GET', '/2/users/you?a=1'],
    ['another query', 'GET', '/2/users/me?a=2'],
  ])('of %s is refused', async (_, method, path) => {
    const { x } = await startX();
    const authorization = authorizationHeader(x.clientOptions, method, new URL(path, x.origin));
    expect((await fetch(`${x.origin}/2/users/me?a=1`, { headers: { authorization } })).status).toBe(401);
  });

  test('is needed', async () => {
    const { x } = await startX();
    expect((await fetch(`${x.origin}/2/users/me`)).status).toBe(401);
  });
});

describe('mentions', () => {
  test('are returned newest first, in pages with the requested members', async () => {
    const { x, call } = await startX({ pageSize: 2 });
    for (const messageId of ['9', '10', '11']) await x.say({ text: `no ${messageId}`, messageId, chatId: '5' });
    const { body } = await call('GET', `${MENTIONS}?tweet.fields=conversation_id`);

    expect(body).toEqual({
      data: ['11', '10'].map((id) => ({ id, text: `@svc_fake no ${id}`, edit_history_tweet_ids: [id], conversation_id: '5' })),
      includes: {},
      meta: { result_count: 2, newest_id: '11', oldest_id: '10', next_token: 'page-1' },
    });
    expect(await call('GET', `${MENTIONS}?pagination_token=page-1`)).toMatchObject({ body: { data: [{ id: '9' }] } });
    expect(await call('GET', `${MENTIONS}?since_id=10`)).toMatchObject({ body: { data: [{ id: '11' }], meta: { result_count: 1 } } });
    expect(await call('GET', `${MENTIONS}?since_id=11`)).toMatchObject({ body: { meta: { result_count: 0 } } });
  });

  test.each([
    'max_results=4',
    'max_results=101',
    'since_id=abc',
    'start_time=2026-11-22T12:00:00.000Z',
    'start_time=2099-01-01T00:00:00Z',
    'pagination_token=other',
  ])('with %s are refused', async (query) => {
    const { call } = await startX();
    expect(await call('GET', `${MENTIONS}?${query}`)).toMatchObject({ status: 400, body: { title: 'Invalid Request' } });
  });

  test('of another account are refused', async () => {
    const { call } = await startX();
    expect(await call('GET', '/2/users/1/mentions')).toMatchObject({ status: 404 });
  });
});

describe('a reply', () => {
  test.each([
    ['a text of 280', 'a'.repeat(280), 201],
    ['a text of 281', 'a'.repeat(281), 403],
    ['140 Chinese characters', '中'.repeat(140), 201],
    ['141 Chinese characters', '中'.repeat(141), 403],
    ['140 families', '👨‍👩‍👧‍👦'.repeat(140), 201],
    ['11 long links', 'https://example.com/a-rather-long-path '.repeat(11), 201],
    ['no text', '', 400],
  ])('of %s is answered like X', async (_, text, status) => {
    const { x, reply } = await startX();
    expect(await reply(text, await x.say({ text: 'hello' }))).toMatchObject({ status });
  });

  test('is taken once, and an equal one to another post is taken too', async () => {
    const { x, reply } = await startX();
    const [one, two] = [await x.say({ text: '1' }), await x.say({ text: '2' })];
    expect(await reply('same', one)).toMatchObject({ status: 201 });
    expect(await reply('same', one)).toMatchObject({ status: 403, body: { detail: expect.stringContaining('duplicate') } });
    expect(await reply('same', two)).toMatchObject({ status: 201 });
  });

  test.each([
    ['without a post', { body: { text: 'a', reply: {} } }, 400],
    ['to an unknown post', { body: { text: 'a', reply: { in_reply_to_tweet_id: '1' } } }, 403],
    ['that answers nothing', { body: { text: 'a' } }, 403],
  ])('%s is refused', async (_, request, status) => {
    const { call } = await startX();
    expect(await call('POST', '/2/tweets', request)).toMatchObject({ status });
  });

  test('with unknown images is refused', async () => {
    const { x, reply } = await startX();
    const post = await x.say({ text: 'hello' });
    expect(await reply('a', post, { media: { media_ids: ['1'] } })).toMatchObject({ status: 400 });
  });
});

test('a picture takes no credentials', async () => {
  const { x, call } = await startX();
  await x.say({ text: 'look', images: ['data:image/png;base64,iVBORw0KGgo='] });
  expect((await fetch(`${x.origin}/photos/3_1`)).headers.get('content-type')).toBe('image/png');
  expect(await call('GET', '/photos/3_1')).toMatchObject({ status: 400 });
});

test('a rate limit contains only its reset time', async () => {
  const { x } = await startX();
  x.fault({ status: 429, retryAfter: 60 });
  const { headers } = await fetch(`${x.origin}/2/users/me`);
  const inSeconds = Number(headers.get('x-rate-limit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;

  expect([60, 61]).toContain(inSeconds);
  expect(headers.get('retry-after')).toBeNull();
});

test('a press is rejected: X has no buttons', async () => {
  const { x } = await startX();
  const response = await fetch(`${x.origin}/press`, { method: 'POST', body: '{"chatId":"5","button":"yes"}' });
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 400,
    body: { error: 'X has no buttons: answer a question with say' },
  });
});
