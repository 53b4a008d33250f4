/** `Svc-Usage`: the tokens of models, counted for the session that its request names. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Tools } from 'svc-sdk';
import { Agent } from 'svc-sdk/agent';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { PipeClient } from '../../../test/support/agent';
import { startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';

const usage = (id: string, input = 100) => `"gpt-6";id="${id}";input=${input};cached=10;output=7`;

async function openCounted() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startConsole({ data: folder.path });
  await service.toolkit('clock', (toolkit) => {
    toolkit.action({ action: 'read', actionDescription: 'Reads the clock' }, () => 'noon');
  });
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all' });
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const send = (path: string, body: unknown, headers: Record<string, string>) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  /** Session and its tokens, as the store has them. */
  const stored = () => {
    const database = new DatabaseSync(join(folder.path, 'svc.sqlite'), { readOnly: true });
    try {
      return database
        .prepare(
          'SELECT session_id AS session, user_id AS user, model, id, input_tokens AS input, cached_tokens AS cached, output_tokens AS output FROM session_usage ORDER BY id',
        )
        .all()
        .map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  };
  return { service, keyId: id, key, send, stored };
}

const row = (id: string, session: string, user: string | null = null, model = 'gpt-6') => {
  return { session, user, model, id, input: 100, cached: 10, output: 7 };
};

test('comes with a search, a call, a resolve or alone, and a repeated id counts once', async () => {
  const { send, stored } = await openCounted();
  const session = { 'svc-session-id': 'chat-1' };
  const call = { action: 'clock__read', payload: {} };
  expect((await send(PATHS.search, { query: 'clock' }, { ...session, 'svc-usage': usage('a') })).status).toBe(200);
  expect((await send(PATHS.search, { query: 'clock' }, { ...session, 'svc-usage': usage('a') })).status).toBe(200);
  expect((await send(PATHS.invoke, call, { ...session, 'svc-user-id': 'ada', 'svc-usage': `${usage('b')}, ${usage('c')}` })).status).toBe(
    200,
  );
  // Any header that the fast path does not know goes to `node:http`.
  expect((await send(PATHS.invoke, call, { ...session, 'svc-usage': usage('d'), unknown: '1' })).status).toBe(200);
  expect((await send(PATHS.resolve, call, { ...session, 'svc-usage': usage('e') })).status).toBe(200);
  const alone = await send(PATHS.usage, undefined, { 'svc-session-id': 'chat-2', 'svc-usage': usage('a') });
  expect([alone.status, await alone.text()]).toEqual([204, '']);
  const rows = [
    row('a', 'chat-1'),
    row('a', 'chat-2'),
    row('b', 'chat-1', 'ada'),
    row('c', 'chat-1', 'ada'),
    row('d', 'chat-1'),
    row('e', 'chat-1'),
  ];
  await vi.waitFor(() => expect(stored()).toEqual(expect.arrayContaining(rows)), 20_000);
  expect(stored()).toHaveLength(rows.length);
});

test.each<[string, Record<string, string>, string]>([
  ['without a session', { 'svc-usage': usage('a') }, 'Svc-Usage is of a session: send Svc-Session-Id with it, your id of the conversation'],
  [
    'that cannot be read',
    { 'svc-session-id': 'chat', 'svc-usage': 'gpt-6' },
    'Svc-Usage: it cannot be read from character 1; it is a list such as "gpt-6";id="u1";input=1200;output=86',
  ],
])('%s is refused, and the call is not made', async (_what, headers, detail) => {
  const { service, keyId, send } = await openCounted();
  for (const [path, body] of [
    [PATHS.search, { query: 'clock' }],
    [PATHS.invoke, { action: 'clock__read', payload: {} }],
    [PATHS.resolve, { action: 'clock__read', payload: {} }],
    [PATHS.usage, undefined],
  ] as const) {
    const refused = await send(path, body, headers);
    expect([path, refused.status, await refused.json()]).toEqual([path, 400, expect.objectContaining({ code: 'INVALID_REQUEST', detail })]);
  }
  expect(await service.owner.json('GET', `${ADMIN_PATHS.invocations}?key=${keyId}`)).toMatchObject({ invocations: [] });
});

test('alone needs a key and its header', async () => {
  const { service, send } = await openCounted();
  expect(
    (await fetch(service.url + PATHS.usage, { method: 'POST', headers: { 'svc-usage': usage('a'), 'svc-session-id': 's' } })).status,
  ).toBe(401);
  expect(await (await send(PATHS.usage, undefined, { 'svc-session-id': 's' })).json()).toMatchObject({
    code: 'INVALID_REQUEST',
    detail: 'Send the tokens in the header Svc-Usage: "gpt-6";id="u1";input=1200;output=86',
  });
});

test('keeps its numbers, and not the name of the model, where texts are off', async () => {
  const { service, send, stored } = await openCounted();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'off' });
  await send(PATHS.usage, undefined, { 'svc-session-id': 'chat', 'svc-usage': usage('a') });
  await vi.waitFor(() => expect(stored()).toEqual([row('a', 'chat', null, '')]), 20_000);
});

/** A `Tools` that notes the paths of its requests, and their `Svc-Usage`. */
function noting(url: string, apiKey: string, options: { sessionId?: string } = {}) {
  const sent: { path: string; usage: string | undefined }[] = [];
  const state = { fails: false };
  const tools = new Tools({
    baseUrl: url,
    apiKey,
    ...options,
    fetch: async (address, init) => {
      sent.push({ path: new URL(address).pathname, usage: init.headers['svc-usage'] });
      if (state.fails)
        return new Response('{"type":"x","title":"x","status":400,"detail":"x","code":"INVALID_REQUEST","retryable":false}', {
          status: 400,
          headers: { 'content-type': 'application/problem+json' },
        });
      return fetch(address, init);
    },
  });
  return { tools, sent, state };
}

test('of `Tools` goes along with the next request of the session, alone after a while, and at once when asked', async () => {
  const { service, key, stored } = await openCounted();
  const { tools, sent } = noting(service.url, key, { sessionId: 'chat' });
  const other = tools.for({ sessionId: 'other' });
  await tools.reportUsage({ model: 'gpt-6', inputTokens: 100, cachedTokens: 10, outputTokens: 7 });
  await other.search('clock');
  await tools.search('clock');
  await tools.search('clock');
  expect(sent.map(({ path, usage: header }) => [path, header?.replace(/id="[^"]+"/, 'id')])).toEqual([
    ['/v1/search', undefined],
    ['/v1/search', '"gpt-6";id;input=100;cached=10;output=7'],
    ['/v1/search', undefined],
  ]);
  // Some models say `null`.
  const cachedTokens = null as unknown as undefined;
  await other.reportUsage({ model: 'größer', inputTokens: 1, outputTokens: 2, cachedTokens });
  await vi.waitFor(
    () => expect(sent.at(-1)).toMatchObject({ path: '/v1/usage', usage: expect.stringMatching(/^"gr\?\?er";id=".*";input=1;output=2$/) }),
    20_000,
  );
  for (let report = 0; report < 20; report++) await tools.reportUsage({ model: 'm', inputTokens: report, outputTokens: 0 });
  await tools.flushUsage();
  expect(sent.slice(4).map(({ path, usage: header }) => [path, header?.split(', ').length])).toEqual([
    ['/v1/usage', 8],
    ['/v1/usage', 8],
    ['/v1/usage', 4],
  ]);
  await vi.waitFor(() => expect(stored()).toHaveLength(22), 20_000);
});

test('of `Tools` is kept when its request fails, and needs a session and whole numbers', async () => {
  const { service, key, stored } = await openCounted();
  const { tools, sent, state } = noting(service.url, key, { sessionId: 'chat' });
  await tools.reportUsage({ model: 'gpt-6', inputTokens: 1, outputTokens: 2 });
  state.fails = true;
  await expect(tools.search('clock')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(tools.flushUsage()).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  state.fails = false;
  await tools.invoke('clock__read');
  expect(new Set(sent.map(({ usage: header }) => header)).size).toBe(1);
  await vi.waitFor(() => expect(stored()).toHaveLength(1), 20_000);

  for (const wrong of [{ inputTokens: -1 }, { outputTokens: 0.5 }, { cachedTokens: 2 }, { model: '' }])
    await expect(tools.reportUsage({ model: 'm', inputTokens: 1, outputTokens: 1, ...wrong })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  await expect(noting(service.url, key).tools.reportUsage({ model: 'm', inputTokens: 1, outputTokens: 1 })).rejects.toMatchObject({
    message: 'Tokens are reported for a session: new Tools({ sessionId }), or tools.for({ sessionId })',
  });
});

test('of `Tools` is sent alone again after the service was out of reach', async () => {
  const { service, key, stored } = await openCounted();
  const { tools, sent, state } = noting(service.url, key, { sessionId: 'chat' });
  state.fails = true;
  // More than one header holds.
  for (let report = 0; report < 10; report++) await tools.reportUsage({ model: 'gpt-6', inputTokens: report, outputTokens: 0 });
  await vi.waitFor(() => expect(sent).toHaveLength(1), 20_000);
  state.fails = false;
  await tools.reportUsage({ model: 'gpt-6 🚀', inputTokens: 10, outputTokens: 0 });
  await vi.waitFor(() => expect(stored()).toHaveLength(11), 20_000);
  expect(stored().filter(({ model }) => model === 'gpt-6 ?')).toHaveLength(1);
});

test('of an `Agent` is reported by itself, the last one when it stops', async () => {
  const { service, key, stored } = await openCounted();
  const client = new PipeClient();
  const folder = makeFolder();
  onTestFinished(folder.remove);
  let asked = 0;
  const agent = new Agent({
    apiKey: key,
    baseUrl: service.url,
    clients: [client],
    store: join(folder.path, 'agent.db'),
    model: async ({ messages }) => {
      asked++;
      const call = {
        id: `c${asked}`,
        type: 'function' as const,
        function: { name: 'invoke_service', arguments: '{"action":"clock__read","payload":{}}' },
      };
      const message =
        messages.at(-1)?.role === 'tool'
          ? { role: 'assistant' as const, content: 'Noon' }
          : { role: 'assistant' as const, content: null, tool_calls: [call] };
      return { message, tokens: { input: 10 * asked, output: asked } };
    },
    accept: () => true,
    onEvent: () => {},
  });
  agent.setModel('default', 'big/model');
  const run = agent.run();
  client.say('What time is it?');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Noon']), 20_000);
  await agent.stop();
  await run;
  await vi.waitFor(() => {
    const rows = stored().map(({ session, model, input, output }) => ({ session, model, input, output }));
    expect(rows.sort((a, b) => Number(a.input) - Number(b.input))).toEqual([
      { session: 'pipe/chat', model: 'big/model', input: 10, output: 1 },
      { session: 'pipe/chat', model: 'big/model', input: 20, output: 2 },
    ]);
  }, 20_000);
});
