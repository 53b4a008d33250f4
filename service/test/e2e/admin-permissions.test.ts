/** Every declared route of the admin API: who may use it, and whether its answers fit its schema. A route without a case fails. */
import { expect, onTestFinished, test } from 'vitest';
import type * as z from 'zod';
import type {
  ConnectedAppsPage,
  CreatedInvitation,
  InvocationsPage,
  LedgerEntriesPage,
  ReviewsPage,
  SavedView,
  Spending,
} from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import type { Problem } from '#sdk/protocol/errors';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { type Asker, startConsole } from '../../../test/support/console-service';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { runToolkit, startService } from '../../../test/support/service';
import { ADMIN_ROUTES, type AdminApi } from '../../src/http/admin/admin-routes';
import { HELD_SHA256, MemoryImporter, SHOWN_SHA256 } from '../support/memory-importer';
import { OAuthClient } from '../support/oauth-client';
import { addKeptRow } from '../support/sealed-rows';

const ASKERS = ['nobody', 'anna', 'ben', 'owner', 'adminKey', 'agentKey', 'toolkitKey', 'signedOut'] as const;
type AskerName = (typeof ASKERS)[number];

/** The errors of private routes for callers without access as a person. */
const REFUSED: Partial<Record<AskerName, string>> = {
  nobody: 'NOT_SIGNED_IN',
  signedOut: 'NOT_SIGNED_IN',
  agentKey: 'WRONG_KEY_KIND',
  toolkitKey: 'WRONG_KEY_KIND',
};

interface Case {
  route: keyof AdminApi;
  id?: () => Promise<string>;
  query?: string;
  body?: () => unknown;
  /** Status or error code for the signed-in askers. */
  anna: number | string;
  ben: number | string;
  owner: number | string;
  /** Where an admin key gets another answer than an owner. */
  adminKey?: string;
  /** Where the path is for agents too. */
  agentKey?: string;
}

const PROVIDER = {
  type: 'oauth2',
  authorizationUrl: 'https://provider.example/authorize',
  tokenUrl: 'https://provider.example/token',
};

async function stage() {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startConsole({ importer: new MemoryImporter(), data: folder.path });
  const [anna, ben, gone] = [await service.join('anna'), await service.join('ben'), await service.join('gone')];
  await gone.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {});
  const make = (who: Asker, body: object) => who.json<CreatedKey>('POST', PATHS.keys, body);
  const toolkitKey = await make(anna, { kind: 'toolkit', name: 'Anna tools' });
  await runToolkit(service.url, toolkitKey.key, (toolkit) => {
    toolkit.action({ action: 'add', actionDescription: 'Adds two numbers' }, () => ({ sum: 3 }));
  });
  const agentKey = await make(anna, { kind: 'agent', name: 'Anna agent' });
  const adminKey = await make(service.owner, { kind: 'admin', name: 'Olga admin' });
  const call = { action: 'anna-tools__add', payload: {} };
  const headers = { 'svc-session-id': 'chat', 'svc-user-id': 'ada' };
  expect((await service.as(agentKey.key).ask('POST', PATHS.invoke, call, { headers })).status).toBe(200);
  await expect.poll(async () => (await anna.json<InvocationsPage>('GET', ADMIN_PATHS.invocations)).invocations.length).toBe(1);
  const { invocations } = await anna.json<InvocationsPage>('GET', ADMIN_PATHS.invocations);
  const askers: Record<AskerName, Asker> = {
    nobody: service.as(),
    anna,
    ben,
    owner: service.owner,
    adminKey: service.as(adminKey.key),
    agentKey: service.as(agentKey.key),
    toolkitKey: service.as(toolkitKey.key),
    signedOut: gone,
  };
  return { service, askers, make, anna, ben, call: invocations[0]?.id ?? '', data: folder.path };
}

// A person may make 120 changes in a minute, so each half has a service of its own.
test.for([0, 1])('every route answers each role as specified, and is covered: half %i', async (half) => {
  const { service, askers, make, anna, ben, call, data } = await stage();
  for (const from of ['everyone', 'agent', 'user']) {
    const { key } = await make(anna, { kind: 'toolkit', name: `for ${from}` });
    const toolkit = await RawToolkit.connect(service, key);
    await toolkit.register([{ action: 'run', actionDescription: 'Runs' }], { toolkit: { auth: { ...PROVIDER, from } } });
  }
  // Each case and asker gets a new subject: many of the requests end it.
  const agentOf = async () => (await make(anna, { kind: 'agent', name: 'spare' })).id;
  const spareToolkit = async () => (await make(anna, { kind: 'toolkit', name: 'spare' })).toolkit ?? '';
  const invite = () => service.owner.json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { role: 'member' });
  let people = 0;
  let current: string | undefined;
  const somebody = async () => {
    current ??= (await service.join(`somebody-${people++}`)).id;
    return current;
  };

  const all = { anna: 200, ben: 200, owner: 200 };
  const annas = { anna: 200, ben: 'NOT_FOUND', owner: 200 };
  const owners = { anna: 'NOT_PERMITTED', ben: 'NOT_PERMITTED', owner: 200 };
  const body = (json: unknown) => () => json;
  const presentApproval = async () => {
    const page = await service.owner.json<ReviewsPage>('GET', `${ADMIN_PATHS.reviews}?toolkit=anna-tools&state=all`);
    return { approvals: page.reviews.map(({ action, hash }) => ({ action, hash })) };
  };
  const budget = { perCall: '0.50', perDay: '5' };
  const app = await OAuthClient.register(service.url);
  const askedByApp = async () => ({ query: app.query() });
  const connectedApp = async () => {
    await app.signIn(anna);
    const { apps } = await anna.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
    return apps[0]?.id ?? '';
  };
  const view = { page: 'calls', name: 'all', query: '' };
  // One for all: it is private, so only Anna can end it.
  const { id: annasView } = await anna.json<SavedView>('POST', ADMIN_PATHS.views, view);
  const importRequest = { id: 'notes', entry: { mcp: { command: 'notes-server' } } };
  let kept = 0;
  const keptConnection = () => addKeptRow(data, { toolkitId: 'for-everyone', owner: 'everyone', name: `${kept++}` });
  const annasAgent = await agentOf();
  const asking = service.as((await make(anna, { kind: 'agent', name: 'asks', rules: [{ match: {}, do: 'ask' }] })).key);
  let asked = 0;
  const question = async () => {
    const call = { action: 'anna-tools__add', payload: { number: asked++ } };
    const refused = await asking.ask('POST', PATHS.invoke, call, { headers: { 'svc-session-id': `chat-${asked}` } });
    return ((await refused.json()) as Problem).approval?.id ?? '';
  };
  const standingApproval = async () => {
    const id = await question();
    await service.owner.json('POST', `${PATHS.approvals}/${id}`, { decision: 'approve', sessionSeconds: 60 });
    return id;
  };
  const alertTarget = async () => {
    // A private address that the operator does not allow: a test of it reaches nothing.
    const webhook = { kind: 'webhook', url: 'https://10.0.0.1/' };
    return (await service.owner.json<{ id: string }>('POST', `${ADMIN_PATHS.alerts}/targets`, webhook)).id;
  };
  const cases: Case[] = [
    { route: 'GET /v1/keys', ...all },
    { route: 'GET /v1/code-runs', ...all },
    { route: 'GET /v1/code-runs/{id}', id: async () => 'run_none', anna: 'NOT_FOUND', ben: 'NOT_FOUND', owner: 'NOT_FOUND' },
    { route: 'POST /v1/keys', body: body({ kind: 'agent', name: 'mine' }), anna: 201, ben: 201, owner: 201 },
    { route: 'POST /v1/keys', body: body({ kind: 'admin', name: 'mine' }), ...owners, owner: 201 },
    {
      route: 'POST /v1/keys',
      body: body({ kind: 'toolkit', name: 'further', toolkit: 'anna-tools' }),
      anna: 201,
      ben: 'NOT_PERMITTED',
      owner: 201,
    },
    { route: 'POST /v1/keys', body: body({ kind: 'agent', name: 'rich', budget }), ...owners, owner: 201 },
    { route: 'PATCH /v1/keys/{id}', id: agentOf, body: body({ name: 'other' }), ...annas },
    { route: 'PATCH /v1/keys/{id}', id: agentOf, body: body({ budget }), anna: 'NOT_PERMITTED', ben: 'NOT_FOUND', owner: 200 },
    { route: 'PATCH /v1/keys/{id}', id: agentOf, body: body({ budget: null }), anna: 'NOT_PERMITTED', ben: 'NOT_FOUND', owner: 200 },
    { route: 'DELETE /v1/keys/{id}', id: agentOf, ...annas, anna: 204, owner: 204 },
    { route: 'POST /v1/keys/{id}/rotate', id: agentOf, ...annas },
    { route: 'POST /v1/keys/{id}/rotate', id: agentOf, query: 'overlapSeconds=3600', ...annas },
    { route: 'POST /v1/keys/{id}/search', id: async () => annasAgent, body: body({ query: 'add numbers' }), ...annas },
    { route: 'POST /v1/keys/{id}/resolve', id: async () => annasAgent, body: body({ action: 'anna-tools__add' }), ...annas },
    // This service runs no code.
    {
      route: 'POST /v1/keys/{id}/runs',
      id: async () => annasAgent,
      body: body({ code: '1' }),
      anna: 'ACTION_NOT_ALLOWED',
      ben: 'NOT_FOUND',
      owner: 'ACTION_NOT_ALLOWED',
    },
    { route: 'POST /v1/keys/{id}/invoke', id: async () => annasAgent, body: body({ action: 'anna-tools__add' }), ...annas },
    {
      route: 'GET /v1/keys/{id}/runs/{run}',
      id: async () => `${annasAgent}/runs/run_1`,
      anna: 'ACTION_NOT_ALLOWED',
      ben: 'NOT_FOUND',
      owner: 'ACTION_NOT_ALLOWED',
    },
    // The header of the tokens is missing.
    {
      route: 'POST /v1/keys/{id}/usage',
      id: async () => annasAgent,
      anna: 'INVALID_REQUEST',
      ben: 'NOT_FOUND',
      owner: 'INVALID_REQUEST',
    },
    { route: 'POST /v1/keys/{id}/nothing-fits', id: async () => annasAgent, body: body({ query: 'iron my shirts' }), ...annas },
    { route: 'GET /v1/playground', ...all },
    // This service has no model.
    {
      route: 'POST /v1/playground/model',
      body: body({ messages: [{ role: 'user' }] }),
      anna: 'NOT_FOUND',
      ben: 'NOT_FOUND',
      owner: 'NOT_FOUND',
    },
    { route: 'GET /v1/console', ...all },
    { route: 'GET /v1/me', ...all },
    { route: 'PUT /v1/me/publisher', body: body({ shown: true }), ...all, adminKey: 'NOT_PERMITTED' },
    { route: 'GET /v1/people', ...owners },
    { route: 'PATCH /v1/people/{id}', id: somebody, body: body({ role: 'owner' }), ...owners },
    { route: 'DELETE /v1/people/{id}', id: somebody, ...owners },
    { route: 'GET /v1/invitations', ...owners },
    { route: 'POST /v1/invitations', body: body({ role: 'member' }), ...owners, owner: 201 },
    { route: 'POST /v1/invitations', body: body({ person: ben.id }), ...owners, owner: 201 },
    { route: 'DELETE /v1/invitations/{id}', id: async () => (await invite()).id, ...owners, owner: 204 },
    { route: 'POST /v1/invitations/preview', body: async () => ({ token: (await invite()).token }), ...all },
    { route: 'GET /v1/invocations', ...all },
    { route: 'GET /v1/invocations/export', query: 'format=csv', ...all },
    { route: 'GET /v1/invocations/{id}', id: async () => call, ...annas, agentKey: 'NOT_FOUND' },
    { route: 'DELETE /v1/invocations/{id}', id: async () => call, ...annas, anna: 204, owner: 204, agentKey: 'NOT_FOUND' },
    { route: 'GET /v1/ledger', ...all },
    { route: 'GET /v1/ledger/export', query: 'format=csv', ...all },
    { route: 'GET /v1/spending', query: 'by=day', ...all },
    { route: 'GET /v1/stats/series', ...all },
    { route: 'GET /v1/stats/series', query: 'toolkit=anna-tools', ...annas },
    { route: 'GET /v1/stats/series', query: 'action=anna-tools__add', ...annas },
    { route: 'GET /v1/stats/top', query: 'by=key', ...all },
    { route: 'GET /v1/stats/now', ...all },
    { route: 'GET /v1/reports/toolkits', ...all },
    { route: 'GET /v1/reports/toolkits/{id}', id: async () => 'anna-tools', ...all },
    { route: 'GET /v1/reports/toolkits/{id}/errors', id: async () => 'anna-tools', ...annas },
    { route: 'DELETE /v1/reports/toolkits/{id}', id: spareToolkit, ...owners },
    { route: 'GET /v1/reports/actions', ...all },
    { route: 'GET /v1/reports/actions/{id}', id: async () => 'anna-tools__add', ...all },
    { route: 'POST /v1/reports/actions/{id}/explain', id: async () => 'anna-tools__add', body: body({ query: 'add' }), ...annas },
    {
      route: 'POST /v1/reports/actions/{id}/explain',
      id: async () => 'anna-tools__add',
      body: body({ query: 'add', key: annasAgent }),
      ...annas,
    },
    { route: 'GET /v1/reports/toolkits/{id}/callers', id: async () => 'anna-tools', ...annas },
    { route: 'GET /v1/reviews', ...owners },
    { route: 'GET /v1/reviews', query: 'state=rejected&q=add', ...owners },
    {
      route: 'POST /v1/reviews/rejections',
      body: body({ rejections: [{ action: 'anna-tools__add', hash: 'a'.repeat(64) }], reason: 'no' }),
      ...owners,
      owner: 'CONFLICT',
    },
    { route: 'GET /v1/reviews', query: 'toolkit=anna-tools&state=all', ...owners },
    { route: 'POST /v1/reviews/approvals', body: presentApproval, ...owners },
    {
      route: 'POST /v1/reviews/approvals',
      body: body({ approvals: [{ action: 'anna-tools__add', hash: 'a'.repeat(64) }] }),
      ...owners,
      owner: 'CONFLICT',
    },
    { route: 'GET /v1/searches', ...all },
    { route: 'GET /v1/searches', query: 'toolkit=anna-tools', ...annas },
    { route: 'POST /v1/rules/preview', body: body({ rules: [], key: annasAgent }), ...annas },
    { route: 'GET /v1/sessions', ...all },
    { route: 'GET /v1/sessions/{id}', id: async () => 'chat', ...annas },
    { route: 'GET /v1/views', ...all },
    { route: 'POST /v1/views', body: body(view), anna: 201, ben: 201, owner: 201, adminKey: 'NOT_PERMITTED' },
    { route: 'PATCH /v1/views/{id}', id: async () => annasView, body: body({ name: 'some' }), ...annas, owner: 'NOT_FOUND' },
    { route: 'DELETE /v1/views/{id}', id: async () => annasView, ...annas, anna: 204, owner: 'NOT_FOUND' },
    { route: 'GET /v1/users', ...all },
    { route: 'GET /v1/users/{id}', id: async () => 'ada', ...annas },
    { route: 'GET /v1/audit', ...owners },
    { route: 'GET /v1/audit/export', query: 'format=csv', ...owners },
    { route: 'GET /v1/alerts', ...all },
    { route: 'POST /v1/alerts/check', ...owners },
    { route: 'POST /v1/alerts/{id}/mute', id: async () => 'alr_none', body: body({}), ...owners, owner: 'NOT_FOUND' },
    { route: 'GET /v1/alerts/targets', ...owners },
    { route: 'POST /v1/alerts/targets', body: body({ kind: 'webhook', url: 'https://ops.example.com/alerts' }), ...owners, owner: 201 },
    { route: 'POST /v1/alerts/targets/{id}/test', id: alertTarget, ...owners },
    { route: 'DELETE /v1/alerts/targets/{id}', id: alertTarget, ...owners, owner: 204 },
    { route: 'GET /v1/system', ...owners },
    { route: 'GET /v1/settings', ...owners },
    { route: 'PATCH /v1/settings', body: body({ retentionDays: 7 }), ...owners },
    { route: 'GET /v1/imports', ...owners },
    { route: 'POST /v1/imports/preview', body: body(importRequest), ...owners },
    { route: 'POST /v1/imports', body: body({ ...importRequest, sha256: SHOWN_SHA256 }), ...owners, owner: 201 },
    { route: 'POST /v1/imports', body: body({ ...importRequest, sha256: 'b'.repeat(64) }), ...owners, owner: 'CONFLICT' },
    { route: 'POST /v1/imports/{id}/approve', id: async () => 'notes', body: body({ sha256: HELD_SHA256 }), ...owners, owner: 204 },
    { route: 'POST /v1/oauth/requests', body: askedByApp, ...all, adminKey: 'NOT_PERMITTED' },
    {
      route: 'POST /v1/oauth/decisions',
      body: async () => ({ ...(await askedByApp()), decision: 'deny' }),
      ...all,
      adminKey: 'NOT_PERMITTED',
    },
    {
      route: 'POST /v1/oauth/decisions',
      body: async () => ({ ...(await askedByApp()), decision: 'allow' }),
      ...all,
      adminKey: 'NOT_PERMITTED',
    },
    { route: 'GET /v1/connected-apps', ...all },
    { route: 'DELETE /v1/connected-apps/{id}', id: connectedApp, ...annas, anna: 204, owner: 204 },
    { route: 'GET /v1/kept-connections', ...all },
    { route: 'PATCH /v1/kept-connections/{id}', id: keptConnection, body: body({ default: true }), ...annas, anna: 204, owner: 204 },
    { route: 'DELETE /v1/kept-connections/{id}', id: keptConnection, ...annas },
    {
      route: 'POST /v1/kept-connections/links',
      body: body({ toolkit: 'for-everyone', owner: 'everyone' }),
      anna: 201,
      ben: 'NOT_FOUND',
      owner: 201,
    },
    {
      route: 'POST /v1/kept-connections/links',
      body: body({ toolkit: 'for-agent', owner: 'agent', keyId: annasAgent }),
      anna: 201,
      ben: 'NOT_FOUND',
      owner: 201,
    },
    {
      route: 'POST /v1/kept-connections/links',
      body: body({ toolkit: 'for-user', owner: 'me' }),
      anna: 201,
      ben: 201,
      owner: 201,
      adminKey: 'NOT_PERMITTED',
    },
    { route: 'POST /v1/kept-connections/reseal', ...owners },
    { route: 'GET /v1/connection-clients/{id}', id: async () => 'for-everyone', ...annas },
    {
      route: 'PUT /v1/connection-clients/{id}',
      id: async () => 'for-everyone',
      body: body({ clientId: 'c', clientSecret: 's' }),
      ...annas,
    },
    { route: 'DELETE /v1/connection-clients/{id}', id: async () => 'for-everyone', ...annas, anna: 204, owner: 204 },
    { route: 'GET /v1/approvals', ...all },
    { route: 'GET /v1/approvals/webhook', ...owners },
    { route: 'PUT /v1/approvals/webhook', body: body({ url: 'https://approve.example/hook' }), ...owners },
    { route: 'PUT /v1/approvals/webhook', body: body({ url: null }), ...owners },
    { route: 'GET /v1/approvals/{id}', id: question, ...annas },
    { route: 'POST /v1/approvals/{id}', id: question, body: body({ decision: 'deny' }), ...annas, agentKey: 'NOT_FOUND' },
    { route: 'DELETE /v1/approvals/{id}', id: standingApproval, ...annas, anna: 204, owner: 204 },
    { route: 'GET /v1/events', ...all },
  ];

  const declared = new Map(ADMIN_ROUTES.map((route) => [`${route.method} ${route.path}`, route]));
  // Its askers would all become members: below.
  const accept = 'POST /v1/invitations/accept';
  expect([...new Set(cases.map(({ route }) => route)), accept].sort()).toEqual([...declared.keys()].sort());
  /** A member of the answer that the schema does not name is stripped by `parse`, and missed here. */
  const fits = (name: string, json: unknown) => {
    const { answer } = declared.get(name) as { answer?: z.ZodType };
    expect(answer?.parse(json), name).toEqual(json);
  };

  for (const { route: name, id, query, body, ...expected } of cases.filter((_, index) => index % 2 === half)) {
    const [method = '', path = ''] = name.split(' ');
    const { access } = declared.get(name) ?? {};
    for (const asker of ASKERS) {
      const asked = path.replace(/\{id\}(\/runs\/\{run\})?/, id ? await id() : '') + (query ? `?${query}` : '');
      const cut = new AbortController();
      const response = await askers[asker].ask(method, asked, await body?.(), { signal: cut.signal });
      const isJson = response.headers.get('content-type')?.includes('json');
      const answer = isJson ? await response.json() : undefined;
      cut.abort();
      if (method === 'DELETE' && response.ok) current = undefined;
      const isOpen = access === 'anyone' || access === 'link';
      const refused = isOpen ? undefined : (asker === 'agentKey' && expected.agentKey) || REFUSED[asker];
      const signedIn = asker === 'anna' || asker === 'ben' ? asker : 'owner';
      const wanted = (asker === 'adminKey' ? expected.adminKey : undefined) ?? expected[signedIn];
      expect([asker, name, response.ok ? response.status : answer.code]).toEqual([asker, name, refused ?? wanted]);
      if (response.ok && isJson) fits(name, answer);
    }
  }
  const { token } = await invite();
  const joined = { token, name: 'Nora', email: 'nora@example.com', password: 'seven blue whales' };
  fits(accept, await service.as().json('POST', `${ADMIN_PATHS.invitations}/accept`, joined));
});

test('a member gets no data of other people', async () => {
  const { service, anna, ben } = await stage();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { content: 'all', searchTexts: 'all' });
  expect(await ben.json('GET', PATHS.keys)).toEqual({ keys: [], total: 0 });
  expect(await ben.json('GET', ADMIN_PATHS.invocations)).toEqual({ invocations: [] });
  expect(await ben.json('GET', `${ADMIN_PATHS.stats}/top?by=toolkit`)).toEqual({ items: [] });
  expect(await ben.json<LedgerEntriesPage>('GET', ADMIN_PATHS.ledger)).toEqual({ entries: [] });
  const none = { calls: 0, charged: '0', held: '0' };
  expect(await ben.json<Spending>('GET', `${ADMIN_PATHS.spending}?by=action&mine=toolkits`)).toMatchObject({ total: none, items: [] });
  expect(await ben.json('GET', `${ADMIN_PATHS.stats}/series`)).toMatchObject({ total: { calls: 0 } });
  expect(await ben.json('GET', `${ADMIN_PATHS.stats}/now`)).toMatchObject({ toolkits: 0, replicas: 0 });
  const seen = await ben.json<{ toolkits: object[] }>('GET', `${ADMIN_PATHS.reports}/toolkits`);
  expect(seen.toolkits).toEqual([expect.objectContaining({ id: 'anna-tools', mine: false, online: true })]);
  expect(seen.toolkits[0]).not.toHaveProperty('day');
  const detail = await ben.json<{ actionReports: object[] }>('GET', `${ADMIN_PATHS.reports}/toolkits/anna-tools`);
  expect(detail).not.toHaveProperty('processes');
  expect(detail.actionReports[0]).not.toHaveProperty('day');
  expect(await anna.json('GET', `${ADMIN_PATHS.reports}/toolkits/anna-tools`)).toMatchObject({
    mine: true,
    processes: [{ sdk: expect.stringContaining('svc-sdk-js/'), running: 0 }],
  });
});

test('a former owner has no admin key; a removed person has no key at all; the last owner stays', async () => {
  const { service, make, anna } = await stage();
  const second = await service.join('oscar', 'owner');
  const adminKey = await make(second, { kind: 'admin', name: 'oscar' });
  const agentKey = await make(second, { kind: 'agent', name: 'oscar' });
  const demoted = await service.owner.json('PATCH', `${ADMIN_PATHS.people}/${second.id}`, { role: 'member' });
  expect(demoted).toMatchObject({ role: 'member', revokedKeys: [adminKey.id] });
  await expect(service.as(adminKey.key).json('GET', PATHS.keys)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  await expect(second.json('GET', ADMIN_PATHS.me)).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' });
  expect((await service.as(agentKey.key).ask('GET', PATHS.actions)).status).toBe(200);

  expect(await service.owner.json('DELETE', `${ADMIN_PATHS.people}/${second.id}`)).toEqual({ revokedKeys: [agentKey.id] });
  await expect(service.as(agentKey.key).json('GET', PATHS.actions)).rejects.toMatchObject({ code: 'KEY_REVOKED' });

  const me = `${ADMIN_PATHS.people}/${service.owner.id}`;
  await expect(service.owner.json('PATCH', me, { role: 'member' })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(service.owner.json('DELETE', me)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await service.owner.ask('GET', ADMIN_PATHS.me)).status).toBe(200);
  expect(await service.owner.json('DELETE', `${ADMIN_PATHS.people}/${anna.id}`)).toMatchObject({ revokedKeys: expect.arrayContaining([]) });
});

test('a malformed request is an error', async () => {
  const { service, anna } = await stage();
  const bad: [string, string, unknown?][] = [
    ['GET', `${ADMIN_PATHS.invocations}?cursor=1`],
    ['GET', `${ADMIN_PATHS.invocations}?limit=0`],
    ['GET', `${ADMIN_PATHS.invocations}?outcome=maybe`],
    ['GET', `${ADMIN_PATHS.invocations}?from=yesterday`],
    ['GET', `${ADMIN_PATHS.invocations}?kye=key_1`],
    ['GET', `${ADMIN_PATHS.stats}/series?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`],
    ['GET', `${ADMIN_PATHS.stats}/series?from=2020-01-01T00:00:00Z`],
    ['GET', `${ADMIN_PATHS.stats}/series?mine=keys&toolkit=anna-tools`],
    ['GET', `${ADMIN_PATHS.stats}/top?by=colour`],
    ['GET', `${ADMIN_PATHS.searches}?cursor=-1`],
    ['GET', `${ADMIN_PATHS.audit}?cursor=%27`],
    ['GET', `${ADMIN_PATHS.ledger}?cursor=key_1`],
    ['GET', `${ADMIN_PATHS.ledger}?mine=actions`],
    ['GET', `${ADMIN_PATHS.ledger}/export`],
    ['GET', ADMIN_PATHS.spending],
    ['GET', `${ADMIN_PATHS.keptConnections}?mine=false`],
    ['PATCH', `${ADMIN_PATHS.keptConnections}/con_1`, { default: false }],
    ['POST', `${ADMIN_PATHS.keptConnections}/links`, { toolkit: 'anna-tools', owner: 'everyone' }],
    ['POST', `${ADMIN_PATHS.keptConnections}/links`, { toolkit: 'anna-tools', owner: 'all' }],
    ['PUT', `${ADMIN_PATHS.connectionClients}/anna-tools`, { clientId: 'c' }],
    ['PUT', `${ADMIN_PATHS.connectionClients}/anna-tools`, { clientId: 'c', clientSecret: 'a\nb' }],
    ['GET', `${ADMIN_PATHS.spending}?by=month`],
    ['GET', `${ADMIN_PATHS.spending}?by=day&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`],
    ['GET', `${ADMIN_PATHS.spending}?by=day&from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z`],
    ['PATCH', ADMIN_PATHS.settings, { retention: 3 }],
    ['PATCH', ADMIN_PATHS.settings, '{'],
    ['GET', `${ADMIN_PATHS.reviews}?state=all`],
    ['GET', `${ADMIN_PATHS.reviews}?state=new`],
    ['POST', `${ADMIN_PATHS.reviews}/approvals`, { approvals: [] }],
    ['POST', `${ADMIN_PATHS.reviews}/approvals`, { approvals: [{ action: 'anna-tools__add' }] }],
    ['POST', ADMIN_PATHS.invitations, { role: 'king' }],
    ['PATCH', `${ADMIN_PATHS.people}/${anna.id}`, { rol: 'owner' }],
  ];
  for (const [method, path, body] of bad)
    await expect(service.owner.json(method, path, body), `${method} ${path}`).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  for (const id of ['%00', '..%2f', "'", 'x'.repeat(500)])
    for (const path of [`${ADMIN_PATHS.invocations}/${id}`, `${ADMIN_PATHS.people}/${id}`]) {
      const method = path.startsWith(ADMIN_PATHS.people) ? 'DELETE' : 'GET';
      await expect(service.owner.json(method, path), path).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
});

test('while the console is off, keys work and other routes explain how to turn it on', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'admin', name: 'admin' });
  const ask = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, answer: await response.json() };
  };
  expect(await ask(PATHS.keys)).toMatchObject({ status: 200, answer: { keys: [{ name: 'admin' }] } });
  expect(await ask(ADMIN_PATHS.reviews)).toMatchObject({ status: 200, answer: { reviews: [] } });
  expect(await ask(ADMIN_PATHS.ledger)).toMatchObject({ status: 200, answer: { entries: [] } });
  expect(await ask(ADMIN_PATHS.keptConnections)).toMatchObject({ status: 200, answer: { connections: [] } });
  const { reviews, ledger, spending, keptConnections, connectionClients } = ADMIN_PATHS;
  const always: readonly string[] = [reviews, ledger, spending, keptConnections, connectionClients];
  const consolePaths = Object.values(ADMIN_PATHS).filter((path) => !always.includes(path));
  for (const path of [...consolePaths, `${ADMIN_PATHS.auth}/get-session`, `${ADMIN_PATHS.stats}/now`])
    expect(await ask(path), path).toMatchObject({
      status: 404,
      answer: { code: 'NOT_FOUND', detail: expect.stringContaining('--no-console') },
    });
});
