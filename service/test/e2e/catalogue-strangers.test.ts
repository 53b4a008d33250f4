/** A walk of a stranger over every route: the catalogue adds its pages to what is open, and nothing else. */
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { ADMIN_ROUTES } from '../../src/http/admin/admin-routes';
import { createApp } from '../../src/http/app';
import type { AppDeps } from '../../src/http/app-deps';

/** Open beside the catalogue: the sign-in, OAuth, metadata, health, links that carry their own secret. */
const OPEN = [
  'GET /.well-known/oauth-authorization-server 200',
  'GET /.well-known/oauth-protected-resource 200',
  'GET /.well-known/oauth-protected-resource/mcp 200',
  'GET /.well-known/openid-configuration 200',
  'GET /connections/callback/:toolkit 404',
  'GET /connections/clients/:file 404',
  'GET /connections/connect/:token 404',
  'GET /healthz 200',
  // Off.
  'GET /metrics 404',
  'GET /readyz 200',
  'GET /v1/console 200',
  'GET /v1/openapi.json 200',
  'POST /connections/connect/:token 403',
  'POST /oauth/register 400',
  'POST /oauth/revoke 400',
  'POST /oauth/token 400',
  'POST /v1/invitations/accept 403',
  'POST /v1/invitations/preview 403',
];
const PAGES = [
  'GET /catalogue 200',
  'GET /catalogue/:id 200',
  'GET /catalogue/:id/:part 200',
  'GET /catalogue/:id/icon 404',
  'GET /robots.txt 200',
  'GET /sitemap.xml 200',
];
/** The sign-in, whatever is asked for. */
const SIGN_IN = ['GET /catalogue 200', 'GET /catalogue/:id 200', 'GET /catalogue/:id/:part 200', 'GET /catalogue/:id/icon 200'];

const FILLED: Record<string, string> = { ':part': 'actions', ':token': 'none', ':toolkit': 'none', ':file': 'none.json' };

function everyRoute(catalogue: 'public' | 'members') {
  const onHono = createApp({ admin: { catalogue }, store: {} } as AppDeps).routes;
  const routes = [...onHono, ...ADMIN_ROUTES].filter(({ method, path }) => method !== 'ALL' && !path.includes('*'));
  return [...new Map(routes.map(({ method, path }) => [`${method} ${path.replaceAll('{id}', ':id')}`, { method, path }])).values()];
}

async function stage(catalogue: 'public' | 'members') {
  const service = await startConsole({ catalogue, newActions: 'review' });
  const { owner, as } = service;
  await owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all', wantedTexts: 'public', content: 'all' });
  const agent = await owner.json<CreatedKey>('POST', '/v1/keys', { kind: 'agent', name: 'secret-agent-name' });
  const { key, id: toolkitKeyId } = await owner.json<CreatedKey>('POST', '/v1/keys', { kind: 'toolkit', name: 'shop' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'find', actionDescription: 'Finds orders of a customer' }], { instance: 'instance-of-a-process' });
  const { reviews } = await owner.json<{ reviews: { action: string; hash: string }[] }>('GET', ADMIN_PATHS.reviews);
  await owner.json('POST', `${ADMIN_PATHS.reviews}/approvals`, { approvals: reviews.map(({ action, hash }) => ({ action, hash })) });
  await (await RawToolkit.connect(service, key)).register(
    [
      { action: 'find', actionDescription: 'Finds orders of a customer' },
      { action: 'erase', actionDescription: 'Held action without approval' },
    ],
    { instance: 'second-instance' },
  );
  await as(agent.key).json('POST', '/v1/search', { query: 'salary of person one' });
  await expect.poll(async () => (await owner.json<{ searches: unknown[] }>('GET', ADMIN_PATHS.searches)).searches.length).toBe(1);
  const secrets = [
    ...[agent.id, agent.key, toolkitKeyId, key, owner.id, 'olga', 'secret-agent-name', 'instance-of-a-process', 'second-instance'],
    ...['Held action', 'shop__erase', 'salary of person', 'node_'],
  ];
  return { service, secrets };
}

test.each([
  ['public', [...OPEN, ...PAGES]],
  ['members', [...OPEN, ...SIGN_IN]],
] as const)('in a catalogue that is %s a stranger reaches a fixed list, and no secret', async (catalogue, open) => {
  const { service, secrets } = await stage(catalogue);
  const reached: string[] = [];
  const refused = new Set<number>();
  const visit = async ({ method, path }: ReturnType<typeof everyRoute>[number]) => {
    const address = path.replace(/:(part|token|toolkit|file)/g, (name) => FILLED[name] ?? name).replace(/:id|\{id\}/, 'shop');
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const answer = await fetch(service.url + address, {
      method,
      redirect: 'manual',
      ...(hasBody && { body: '{}', headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    for (const secret of secrets) expect(text.includes(secret), `${method} ${path} has ${secret}`).toBe(false);
    if (answer.status === 401) refused.add(answer.status);
    // A busy machine is not ready for a moment.
    else reached.push(`${method} ${path.replaceAll('{id}', ':id')} ${path === '/readyz' ? 200 : answer.status}`);
  };
  await Promise.all(
    everyRoute(catalogue)
      .filter(({ path }) => path !== '/')
      .map(visit),
  );
  expect(reached.sort()).toEqual([...open].sort());
  expect(refused.size).toBe(1);
  // Routes beside hono.
  for (const [path, method] of [
    [ADMIN_PATHS.events, 'GET'],
    [PATHS.invoke, 'POST'],
    [PATHS.search, 'POST'],
  ] as const)
    expect((await fetch(service.url + path, { method })).status, path).toBe(401);
});

test('every part of every page of a public catalogue is without secrets', async () => {
  const { service, secrets } = await stage('public');
  for (const path of ['', '?q=erase', '?q=orders', '/shop', '/shop/actions', '/shop/use', '/shop/changes', '/shop/status']) {
    const answer = await fetch(`${service.url}/catalogue${path}`);
    expect(answer.status, path).toBe(200);
    const text = await answer.text();
    for (const secret of secrets) expect(text.includes(secret), `${path} has ${secret}`).toBe(false);
  }
});
