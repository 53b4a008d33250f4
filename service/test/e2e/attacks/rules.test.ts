/**
 * Attempts of a model or an app to get a call past the rules of its key: other spellings, other shapes of values, other ways in. The handlers take any
 * shape that a careless program takes, and a call is through if one of them ran with what a rule denies.
 */
import { type Toolkit, Tools } from 'svc-sdk';
import type { CreatedKey, Rule } from 'svc-service';
import { describe, expect, test } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../../test/support/console-service';

const EVIL = 'andr\u00e9@evil.example';

const RULES: Rule[] = [
  { match: { action: 'shop__delete*' }, do: 'deny' },
  { match: { payload: [{ path: '/amount', above: 100 }] }, do: 'deny' },
  { match: { payload: [{ path: '/to', is: EVIL }] }, do: 'deny' },
  { match: { payload: [{ path: '/items/*/price', above: 10 }] }, do: 'deny' },
  { match: { payload: [{ path: '/note', matches: '(?i)secret' }] }, do: 'deny' },
  { match: { payload: [{ path: '/plan', in: ['gold', 3] }] }, do: 'deny' },
  { match: { user: 'guest-*' }, do: 'deny' },
];

interface Run {
  action: string;
  payload: Record<string, unknown>;
  user: string | undefined;
}

/** As a careless handler reads a value: the first one inside a list or an object, a number out of a text. */
function read(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? read(Object.values(value)[0]) : value;
}

function isThrough({ action, payload, user }: Run): boolean {
  const { amount, to, items, note, plan } = payload;
  const text = (value: unknown) => String(read(value) ?? '').normalize('NFC');
  const prices = typeof items === 'object' && items !== null ? Object.values(items).map((item) => Number(read(item?.price))) : [];
  return (
    action.startsWith('delete') ||
    Number.parseFloat(text(amount).normalize('NFKC')) > 100 ||
    Number(text(amount)) > 100 ||
    text(to) === EVIL ||
    prices.some((price) => price > 10) ||
    /secret/i.test(text(note)) ||
    ['gold', '3'].includes(text(plan)) ||
    user?.startsWith('guest-') === true
  );
}

function defineShop(shop: Toolkit, ran: Run[]): void {
  const typed = { amount: { type: 'number' }, to: { type: 'string' }, note: { type: 'string' } } as const;
  const handler = (action: string) => (ctx: { userId?: string | undefined }, payload: unknown) => {
    ran.push({ action, payload: payload as Run['payload'], user: ctx.userId });
    return 'done';
  };
  shop.action({ action: 'refund', actionDescription: 'Refunds', payloadDescription: typed }, handler('refund'));
  // Takes any payload.
  shop.action({ action: 'raw', actionDescription: 'Does anything' }, handler('raw'));
  shop.action({ action: 'delete', actionDescription: 'Deletes' }, handler('delete'));
  shop.action({ action: 'delete_all', actionDescription: 'Deletes all' }, handler('delete_all'));
}

interface Stage {
  service: ConsoleService;
  key: CreatedKey;
  ran: Run[];
  /** Sends a body byte for byte. Returns the calls that got through. */
  attack(body: string, headers?: Record<string, string>): Promise<Run[]>;
  through(): Run[];
}

async function stage(rules: Rule[] = RULES): Promise<Stage> {
  const service = await startConsole();
  const ran: Run[] = [];
  await service.toolkit('shop', (shop) => defineShop(shop, ran));
  const key = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'attacker', rules });
  const through = () => ran.filter(isThrough);
  return {
    service,
    key,
    ran,
    through,
    attack: async (body, headers = {}) => {
      const before = ran.length;
      const response = await service.as(key.key).ask('POST', PATHS.invoke, body, { headers });
      await response.text();
      expect(response.status, body.slice(0, 200)).toBeLessThan(500);
      return ran.slice(before).filter(isThrough);
    },
  };
}

const raw = (payload: string) => `{"action":"shop__raw","payload":${payload}}`;
const refund = (payload: string) => `{"action":"shop__refund","payload":${payload}}`;
const remove = '{"action":"shop__delete","payload":{}}';
const text = JSON.stringify;

const SPELLINGS = [
  'shop__delete',
  'shop__DELETE',
  'Shop__delete',
  ' shop__delete ',
  'shop__delete\\n',
  'shop\\u005f\\u005fdelete',
  'shop__d\u0435lete',
  'shop__\uff44elete',
  'shop__delete\u200b',
  'shop__delete\\u0000',
  'shop%5F%5Fdelete',
  'shop__%64elete',
  'shop__delete?',
  'shop__delete/../delete',
  'shop__look/../delete',
  './shop__delete',
  'svc__shop__delete',
  'shop__delete_all',
  'shop__shop__delete',
  'shop.delete',
  'shop_delete',
];

const WRAPPERS = [
  `{"invoke_service":${remove}}`,
  `{"invoke_service":${text(remove)}}`,
  `{"action":"invoke_service","payload":${remove}}`,
  `{"action":"invoke_service","invoke_service":${remove}}`,
  `{"payload":${remove}}`,
  text(remove),
  text(text(remove)),
  '{"action":"shop__raw","action":"shop__delete","payload":{}}',
  '{"action":"shop__delete"}',
  '{"action":"shop__delete","payload":null}',
  '{"action":"shop__delete","payload":"{}"}',
  `{"action":"shop__delete","payload":${remove}}`,
  '{"action":["shop__delete"],"payload":{}}',
  '{"action":{"action":"shop__delete"},"payload":{}}',
];

const REPAIRED = [
  refund('{"amount":101}'),
  refund('{"amount":"101"}'),
  refund('{"amount":" 101 "}'),
  refund('{"amount":"1.01e2"}'),
  refund('{"amount":1.01E2}'),
  refund('{"amount":101.000000000000000000001}'),
  refund('{"amount":1e308}'),
  refund('{"amount":1e400}'),
  refund('{"amount":99999999999999999999}'),
  refund('{"amount":"99999999999999999999"}'),
  refund('{"amount":[101]}'),
  refund('{"amount":1,"amount":500}'),
  refund('{"\\u0061mount":500}'),
  refund(text('{"amount":500}')),
  refund(text(text('{"amount":"500"}'))),
  refund('{"payload":{"amount":500}}'),
  refund('{"action":"shop__refund","payload":{"amount":500}}'),
  refund('{"action":"shop__refund","payload":"{\\"amount\\":\\"500\\"}"}'),
  '{"action":"shop__refund","amount":500}',
  '{"action":"shop__refund","payload":{"amount":1},"payload":{"amount":500}}',
  '{"invoke_service":{"action":"shop__refund","payload":{"amount":"500"}}}',
  refund('{"__proto__":{"amount":500}}'),
  refund('{"constructor":{"amount":500},"amount":500}'),
  refund(`{"to":"andre\\u0301@evil.example"}`),
  refund('{"note":"a S\\u0045CRET b"}'),
  refund('{"note":["secret"]}'),
];

const SHAPES = [
  raw('{"amount":500}'),
  raw('{"amount":"500"}'),
  raw('{"amount":"5e2"}'),
  raw('{"amount":"+500"}'),
  raw('{"amount":"0x1F4"}'),
  raw('{"amount":"500 EUR"}'),
  raw('{"amount":"\uff15\uff10\uff10"}'),
  raw('{"amount":"500."}'),
  raw('{"amount":"0500"}'),
  raw('{"amount":[500]}'),
  raw('{"amount":[[["500"]]]}'),
  raw('{"amount":{"value":500}}'),
  raw('{"amount":{"value":500},"amount":{"value":{"of":500}}}'),
  raw('{"amount":"Infinity"}'),
  raw(`{"to":"andre\u0301@evil.example"}`),
  raw(`{"to":["${EVIL}"]}`),
  raw(`{"to":{"address":"${EVIL}"}}`),
  raw(`{"to":[{"address":["andre\\u0301@evil.example"]}]}`),
  raw('{"items":[{"price":1},{"price":11}]}'),
  raw('{"items":[{"price":1},{"price":"11"}]}'),
  raw('{"items":{"0":{"price":11}}}'),
  raw('{"items":{"a":{"price":1},"b":{"price":[11]}}}'),
  raw('{"note":["x","my Secret"]}'),
  raw('{"note":{"text":"secret"}}'),
  raw('{"plan":"3"}'),
  raw('{"plan":3.0}'),
  raw('{"plan":["gold"]}'),
  raw('{"plan":{"name":"gold"}}'),
];

describe('no call gets past a rule', () => {
  test.each([
    ['by another spelling of the action', SPELLINGS.map((action) => `{"action":"${action}","payload":{}}`)],
    ['by a wrapper of the slips of models', WRAPPERS],
    ['by a payload that the service repairs', REPAIRED],
    ['by another shape of a value that no schema forbids', SHAPES],
  ])('%s', async (_, bodies) => {
    const { attack } = await stage();
    const got: [string, unknown][] = [];
    for (const body of bodies) for (const run of await attack(body)) got.push([body, run]);
    expect(got).toEqual([]);
  });

  test('by the same call without what the rules deny, which runs: the attacks above fail for the right reason', async () => {
    const { attack, ran } = await stage();
    for (const body of [raw('{}'), refund('{"amount":"100"}'), raw('{"items":[{"price":10}],"note":"x","plan":2}')]) await attack(body);
    expect(ran).toHaveLength(3);
  });

  test('and without rules most of these calls would do what the rules deny', async () => {
    const { attack, through } = await stage([]);
    for (const body of [...SPELLINGS.map((action) => `{"action":"${action}","payload":{}}`), ...WRAPPERS, ...REPAIRED, ...SHAPES])
      await attack(body);
    expect(through().length).toBeGreaterThan(50);
  });

  test('by another way in', async () => {
    const { service, key, through } = await stage();
    const tools = new Tools({ baseUrl: service.url, apiKey: key.key });
    const big = { amount: 500 };
    const agent = service.as(key.key);
    const mcp = (message: object, query = '') =>
      agent.ask('POST', `/mcp${query}`, message, { headers: { accept: 'application/json, text/event-stream' } });
    const toolCall = (name: string, args: object, id = 1) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    });
    const { token } = await agent.json<{ token: string }>('POST', PATHS.tokens, { ttlSeconds: 60, allow: { toolkits: ['shop'] } });
    const ways: (() => Promise<unknown>)[] = [
      // The tools of a model, and static tools.
      () => tools.callTool('shop__delete', {}),
      () => tools.callTool('shop__raw', big),
      () => tools.callTool('invoke_service', { action: 'shop__raw', payload: big }),
      () => tools.callTool('invoke_service', text({ action: 'shop__raw', payload: text(big) })),
      // MCP, also with the name of a tool that is not listed, and several messages at once.
      () => mcp(toolCall('shop__delete', {})),
      () => mcp(toolCall('shop__delete', {}), '?staticToolkits=shop'),
      () => mcp(toolCall('shop__raw', big), '?staticToolkits=shop'),
      () => mcp(toolCall('invoke_service', { action: 'shop__raw', payload: big })),
      () => mcp([toolCall('invoke_service', { action: 'shop__delete' }), toolCall('shop__delete', {}, 2)]),
      // A token, which is narrower than its key and never wider.
      () => new Tools({ baseUrl: service.url, apiKey: token }).invoke('shop__delete', {}),
      () => new Tools({ baseUrl: service.url, apiKey: token }).invoke('shop__raw', big),
      // The console, as the key.
      () => service.owner.ask('POST', `${PATHS.keys}/${key.id}/invoke`, { action: 'shop__delete', payload: {} }),
      () => service.owner.ask('POST', `${PATHS.keys}/${key.id}/invoke`, { action: 'shop__raw', payload: big }),
      // The service's own actions.
      () => tools.invoke('svc__read_resource', { uri: 'ui://shop/shop__delete' }),
      () => tools.invoke('svc__read_result', { handle: 'shop__delete', action: 'shop__delete' }),
      () => tools.invoke('svc__invoke', { action: 'shop__delete' }),
      // A user that the rules deny.
      () => tools.invoke('shop__raw', {}, { userId: 'guest-7' }),
    ];
    for (const way of ways) await way().catch(() => undefined);
    expect(through()).toEqual([]);
  });

  test('by a retry with other bytes, or with the version of an action that was decided about', async () => {
    const { service, key, through, ran } = await stage();
    const tools = new Tools({ baseUrl: service.url, apiKey: key.key });
    const idempotencyKey = 'one';
    await tools.invoke('shop__raw', { amount: 1 }, { idempotencyKey });
    for (const payload of [{ amount: 500 }, { amount: '500' }])
      await tools.invoke('shop__raw', payload, { idempotencyKey }).catch(() => undefined);
    await tools.invoke('shop__raw', { amount: 500 }, { idempotencyKey: 'two' }).catch(() => undefined);
    await tools.invoke('shop__raw', { amount: 1 }, { idempotencyKey: 'two' }).catch(() => undefined);
    await expect(tools.resolve('invoke_service', { action: 'shop__raw', payload: { amount: 500 } })).rejects.toMatchObject({
      code: 'ACTION_NOT_ALLOWED',
    });
    expect(through()).toEqual([]);
    expect(ran.map(({ payload }) => payload.amount)).toEqual([1, 1]);
  });

  test('by asking for its rules to change: neither a key nor its token may', async () => {
    const { service, key, through } = await stage();
    const agent = service.as(key.key);
    const path = `${PATHS.keys}/${key.id}`;
    for (const [method, where, body] of [
      ['PATCH', path, { rules: null }],
      ['POST', `${path}/rotate`, undefined],
      ['POST', PATHS.keys, { kind: 'agent', name: 'free' }],
      ['PATCH', '/v1/settings', { ruleDefaults: {} }],
      ['POST', '/v1/rules/preview', { rules: [] }],
    ] as const)
      expect([method, where, (await agent.ask(method, where, body)).ok]).toEqual([method, where, false]);
    await agent.ask('POST', PATHS.invoke, remove);
    expect(through()).toEqual([]);
  });

  test('by a payload that is too costly to check', async () => {
    const pattern: Rule = { match: { payload: [{ path: '/*/*', matches: '(x+x+)+y' }] }, do: 'deny' };
    const { attack, ran } = await stage([...Array.from({ length: 20 }, () => pattern), ...RULES]);
    await attack(raw(text({ list: Array.from({ length: 1_000 }, () => 'x'.repeat(900)), amount: 500 })));
    expect(ran).toEqual([]);
  });
});

test('an exception of a default is for what it names, in no other shape', async () => {
  const { service, key, ran } = await stage([{ match: { action: 'shop__raw', payload: [{ path: '/amount', below: 10 }] }, do: 'allow' }]);
  await service.owner.json('PATCH', '/v1/settings', { ruleDefaults: { undeclared: 'deny' } });
  const agent = service.as(key.key);
  for (const payload of ['{"amount":"5"}', '{"amount":[5]}', '{"amount":[5,500]}', '{"amount":null}', '{}', '{"amount":{"a":5}}'])
    expect([payload, (await agent.ask('POST', PATHS.invoke, raw(payload))).status]).toEqual([payload, 403]);
  expect(ran).toEqual([]);
  expect((await agent.ask('POST', PATHS.invoke, raw('{"amount":5}'))).status).toBe(200);
});
