/** A sweep of all routes with bodies and queries that no well-behaved client sends. */
import { expect, test } from 'vitest';
import { type Asker, startConsole } from '../../../test/support/console-service';

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
const BODIES = [
  'null',
  '[]',
  '{}',
  '0',
  '-1e999',
  '1e308',
  '""',
  '"x"',
  'true',
  '[null]',
  '[[]]',
  '',
  '{',
  '\u0000',
  '\ufeff{}',
  nested(250),
  nested(9_000),
  `{"a":${nested(9_000, '{"a":', '}').replace('{"a":}', '{"a":1}')}}`,
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}',
];
/** Values for each property of a body. */
const VALUES = [
  'null',
  '[]',
  '{}',
  '0',
  '-1',
  '1e308',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  'true',
  '[null]',
  '{"__proto__":1}',
  nested(200),
  '"x"',
];

interface Operation {
  method: string;
  path: string;
  properties: string[];
  query: string[];
}

async function operations(owner: Asker): Promise<Operation[]> {
  const document = await owner.json<{ paths: object; components: { schemas: Record<string, { properties?: object }> } }>(
    'GET',
    '/v1/openapi.json',
  );
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { parameters?: { name: string; in: string }[]; requestBody?: object }>).map(
      ([method, operation]) => {
        const [, name = ''] = /schemas\/(\w+)/.exec(JSON.stringify(operation.requestBody ?? '')) ?? [];
        const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
        return { method: method.toUpperCase(), path, properties: Object.keys(document.components.schemas[name]?.properties ?? {}), query };
      },
    ),
  );
}

test('no request causes an internal error, for any body or query on any route', async () => {
  const { owner, as, keys } = await startConsole({ metrics: true });
  const admin = await keys.create({ kind: 'admin', name: 'root' });
  const agent = await keys.create({ kind: 'agent', name: 'agent' });
  const faults: string[] = [];
  let sent = 0;
  const ask = async (asker: Asker, method: string, path: string, body?: string) => {
    const response = await asker.ask(method, path, body, { signal: AbortSignal.timeout(5_000) });
    sent++;
    if (response.status >= 500 && response.status !== 503) faults.push(`${method} ${path} ${body?.slice(0, 80)}: ${response.status}`);
    await response.body?.cancel();
  };
  // Each person and key has its own rate limit for changes, so several send requests.
  const askers = async (path: string) =>
    path.startsWith('/v1/auth')
      ? [as()]
      : [owner, as(admin.key), as(agent.key), as((await keys.create({ kind: 'admin', name: 'more' })).key)];
  for (const { method, path, properties, query } of await operations(owner)) {
    const at = path.replaceAll(/\{\w+\}/g, 'x');
    const bodies =
      method === 'GET' ? [] : [...BODIES, ...properties.flatMap((name) => VALUES.map((value) => `{${JSON.stringify(name)}:${value}}`))];
    for (const asker of await askers(at)) for (const body of bodies) await ask(asker, method, at, body);
    for (const name of query)
      for (const value of ['', '%00', '%ED%A0%80', '-1', '1e308', '[]', 'x'.repeat(3_000), '__proto__'])
        await ask(as(admin.key), method, `${at}?${name}=${value}`);
    if (path.includes('{'))
      for (const id of ['%00', '%ED%A0%80', '__proto__', 'constructor', '%2e%2e', 'x'.repeat(3_000), '%F0%9F%98%80', "'"])
        await ask(as(admin.key), method, path.replaceAll(/\{\w+\}/g, id), method === 'GET' ? undefined : '{}');
  }
  const auth = [
    'sign-in/email',
    'sign-in/passkey',
    'passkey/verify-authentication',
    'passkey/verify-registration',
    'change-password',
    'sign-out',
    'update-user',
    'passkey/delete-passkey',
  ];
  for (const name of auth) for (const body of BODIES) for (const asker of [as(), owner]) await ask(asker, 'POST', `/v1/auth/${name}`, body);
  expect(faults).toEqual([]);
  expect(sent).toBeGreaterThan(1_000);
}, 300_000);
