/**
 * Every declared route that reads a body: the caller loses access between the two halves of its body, and must be refused without an effect. A
 * route without a case fails.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, type ConsoleService, startConsole } from '../../../test/support/console-service';
import { runToolkit } from '../../../test/support/service';
import { AUTH_ROUTES } from '../../src/accounts/auth-routes';
import { ADMIN_ROUTES } from '../../src/http/admin/admin-routes';
import { AGENT_ROUTES } from '../../src/http/agent-routes';
import { type HalfSent, sendHalf } from '../support/half-sent';

const NAME = 'x'.repeat(40);
const ACTION = 'probe__write';

/** Bodies of the routes for agents. */
const AGENT_BODIES: Record<string, unknown> = {
  'POST /v1/search': { query: 'writes a line' },
  'POST /v1/invoke': { action: ACTION, payload: {} },
  'POST /v1/resolve': { action: ACTION, payload: {} },
  'POST /v1/runs': { code: 'return 1;', run: NAME },
  'POST /v1/explain': { query: 'writes a line', action: ACTION },
  'POST /v1/tokens': { ttlSeconds: 60, allow: { toolkits: ['probe'] } },
  'POST /v1/connections/sessions': { userId: 'u_81', toolkits: ['probe'], name: NAME },
  'POST /v1/connections/confirm': { code: NAME, userId: 'u_81' },
  'PATCH /v1/connections/{id}': { default: true },
  'POST /mcp': { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'invoke_service', arguments: { action: ACTION } } },
};

/** Bodies of the routes for people, by what is in the place of `{id}`. */
const PERSON_BODIES: Record<string, { id?: 'key' | 'person'; body: unknown; ownersOnly?: true }> = {
  'POST /v1/keys': { body: { kind: 'agent', name: NAME } },
  'PATCH /v1/keys/{id}': { id: 'key', body: { name: NAME } },
  'POST /v1/keys/{id}/search': { id: 'key', body: { query: 'writes a line' } },
  'POST /v1/keys/{id}/resolve': { id: 'key', body: { action: ACTION, payload: {} } },
  'POST /v1/keys/{id}/nothing-fits': { id: 'key', body: { query: 'iron' } },
  'POST /v1/playground/model': { body: { messages: [{ role: 'user' }] } },
  'POST /v1/keys/{id}/runs': { id: 'key', body: { code: '1' } },
  'POST /v1/keys/{id}/invoke': { id: 'key', body: { action: ACTION, payload: {} } },
  'PATCH /v1/people/{id}': { id: 'person', body: { role: 'owner' }, ownersOnly: true },
  'POST /v1/invitations': { body: { role: 'member', name: NAME }, ownersOnly: true },
  'POST /v1/views': { body: { page: 'keys', name: NAME, query: '' } },
  'PATCH /v1/views/{id}': { id: 'key', body: { name: NAME } },
  'POST /v1/reviews/approvals': { body: { approvals: [{ action: ACTION, hash: 'a'.repeat(64) }] }, ownersOnly: true },
  'POST /v1/reviews/rejections': { body: { rejections: [{ action: ACTION, hash: 'a'.repeat(64) }], reason: NAME }, ownersOnly: true },
  'POST /v1/imports/preview': { body: { id: NAME, entry: {} }, ownersOnly: true },
  'POST /v1/imports': { body: { id: NAME, entry: {}, sha256: 'a'.repeat(64) }, ownersOnly: true },
  'POST /v1/imports/{id}/approve': { id: 'key', body: { sha256: 'a'.repeat(64) }, ownersOnly: true },
  'POST /v1/oauth/requests': { body: { query: NAME } },
  'POST /v1/oauth/decisions': { body: { query: NAME, decision: 'deny' } },
  'PATCH /v1/kept-connections/{id}': { id: 'key', body: { default: true } },
  'POST /v1/kept-connections/links': { body: { toolkit: 'probe', owner: 'me', name: NAME } },
  'PUT /v1/connection-clients/{id}': { id: 'key', body: { clientId: NAME } },
  'PUT /v1/approvals/webhook': { body: { url: `https://${NAME}.example` }, ownersOnly: true },
  'POST /v1/approvals/{id}': { id: 'key', body: { decision: 'deny', reason: NAME } },
  'POST /v1/reports/actions/{id}/explain': { id: 'key', body: { query: NAME } },
  'POST /v1/rules/preview': { body: { rules: [{ match: { action: NAME }, do: 'deny' }] } },
  'PUT /v1/me/publisher': { body: { shown: true } },
  'POST /v1/alerts/{id}/mute': { id: 'key', body: { until: '2099-01-01T00:00:00Z' }, ownersOnly: true },
  'POST /v1/alerts/targets': { body: { kind: 'webhook', url: `https://${NAME}.example` }, ownersOnly: true },
  'PATCH /v1/settings': { body: { retentionDays: 3 }, ownersOnly: true },
};

/** The only access of their caller is the token in the body. */
const LINK_ROUTES = ['POST /v1/invitations/preview', 'POST /v1/invitations/accept'];

const AUTH_BODIES: Record<string, unknown> = {
  'POST /change-password': { currentPassword: 'seven blue whales', newPassword: 'nine yellow herons' },
  'POST /revoke-session': { id: NAME },
  'POST /revoke-other-sessions': { padding: NAME },
  'POST /passkey/verify-registration': { response: { id: NAME } },
  'POST /passkey/update-passkey': { id: NAME, name: NAME },
  'POST /passkey/delete-passkey': { id: NAME },
  'POST /confirm-sign-in': { padding: NAME },
  'POST /unlink-provider': { padding: NAME },
};
/** Routes that sign in or out. */
const AUTH_OF_ANYONE = ['POST /sign-in/email', 'POST /sign-out', 'POST /passkey/verify-authentication', 'POST /sign-in/social'];

test('every route with a body has a case here', () => {
  const readers = (routes: readonly { method: string; path: string; access: unknown; body?: unknown }[]) =>
    routes
      .filter(({ body, path, access }) => (body !== undefined && access !== 'anyone') || path === PATHS.mcp)
      .map(({ method, path }) => `${method} ${path}`);
  expect(readers(AGENT_ROUTES).sort()).toEqual(Object.keys(AGENT_BODIES).sort());
  expect(readers(ADMIN_ROUTES).sort()).toEqual([...Object.keys(PERSON_BODIES), ...LINK_ROUTES].sort());
  const auth = Object.entries(AUTH_ROUTES).flatMap(([name, { body }]) => (body ? [name] : []));
  expect(auth.sort()).toEqual([...Object.keys(AUTH_BODIES), ...AUTH_OF_ANYONE].sort());
});

async function stage() {
  const service = await startConsole();
  const written: string[] = [];
  const toolkit = await service.keys.create({ kind: 'toolkit', name: 'probe' });
  await runToolkit(service.url, toolkit.key, (probe) => {
    probe.action({ action: 'write', actionDescription: 'Writes a line' }, () => {
      written.push('a line');
      return 'written';
    });
  });
  return { service, written, toolkit };
}

/** The first half of a request to each agent route, each with its own caller. */
async function sendHalves(service: ConsoleService, callerOf: () => Promise<string>): Promise<Record<string, HalfSent>> {
  const events = { accept: 'application/json, text/event-stream' };
  const cases: [name: string, body: unknown, headers: Record<string, string>][] = Object.entries(AGENT_BODIES).flatMap(([name, body]) => {
    if (name !== 'POST /v1/invoke' && name !== 'POST /v1/search') return [[name, body, events]];
    // These routes have several readers: for streams, for other requests on node:http, and for plain requests.
    return [
      [name === 'POST /v1/invoke' ? `${name} as a stream` : name, body, events],
      [`${name} in node:http`, body, { connection: 'close' }],
      [`${name} plain`, body, {}],
    ];
  });
  const halves = cases.map(async ([name, body, headers]) => {
    const [method = '', path = ''] = name.split(' ');
    const authorization = `Bearer ${await callerOf()}`;
    // A connection waits for the body of a known key only.
    await fetch(`${service.url}/v1/actions`, { headers: { authorization } });
    return [name, await sendHalf(service.url, { method, path, body, headers: { ...headers, authorization } })] as const;
  });
  return Object.fromEntries(await Promise.all(halves));
}

async function finishAll(halves: Record<string, HalfSent>) {
  const answers = await Promise.all(Object.entries(halves).map(async ([name, half]) => [name, await half.finish()] as const));
  return Object.fromEntries(answers);
}

describe('an agent', () => {
  test.each<[string, string, (service: ConsoleService) => Promise<{ key: string; lose: () => Promise<unknown> }>]>([
    [
      'whose key is revoked',
      'KEY_REVOKED',
      async ({ keys }) => {
        const { id, key } = await keys.create({ kind: 'agent', name: 'a' });
        return { key, lose: () => keys.revoke(id) };
      },
    ],
    [
      'whose key gets another secret',
      'INVALID_KEY',
      async ({ keys }) => {
        const { id, key } = await keys.create({ kind: 'agent', name: 'a' });
        return { key, lose: () => keys.rotate(id) };
      },
    ],
    [
      'whose key expires',
      'KEY_EXPIRED',
      async ({ keys }) => {
        const { key } = await keys.create({ kind: 'agent', name: 'a', expiresInDays: 1.5 / 86_400 });
        return { key, lose: () => delay(1_500) };
      },
    ],
  ])('%s between the halves of its body is refused on every route, and nothing runs', async (_name, code, newCaller) => {
    const { service, written } = await stage();
    const lose: (() => Promise<unknown>)[] = [];
    const halves = await sendHalves(service, async () => {
      const caller = await newCaller(service);
      lose.push(caller.lose);
      return caller.key;
    });
    await Promise.all(lose.map((end) => end()));
    for (const [name, { status, text, json }] of Object.entries(await finishAll(halves))) {
      expect([name, json.code ?? text]).toEqual([name, code]);
      expect([name, status]).toEqual([name, name.endsWith('as a stream') ? 200 : name === 'POST /mcp' ? 403 : 401]);
    }
    expect(written).toEqual([]);
  });

  test.each<
    [
      string,
      string,
      (
        service: ConsoleService,
        token: (ttlSeconds: number, key?: CreatedKey) => Promise<string>,
      ) => Promise<{ key: string; lose: () => Promise<unknown> }>,
    ]
  >([
    ['that expires', 'KEY_EXPIRED', async (_service, token) => ({ key: await token(2), lose: () => delay(2_100) })],
    [
      'whose key is revoked',
      'KEY_REVOKED',
      async ({ keys }, token) => {
        const key = await keys.create({ kind: 'agent', name: 'a' });
        return { key: await token(60, key), lose: () => keys.revoke(key.id) };
      },
    ],
  ])('with a token %s between the halves of its body is refused on every route', async (_name, code, newCaller) => {
    const { service, written } = await stage();
    const shared = await service.keys.create({ kind: 'agent', name: 'shared' });
    const token = async (ttlSeconds: number, { key } = shared) =>
      (await service.as(key).json<{ token: string }>('POST', PATHS.tokens, { ttlSeconds })).token;
    const lose: (() => Promise<unknown>)[] = [];
    const halves = await sendHalves(service, async () => {
      const caller = await newCaller(service, token);
      lose.push(caller.lose);
      return caller.key;
    });
    await Promise.all(lose.map((end) => end()));
    for (const [name, { text, json }] of Object.entries(await finishAll(halves))) {
      // Tokens may neither make tokens nor explain searches, and they name no users.
      const isForKeys = ['/v1/tokens', '/v1/explain', '/v1/connections'].some((path) => name.includes(path));
      const expected = isForKeys ? json.code : code;
      expect([name, json.code ?? text]).toEqual([name, expected]);
    }
    expect(written).toEqual([]);
  });

  test('whose key is narrowed between the halves of its body has the new scope on every route', async () => {
    const { service, written } = await stage();
    const keys: CreatedKey[] = [];
    const halves = await sendHalves(service, async () => {
      const key = await service.keys.create({ kind: 'agent', name: 'a' });
      keys.push(key);
      return key.key;
    });
    const narrow = ({ id }: CreatedKey) =>
      service.owner.json('PATCH', `${PATHS.keys}/${id}`, { allow: { toolkits: ['other'], actions: [] } });
    await Promise.all(keys.map(narrow));
    const answers = await finishAll(halves);
    expect(answers['POST /v1/search']?.json).toMatchObject({ actions: [] });
    expect(answers['POST /v1/explain']?.json).toMatchObject({ found: false, allowed: false });
    for (const name of [
      'POST /v1/invoke as a stream',
      'POST /v1/invoke in node:http',
      'POST /v1/invoke plain',
      'POST /v1/resolve',
      'POST /v1/tokens',
    ])
      expect([name, answers[name]?.json.code]).toEqual([name, 'ACTION_NOT_ALLOWED']);
    expect(answers['POST /mcp']?.text).toContain('ACTION_NOT_ALLOWED');
    expect(written).toEqual([]);
  });
});

test('a toolkit whose key is revoked between the halves of its question is refused', async () => {
  const { service, toolkit } = await stage();
  const headers = { authorization: `Bearer ${toolkit.key}` };
  const half = await sendHalf(service.url, { method: 'POST', path: PATHS.explain, headers, body: AGENT_BODIES['POST /v1/explain'] });
  await service.keys.revoke(toolkit.id);
  expect((await half.finish()).json).toMatchObject({ code: 'KEY_REVOKED' });
});

describe('a person or an admin key', () => {
  type Caller = { headers: Record<string, string>; lose: () => Promise<unknown>; keyId: string };
  const keyOf = async (asker: Asker) => (await asker.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'agent' })).id;
  let people = 0;
  const person = async (service: ConsoleService, role: 'owner' | 'member') => service.join(`person-${people++}`, role);

  const losses: [string, string, 'owner' | 'member', (service: ConsoleService) => Promise<Caller>][] = [
    [
      'who signs out',
      'NOT_SIGNED_IN',
      'owner',
      async (service) => {
        const anna = await person(service, 'owner');
        const keyId = await keyOf(anna);
        const lose = () => anna.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {});
        return { headers: { cookie: anna.cookie, origin: service.url }, lose, keyId };
      },
    ],
    [
      'who is demoted',
      'NOT_SIGNED_IN',
      'owner',
      async (service) => {
        const anna = await person(service, 'owner');
        const keyId = await keyOf(anna);
        const lose = () => service.owner.json('PATCH', `${ADMIN_PATHS.people}/${anna.id}`, { role: 'member' });
        return { headers: { cookie: anna.cookie, origin: service.url }, lose, keyId };
      },
    ],
    [
      'whose account is removed',
      'NOT_SIGNED_IN',
      'member',
      async (service) => {
        const anna = await person(service, 'member');
        const keyId = await keyOf(anna);
        const lose = () => service.owner.json('DELETE', `${ADMIN_PATHS.people}/${anna.id}`);
        return { headers: { cookie: anna.cookie, origin: service.url }, lose, keyId };
      },
    ],
    [
      'that is revoked',
      'KEY_REVOKED',
      'owner',
      async (service) => {
        const admin = await service.keys.create({ kind: 'admin', name: 'admin' });
        const keyId = await keyOf(service.as(admin.key));
        return { headers: { authorization: `Bearer ${admin.key}` }, lose: () => service.keys.revoke(admin.id), keyId };
      },
    ],
    [
      'that expires',
      'KEY_EXPIRED',
      'owner',
      async (service) => {
        const admin = await service.keys.create({ kind: 'admin', name: 'admin', expiresInDays: 2 / 86_400 });
        const keyId = await keyOf(service.as(admin.key));
        return { headers: { authorization: `Bearer ${admin.key}` }, lose: () => delay(2_000), keyId };
      },
    ],
  ];

  test.each(losses)(
    '%s between the halves of the body is refused on every route, and nothing changes',
    async (_name, code, role, newCaller) => {
      const { service, written } = await stage();
      const subject = await service.join('subject');
      const halves: Record<string, HalfSent> = {};
      const lose: (() => Promise<unknown>)[] = [];
      for (const [name, { id, body, ownersOnly }] of Object.entries(PERSON_BODIES)) {
        if (ownersOnly && role === 'member') continue;
        const caller = await newCaller(service);
        const [method = '', path = ''] = name.split(' ');
        const at = path.replace('{id}', id === 'person' ? subject.id : caller.keyId);
        halves[name] = await sendHalf(service.url, { method, path: at, headers: { ...caller.headers, connection: 'close' }, body });
        lose.push(caller.lose);
      }
      await Promise.all(lose.map((end) => end()));
      for (const [name, { json, text }] of Object.entries(await finishAll(halves))) expect([name, json.code ?? text]).toEqual([name, code]);
      expect(written).toEqual([]);
      const state = await Promise.all(
        [PATHS.keys, ADMIN_PATHS.invitations, ADMIN_PATHS.settings].map(async (path) => (await service.owner.ask('GET', path)).text()),
      );
      expect(state.join()).not.toContain(NAME);
      expect(state.join()).not.toContain('"retentionDays":3,');
      const { people: everybody } = await service.owner.json<{ people: { id: string; role: string }[] }>('GET', ADMIN_PATHS.people);
      expect(everybody.find(({ id }) => id === subject.id)?.role).toBe('member');
    },
    60_000,
  );

  test('a key that is revoked between the halves of a call in its name is refused', async () => {
    const { service, written } = await stage();
    for (const route of ['search', 'resolve', 'invoke']) {
      const { id } = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'agent' });
      const headers = { cookie: service.owner.cookie, origin: service.url, connection: 'close' };
      const body = route === 'search' ? { query: 'writes a line' } : { action: ACTION, payload: {} };
      const half = await sendHalf(service.url, { method: 'POST', path: `${PATHS.keys}/${id}/${route}`, headers, body });
      await service.owner.ask('DELETE', `${PATHS.keys}/${id}`);
      expect([route, (await half.finish()).json.code]).toEqual([route, 'KEY_REVOKED']);
    }
    expect(written).toEqual([]);
  });

  test.each(Object.entries(AUTH_BODIES))('a person who signs out between the halves of %s is refused', async (name, body) => {
    const { service } = await stage();
    const anna = await service.join('anna');
    const [method = '', path = ''] = name.split(' ');
    const headers = { cookie: anna.cookie, origin: service.url, connection: 'close' };
    const half = await sendHalf(service.url, { method, path: ADMIN_PATHS.auth + path, headers, body });
    await anna.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {});
    expect((await half.finish()).json).toMatchObject({ code: 'NOT_SIGNED_IN' });
  });

  test.each(LINK_ROUTES)('a link that is withdrawn between the halves of %s is refused', async (name) => {
    const { service } = await stage();
    const { id, token } = await service.owner.json<{ id: string; token: string }>('POST', ADMIN_PATHS.invitations, { role: 'member' });
    const joining = { name: 'Nora', email: 'nora@example.com', password: 'seven blue whales' };
    const body = { token, ...(name.endsWith('accept') && joining) };
    const [method = '', path = ''] = name.split(' ');
    const half = await sendHalf(service.url, { method, path, headers: { origin: service.url, connection: 'close' }, body });
    await service.owner.ask('DELETE', `${ADMIN_PATHS.invitations}/${id}`);
    expect((await half.finish()).json).toMatchObject({ code: 'NOT_FOUND' });
  });
});
