/** Who may what: every route of the admin API, for everybody who could ask. A route that is not in here fails. */
import { expect, test } from 'vitest';
import type { CreatedInvitation, InvocationsPage } from '../../src/protocol/admin';
import { ADMIN_PATHS } from '../../src/protocol/admin';
import { type CreatedKey, PATHS } from '../../src/protocol/http';
import { adminRoutes } from '../../src/service/http/admin/admin-routes';
import type { AppDeps } from '../../src/service/http/app-deps';
import { type Asker, startConsole } from '../support/console-service';
import { runToolkit, startService } from '../support/service';

const ASKERS = ['nobody', 'anna', 'ben', 'owner', 'adminKey', 'agentKey', 'signedOut'] as const;
type AskerName = (typeof ASKERS)[number];

interface Case {
  method: string;
  route: string;
  path?: string;
  body?: unknown;
  /** What those are answered who are signed in; the others are refused. */
  anna: number | string;
  ben: number | string;
  owner: number | string;
  /** Open to everybody. */
  open?: true;
}

async function stage() {
  const service = await startConsole();
  const [anna, ben, gone] = [await service.join('anna'), await service.join('ben'), await service.join('gone')];
  await gone.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {});
  const make = (who: Asker, body: object) => who.json<CreatedKey>('POST', PATHS.keys, body);
  const toolkitKey = await make(anna, { kind: 'toolkit', name: 'Anna tools' });
  await runToolkit(service.url, toolkitKey.key, (toolkit) => {
    toolkit.action({ action: 'add', actionDescription: 'Adds two numbers' }, () => ({ sum: 3 }));
  });
  const agentKey = await make(anna, { kind: 'agent', name: 'Anna agent' });
  const adminKey = await make(service.owner, { kind: 'admin', name: 'Olga admin' });
  await service.as(agentKey.key).json('POST', PATHS.invoke, { action: 'anna-tools__add', payload: {} });
  await expect.poll(async () => (await anna.json<InvocationsPage>('GET', ADMIN_PATHS.invocations)).invocations.length).toBe(1);
  const { invocations } = await anna.json<InvocationsPage>('GET', ADMIN_PATHS.invocations);
  const askers: Record<AskerName, Asker> = {
    nobody: service.as(),
    anna,
    ben,
    owner: service.owner,
    adminKey: service.as(adminKey.key),
    agentKey: service.as(agentKey.key),
    signedOut: gone,
  };
  return { service, askers, make, anna, ben, call: invocations[0]?.id ?? '' };
}

test('every route answers each asker as it should, and none is forgotten', async () => {
  const { service, askers, make, anna, ben, call } = await stage();
  // What is asked for is made anew for each case and asker: many of them end what they are asked for.
  const agentOf = async () => (await make(anna, { kind: 'agent', name: 'spare' })).id;
  const spareToolkit = async () => (await make(anna, { kind: 'toolkit', name: 'spare' })).toolkit ?? '';
  const invite = async () => (await service.owner.json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { role: 'member' })).id;
  let people = 0;
  let current: string | undefined;
  const somebody = async () => {
    current ??= (await service.join(`somebody-${people++}`)).id;
    return current;
  };

  const key = `${PATHS.keys}/:id`;
  const all = { anna: 200, ben: 200, owner: 200 };
  const annas = { anna: 200, ben: 'NOT_FOUND', owner: 200 };
  const owners = { anna: 'NOT_PERMITTED', ben: 'NOT_PERMITTED', owner: 200 };
  const cases: (Case & { id?: () => Promise<string> })[] = [
    { method: 'GET', route: PATHS.keys, ...all },
    { method: 'POST', route: PATHS.keys, body: { kind: 'agent', name: 'mine' }, anna: 201, ben: 201, owner: 201 },
    { method: 'POST', route: PATHS.keys, body: { kind: 'admin', name: 'mine' }, anna: 'NOT_PERMITTED', ben: 'NOT_PERMITTED', owner: 201 },
    {
      method: 'POST',
      route: PATHS.keys,
      body: { kind: 'toolkit', name: 'further', toolkit: 'anna-tools' },
      anna: 201,
      ben: 'NOT_PERMITTED',
      owner: 201,
    },
    { method: 'PATCH', route: key, id: agentOf, body: { name: 'other' }, ...annas },
    { method: 'DELETE', route: key, id: agentOf, anna: 204, ben: 'NOT_FOUND', owner: 204 },
    { method: 'POST', route: `${key}/rotate`, id: agentOf, ...annas },
    { method: 'POST', route: `${key}/search`, id: agentOf, body: { query: 'add numbers' }, ...annas },
    { method: 'POST', route: `${key}/resolve`, id: agentOf, body: { action: 'anna-tools__add' }, ...annas },
    { method: 'POST', route: `${key}/invoke`, id: agentOf, body: { action: 'anna-tools__add' }, ...annas },
    { method: 'GET', route: ADMIN_PATHS.console, open: true, ...all },
    { method: 'GET', route: ADMIN_PATHS.me, ...all },
    { method: 'GET', route: ADMIN_PATHS.people, ...owners },
    { method: 'PATCH', route: `${ADMIN_PATHS.people}/:id`, id: somebody, body: { role: 'owner' }, ...owners },
    { method: 'DELETE', route: `${ADMIN_PATHS.people}/:id`, id: somebody, ...owners },
    { method: 'GET', route: ADMIN_PATHS.invitations, ...owners },
    { method: 'POST', route: ADMIN_PATHS.invitations, body: { role: 'member' }, ...owners, owner: 201 },
    { method: 'POST', route: ADMIN_PATHS.invitations, body: { person: ben.id }, ...owners, owner: 201 },
    { method: 'DELETE', route: `${ADMIN_PATHS.invitations}/:id`, id: invite, ...owners, owner: 204 },
    { method: 'GET', route: ADMIN_PATHS.invocations, ...all },
    { method: 'GET', route: `${ADMIN_PATHS.invocations}/export`, path: `${ADMIN_PATHS.invocations}/export?format=csv`, ...all },
    { method: 'GET', route: `${ADMIN_PATHS.invocations}/:id`, id: async () => call, ...annas },
    { method: 'GET', route: `${ADMIN_PATHS.stats}/series`, ...all },
    { method: 'GET', route: `${ADMIN_PATHS.stats}/series`, path: `${ADMIN_PATHS.stats}/series?toolkit=anna-tools`, ...annas },
    { method: 'GET', route: `${ADMIN_PATHS.stats}/series`, path: `${ADMIN_PATHS.stats}/series?action=anna-tools__add`, ...annas },
    { method: 'GET', route: `${ADMIN_PATHS.stats}/top`, path: `${ADMIN_PATHS.stats}/top?by=key`, ...all },
    { method: 'GET', route: `${ADMIN_PATHS.stats}/now`, ...all },
    { method: 'GET', route: `${ADMIN_PATHS.reports}/toolkits`, ...all },
    { method: 'GET', route: `${ADMIN_PATHS.reports}/toolkits/:id`, id: async () => 'anna-tools', ...all },
    { method: 'DELETE', route: `${ADMIN_PATHS.reports}/toolkits/:id`, id: spareToolkit, ...owners },
    { method: 'GET', route: `${ADMIN_PATHS.reports}/actions`, ...all },
    { method: 'GET', route: `${ADMIN_PATHS.reports}/actions/:id`, id: async () => 'anna-tools__add', ...all },
    { method: 'GET', route: ADMIN_PATHS.searches, ...all },
    { method: 'GET', route: ADMIN_PATHS.searches, path: `${ADMIN_PATHS.searches}?toolkit=anna-tools`, ...annas },
    { method: 'GET', route: ADMIN_PATHS.audit, ...owners },
    { method: 'GET', route: ADMIN_PATHS.settings, ...owners },
    { method: 'PATCH', route: ADMIN_PATHS.settings, body: { retentionDays: 7 }, ...owners },
    { method: 'GET', route: ADMIN_PATHS.events, ...all },
  ];
  // Asked by whoever has a link, who is nobody yet: test/e2e/accounts.test.ts.
  const linked = ['look', 'accept'].map((what) => `POST ${ADMIN_PATHS.invitations}/${what}`);

  const { routes } = adminRoutes({ admin: {}, store: {} } as AppDeps, () => new Response());
  const ofAdmin = routes.filter(({ method }) => method !== 'ALL');
  const there = new Set(ofAdmin.map(({ method, path }) => `${method} ${path}`));
  expect([...new Set(cases.map(({ method, route }) => `${method} ${route}`)), ...linked].sort()).toEqual([...there].sort());

  for (const { method, route, path = route, body, open, id, ...expected } of cases) {
    for (const name of ASKERS) {
      const asked = id ? path.replace(':id', await id()) : path;
      const cut = new AbortController();
      const response = await askers[name].ask(method, asked, body, { signal: cut.signal });
      const isStream = response.headers.get('content-type') === 'text/event-stream';
      const isText = isStream || response.headers.get('content-type')?.startsWith('text/csv');
      const answer = isText || response.status === 204 ? undefined : await response.json();
      cut.abort();
      if (method === 'DELETE' && response.ok) current = undefined;
      const refused = { nobody: 'NOT_SIGNED_IN', signedOut: 'NOT_SIGNED_IN', agentKey: 'WRONG_KEY_KIND' } as const;
      const wanted =
        name in refused ? (open ? 200 : refused[name as keyof typeof refused]) : expected[name === 'adminKey' ? 'owner' : (name as 'anna')];
      expect([name, method, asked, response.ok ? response.status : answer.code]).toEqual([name, method, asked, wanted]);
    }
  }
}, 60_000);

test('a member learns nothing of what is not theirs', async () => {
  const { service, anna, ben } = await stage();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { content: 'all', searchTexts: 'all' });
  expect(await ben.json('GET', PATHS.keys)).toEqual({ keys: [], total: 0 });
  expect(await ben.json('GET', ADMIN_PATHS.invocations)).toEqual({ invocations: [] });
  expect(await ben.json('GET', `${ADMIN_PATHS.stats}/top?by=toolkit`)).toEqual({ items: [] });
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

test('who is no owner any more has no admin key either; who is removed has no key at all; the last owner stays', async () => {
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

test('what is malformed is told so', async () => {
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
    ['PATCH', ADMIN_PATHS.settings, { retention: 3 }],
    ['PATCH', ADMIN_PATHS.settings, '{'],
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

test('while the console is off, keys go on and the rest says how to turn it on', async () => {
  const service = await startService();
  const { key } = await service.keys.create({ kind: 'admin', name: 'admin' });
  const ask = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, answer: await response.json() };
  };
  expect(await ask(PATHS.keys)).toMatchObject({ status: 200, answer: { keys: [{ name: 'admin' }] } });
  for (const path of [...Object.values(ADMIN_PATHS), `${ADMIN_PATHS.auth}/get-session`, `${ADMIN_PATHS.stats}/now`])
    expect(await ask(path), path).toMatchObject({
      status: 404,
      answer: { code: 'NOT_FOUND', detail: expect.stringContaining('--no-console') },
    });
});
