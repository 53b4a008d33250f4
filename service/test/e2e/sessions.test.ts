/** Sessions: the records of a conversation's searches and calls, and access to them. */
import { type ActionContext, Tools } from 'svc-sdk';
import { describe, expect, test } from 'vitest';
import {
  ADMIN_PATHS,
  type InvocationDetail,
  type InvocationsPage,
  type SearchTexts,
  type SessionEntry,
  type SessionPage,
} from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, type ConsoleService, startConsole } from '../../../test/support/console-service';
import { runToolkit } from '../../../test/support/service';
import { nextMillisecond } from '../support/next-millisecond';

const pathOf = (session: string) => `${ADMIN_PATHS.sessions}/${encodeURIComponent(session)}`;
const sessionOf = ({ json }: Asker, session: string, query = '') => json<SessionPage>('GET', `${pathOf(session)}?${query}`);
const callsOf = ({ json }: Asker, query: string) => json<InvocationsPage>('GET', `${ADMIN_PATHS.invocations}?${query}`);
const isSearch = (entry: SessionEntry) => entry.kind === 'search';
/** `search` or the action of a call. */
const shape = ({ entries }: SessionPage) => entries.map((entry) => (entry.kind === 'search' ? 'search' : entry.call.action));

/** A service with one toolkit, and an agent key of its owner. */
async function openOffice({ searchTexts = 'all' }: { searchTexts?: SearchTexts } = {}) {
  const service = await startConsole();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts });
  const contexts: ActionContext[] = [];
  await service.toolkit('mail', (toolkit) => {
    toolkit.action({ action: 'send', actionDescription: 'Sends a letter to a person' }, (ctx) => void contexts.push(ctx));
    toolkit.action({ action: 'lose', actionDescription: 'Loses a letter' }, () => {
      throw new Error('lost');
    });
  });
  const { id, key } = await service.keys.create({ kind: 'agent', name: 'secretary' });
  const tools = (options = {}) => new Tools({ baseUrl: service.url, apiKey: key, ...options });
  return { service, owner: service.owner, contexts, keyId: id, key, tools };
}

test('a session lists its searches, their actions, and the calls after them, oldest first', async () => {
  const { owner, contexts, keyId, tools } = await openOffice();
  const chat = tools({ sessionId: 'telegram/-1001/7', userId: 'ada@example.com' });
  await chat.search('send a letter');
  await chat.invoke('mail__send', {}, { idempotencyKey: 'turn-1/0/0' });
  await chat.invoke('mail__send', {}, { idempotencyKey: 'turn-1/0/0' });
  await nextMillisecond();
  await chat.search('zxqv');
  await chat.answerTool('mail__lose', {});
  await nextMillisecond();
  await chat.answerTool('mail__burn', {});
  await tools({ sessionId: 'another' }).invoke('mail__send');
  await tools().invoke('mail__send');

  const page = await sessionOf(owner, 'telegram/-1001/7');
  expect(page).toMatchObject({ session: 'telegram/-1001/7', texts: 'all' });
  expect(shape(page)).toEqual(['search', 'mail__send', 'search', 'mail__lose', 'mail__burn']);
  const [search, sent, empty, lost, refused] = page.entries;
  const key = { id: keyId, name: 'secretary' };
  expect(search).toMatchObject({ key, user: 'ada@example.com', query: 'send a letter', shown: expect.arrayContaining(['mail__send']) });
  const led = { session: 'telegram/-1001/7', user: 'ada@example.com', search: search?.kind === 'search' ? search.id : '' };
  expect(sent).toMatchObject({ at: expect.any(String), call: { key, code: 'OK', ms: expect.any(Number), ...led } });
  expect(empty).toMatchObject({ query: 'zxqv', shown: [], previous: led.search });
  expect(lost).toMatchObject({ call: { code: 'ACTION_FAILED' } });
  expect(refused).toMatchObject({ call: { code: 'ACTION_NOT_FOUND' } });
  // A toolkit of the owner of the key gets the user as named.
  expect(contexts.map(({ userId }) => userId)).toEqual(['ada@example.com', undefined, undefined]);
});

test('a search and a call over MCP have the ids of its headers, and a token is valid only for its user', async () => {
  const { service, owner, key, tools } = await openOffice();
  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    });
  const message = (name: string, args: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const call = message('invoke_service', { action: 'mail__send', payload: {} });
  const mcp = async (body: object, headers: Record<string, string>) => {
    const answer = await post(PATHS.mcp, body, { authorization: `Bearer ${key}`, 'mcp-protocol-version': '2025-06-18', ...headers });
    await answer.text();
    return answer.status;
  };
  expect(await mcp(message('search_services', { query: 'zxqv' }), { 'svc-session-id': 'desk' })).toBe(200);
  expect(await mcp(call, { 'svc-session-id': 'desk', 'svc-user-id': 'ada' })).toBe(200);
  expect(await mcp(call, { 'svc-session-id': 'two words' })).toBe(400);
  expect(shape(await sessionOf(owner, 'desk'))).toEqual(['search', 'mail__send']);
  expect((await callsOf(owner, 'session=desk')).invocations).toMatchObject([{ action: 'mail__send', user: 'ada' }]);

  const minted = await post(PATHS.tokens, { ttlSeconds: 60, userId: 'eve' }, { authorization: `Bearer ${key}` });
  const { token } = await minted.json();
  await tools({ apiKey: token, userId: 'ada', sessionId: 'page' }).invoke('mail__send');
  expect((await callsOf(owner, 'session=page')).invocations).toMatchObject([{ user: 'eve' }]);
});

test('a long session is returned in pages, each entry once', async () => {
  const { owner, tools } = await openOffice();
  const chat = tools({ sessionId: 'long' });
  for (let turn = 0; turn < 4; turn++) {
    await nextMillisecond();
    await chat.search('send a letter');
    await chat.invoke('mail__send');
  }
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await sessionOf(owner, 'long', `limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    seen.push(...shape(page));
    if (page.nextCursor === undefined) break;
    expect(page.entries).toHaveLength(3);
    cursor = page.nextCursor;
  }
  expect(seen).toEqual(Array(4).fill(['search', 'mail__send']).flat());
});

test('calls are listed and exported by session and user, beside the other filters', async () => {
  const { owner, tools } = await openOffice();
  const ada = tools({ sessionId: 'one', userId: 'ada' });
  await ada.invoke('mail__send');
  await ada.answerTool('mail__lose', {});
  await tools({ sessionId: 'two', userId: 'ada' }).invoke('mail__send');
  await tools({ sessionId: 'one', userId: 'bob' }).invoke('mail__send');
  await tools().invoke('mail__send');

  const counts = async (query: string) => (await callsOf(owner, query)).invocations.length;
  expect(await counts('')).toBe(5);
  expect(await counts('session=one')).toBe(3);
  expect(await counts('user=ada')).toBe(3);
  expect(await counts('session=one&user=ada')).toBe(2);
  expect(await counts('session=one&outcome=error')).toBe(1);
  expect(await counts('session=one&outcome=ok')).toBe(2);
  expect(await counts('user=ada&outcome=ACTION_FAILED')).toBe(1);
  expect(await counts('user=ada&outcome=running')).toBe(0);
  expect(await counts('user=ada&action=mail__send')).toBe(2);
  expect(await counts('user=nobody')).toBe(0);
  const [first] = (await callsOf(owner, 'session=two')).invocations;
  expect(first).toMatchObject({ session: 'two', user: 'ada' });
  expect(await owner.json<InvocationDetail>('GET', `${ADMIN_PATHS.invocations}/${first?.id}`)).toMatchObject({
    session: 'two',
    user: 'ada',
  });
  const page = await callsOf(owner, 'user=ada&limit=2');
  expect((await callsOf(owner, `user=ada&limit=2&cursor=${page.nextCursor}`)).invocations).toHaveLength(1);
  const file = await (await owner.ask('GET', `${ADMIN_PATHS.invocations}/export?format=csv&session=two`)).text();
  expect(file.trim().split('\r\n')).toEqual([expect.stringMatching(/,sessionId,userId,origin,/), expect.stringMatching(/,two,ada,agent,/)]);
});

describe('a member', () => {
  async function withMembers() {
    const service = await startConsole();
    const [anna, ben] = [await service.join('anna'), await service.join('ben')];
    const make = (who: Asker, body: object) => who.json<CreatedKey>('POST', PATHS.keys, body);
    const toolkitKey = await make(ben, { kind: 'toolkit', name: 'bens' });
    await runToolkit(service.url, toolkitKey.key, (toolkit) => {
      toolkit.action({ action: 'send', actionDescription: 'Sends a letter to a person' }, () => 'sent');
    });
    const keys = { anna: await make(anna, { kind: 'agent', name: 'a' }), ben: await make(ben, { kind: 'agent', name: 'b' }) };
    const tools = (name: 'anna' | 'ben') => new Tools({ baseUrl: service.url, apiKey: keys[name].key, sessionId: 'chat', userId: 'ada' });
    return { service, anna, ben, keys, tools };
  }

  test('sees of a session only the entries of their keys, also where another key names the same session', async () => {
    const { service, anna, ben, keys, tools } = await withMembers();
    await tools('anna').search('send a letter');
    await tools('anna').invoke('bens__send');
    await tools('ben').invoke('bens__send');

    expect(shape(await sessionOf(anna, 'chat'))).toEqual(['search', 'bens__send']);
    expect(shape(await sessionOf(ben, 'chat'))).toEqual(['bens__send']);
    expect(shape(await sessionOf(service.owner, 'chat'))).toEqual(['search', 'bens__send', 'bens__send']);
    expect(shape(await sessionOf(service.owner, 'chat', `key=${keys.ben.id}`))).toEqual(['bens__send']);
    await expect(sessionOf(ben, 'chat', `key=${keys.anna.id}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('cannot detect users and sessions of other agents by a filter, or by a call to their toolkit', async () => {
    const { ben, keys, tools } = await withMembers();
    await tools('anna').search('send a letter');
    await tools('anna').invoke('bens__send');

    const [call] = (await callsOf(ben, '')).invocations;
    expect(call).toMatchObject({ action: 'bens__send', key: { id: keys.anna.id } });
    expect(call).not.toHaveProperty('session');
    expect(call).not.toHaveProperty('user');
    expect(call).not.toHaveProperty('search');
    const detail = await ben.json<InvocationDetail>('GET', `${ADMIN_PATHS.invocations}/${call?.id}`);
    expect(JSON.stringify(detail)).not.toMatch(/"(ada|chat)"/);
    for (const query of [
      'session=chat',
      'user=ada',
      `user=ada&key=${keys.anna.id}`,
      'session=chat&toolkit=bens',
      'user=ada&action=bens__send',
    ])
      expect((await callsOf(ben, query)).invocations, query).toEqual([]);
    const hidden = await ben.ask('GET', pathOf('chat'));
    const absent = await ben.ask('GET', pathOf('none'));
    expect([hidden.status, absent.status]).toEqual([404, 404]);
    expect((await hidden.text()).replaceAll('chat', 'none')).toBe(await absent.text());
  });
});

describe('the text of a search', () => {
  const queries = async (service: Pick<ConsoleService, 'owner'>) =>
    (await sessionOf(service.owner, 'chat')).entries.filter(isSearch).map((entry) => 'query' in entry && entry.query);

  test.each([
    ['all', ['send a letter', 'zxqv']],
    ['unmet', [false, 'zxqv']],
    ['off', [false, false]],
  ] as const)('is stored according to the setting searchTexts: %s', async (searchTexts, expected) => {
    const { owner, tools } = await openOffice({ searchTexts });
    const chat = tools({ sessionId: 'chat' });
    await chat.search('send a letter');
    await nextMillisecond();
    await chat.search('zxqv');
    expect(await queries({ owner })).toEqual(expected);
  });

  test('is removed once the setting is off', async () => {
    const { owner, tools } = await openOffice();
    await tools({ sessionId: 'chat' }).search('send a letter');
    expect(await queries({ owner })).toEqual(['send a letter']);
    await owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'off' });
    expect(await queries({ owner })).toEqual([false]);
  });
});
