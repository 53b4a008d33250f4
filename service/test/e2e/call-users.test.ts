/** The end user of a call: handlers can distinguish users, and toolkits of other owners do not get their ids. */
import { Tools } from 'svc-sdk';
import { expect, test } from 'vitest';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import { runToolkit, startService, type TestService } from '../../../test/support/service';

const WHO = { action: 'who', actionDescription: 'Says who calls' };

async function whoAt(service: { url: string }, apiKey: string, userId?: string, toolkit = 'desk'): Promise<unknown> {
  return (await new Tools({ baseUrl: service.url, apiKey, userId }).invoke(`${toolkit}__who`)).result;
}

async function post(service: { url: string }, path: string, key: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return answer.text();
}

const openDesk = async (service: TestService) => service.toolkit('desk', (toolkit) => toolkit.action(WHO, (ctx) => ctx.userId ?? null));

/** Two people with a toolkit and an agent key each. */
async function openMarket() {
  const service = await startConsole();
  const open = async (name: string) => {
    const person = await service.join(name);
    const make = (body: object) => person.json<CreatedKey>('POST', PATHS.keys, body);
    const toolkit = await make({ kind: 'toolkit', name: `${name}s` });
    await runToolkit(service.url, toolkit.key, (kit) => kit.action(WHO, (ctx) => ctx.userId ?? null));
    return (await make({ kind: 'agent', name: 'agent' })).key;
  };
  const [anna, ben] = [await open('anna'), await open('ben')];
  return { anna, ben, who: (key: string, user: string | undefined, toolkit: string) => whoAt(service, key, user, toolkit) };
}

test('a toolkit of the owner of the agent key gets the user as named; a call without one has none', async () => {
  const service = await startService();
  await openDesk(service);
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });

  expect([await whoAt(service, key, 'ada'), await whoAt(service, key, 'bob'), await whoAt(service, key)]).toEqual(['ada', 'bob', null]);
});

test("another owner's toolkit gets an id that stays, and that no other toolkit or agent shares", async () => {
  const { anna, ben, who } = await openMarket();
  const ada = await who(anna, 'ada', 'bens');

  expect(ada).toMatch(/^usr_[\w-]{22}$/);
  expect(await who(anna, 'ada', 'bens')).toBe(ada);
  expect(await who(anna, 'ada', 'annas')).toBe('ada');
  expect(await who(anna, undefined, 'bens')).toBe(null);
  const others = [await who(anna, 'bob', 'bens'), await who(ben, 'ada', 'annas')];
  expect(new Set([ada, ...others]).size).toBe(3);
});

test('the header of a call over MCP names its user too', async () => {
  const service = await startService();
  await openDesk(service);
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'invoke_service', arguments: { action: 'desk__who' } } };

  expect(await post(service, PATHS.mcp, key, call, { 'svc-user-id': 'ada', accept: 'application/json, text/event-stream' })).toContain(
    '"text":"ada"',
  );
});

test('a token acts for its own user, and a token without a user for no user: the page that holds it could name any user', async () => {
  const service = await startService();
  await openDesk(service);
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const mint = async (body: object) => JSON.parse(await post(service, PATHS.tokens, key, { ttlSeconds: 60, ...body })).token;

  expect(await whoAt(service, await mint({ userId: 'eve' }), 'ada')).toBe('eve');
  expect(await whoAt(service, await mint({}), 'ada')).toBe(null);
});

test('two users of one key never get each other’s result by the idempotency key', async () => {
  const service = await startService();
  await openDesk(service);
  const { key } = await service.keys.create({ kind: 'agent', name: 'a' });
  const call = async (headers: Record<string, string>) =>
    JSON.parse(await post(service, PATHS.invoke, key, { action: 'desk__who', payload: {} }, { 'idempotency-key': 'k', ...headers }));

  expect(await call({ 'svc-user-id': 'ada' })).toMatchObject({ result: 'ada' });
  expect(await call({ 'svc-user-id': 'ada' })).toMatchObject({ result: 'ada', replayed: true });
  expect(await call({ 'svc-user-id': 'bob' })).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect(await call({})).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
});

test('a handler behind another node gets the same user', { tags: ['postgres', 'nats'] }, async () => {
  const nodes = await startNodes(2);
  await openDesk(nodes[0]!);
  await offeredAt(nodes, 'desk__who');
  const { key } = await nodes[0]!.keys.create({ kind: 'agent', name: 'a' });

  expect([await whoAt(nodes[0]!, key, 'ada'), await whoAt(nodes[1]!, key, 'ada')]).toEqual(['ada', 'ada']);
});
