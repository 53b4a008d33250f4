// @module-tag postgres
/** Texts that no store holds, in every text of the admin API: the error names them, also on PostgreSQL, which refuses them itself. */
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type SearchReportsPage } from '#sdk/protocol/admin';
import { type CreatedKey, PATHS } from '#sdk/protocol/http';
import { startConsole } from '../../../test/support/console-service';
import { newDatabase } from '../../../test/support/postgres';
import { CLIENT, startOidcProvider } from '../support/oidc-provider';

const NUL = '\u0000';
const HALF = '\ud800';
const REFUSED = ['INVALID_REQUEST', 'NOT_FOUND', 'TOOLKIT_NOT_FOUND', 'ACTION_NOT_FOUND', 'SIGN_IN_FAILED'];

/** `*` marks the place of the bad text. */
const ADDRESSES: [method: string, path: string, body?: object][] = [
  ['PATCH', `${PATHS.keys}/*`, { name: 'x' }],
  ['DELETE', `${PATHS.keys}/*`],
  ['POST', `${PATHS.keys}/*/rotate`],
  ['POST', `${PATHS.keys}/*/search`, { query: 'x' }],
  ['POST', `${PATHS.keys}/*/resolve`, { action: 'a__b' }],
  ['POST', `${PATHS.keys}/*/invoke`, { action: 'a__b' }],
  ['PATCH', `${ADMIN_PATHS.people}/*`, { role: 'owner' }],
  ['PATCH', `${ADMIN_PATHS.people}/*@example.com`, { role: 'owner' }],
  ['DELETE', `${ADMIN_PATHS.people}/*`],
  ['DELETE', `${ADMIN_PATHS.invitations}/*`],
  ['GET', `${ADMIN_PATHS.invocations}/*`],
  ['GET', `${ADMIN_PATHS.invocations}?key=*`],
  ['GET', `${ADMIN_PATHS.invocations}?toolkit=*`],
  ['GET', `${ADMIN_PATHS.invocations}?action=*`],
  ['GET', `${ADMIN_PATHS.invocations}?cursor=inv_*`],
  ['GET', `${ADMIN_PATHS.invocations}?*=x`],
  ['GET', `${ADMIN_PATHS.stats}/series?key=*`],
  ['GET', `${ADMIN_PATHS.stats}/series?toolkit=*`],
  ['GET', `${ADMIN_PATHS.stats}/series?action=*`],
  ['GET', `${ADMIN_PATHS.stats}/top?by=*`],
  ['GET', `${ADMIN_PATHS.reports}/toolkits?cursor=*`],
  ['GET', `${ADMIN_PATHS.reports}/toolkits/*`],
  ['GET', `${ADMIN_PATHS.reports}/actions/*`],
  ['GET', `${ADMIN_PATHS.searches}?toolkit=*`],
  ['GET', `${ADMIN_PATHS.searches}?action=*`],
  ['GET', `${ADMIN_PATHS.audit}?cursor=aud_*`],
  ['GET', `${ADMIN_PATHS.auth}/callback/oidc?state=*&code=*`],
];

const bodies = (bad: string): [method: string, path: string, body: object][] => [
  ['POST', PATHS.keys, { kind: 'agent', name: `x${bad}` }],
  ['POST', PATHS.keys, { kind: 'toolkit', name: 'x', toolkit: `x${bad}` }],
  ['POST', PATHS.keys, { kind: 'agent', name: 'x', allow: { toolkits: [`x${bad}`] } }],
  ['POST', PATHS.keys, { kind: 'agent', name: 'x', allow: { actions: [`x__${bad}`] } }],
  ['POST', PATHS.keys, { kind: 'agent', name: 'x', [`x${bad}`]: 1 }],
  ['PATCH', `${PATHS.keys}/:key`, { name: `x${bad}` }],
  ['PATCH', `${PATHS.keys}/:key`, { allow: { toolkits: [`x${bad}`] } }],
  ['PATCH', `${ADMIN_PATHS.people}/:person`, { role: `owner${bad}` }],
  ['POST', ADMIN_PATHS.invitations, { role: 'member', name: `x${bad}` }],
  ['POST', ADMIN_PATHS.invitations, { person: `x${bad}` }],
  ['POST', ADMIN_PATHS.invitations, { person: `x${bad}@example.com` }],
  ['POST', `${ADMIN_PATHS.invitations}/preview`, { token: `inv_${bad}` }],
  ['POST', `${ADMIN_PATHS.invitations}/accept`, { token: `inv_${bad}`, name: 'x', email: 'x@example.com', password: 'seven blue whales' }],
  ['POST', `${ADMIN_PATHS.invitations}/accept`, { token: 'inv_', name: 'x', email: `x${bad}@example.com`, password: 'seven blue whales' }],
  ['POST', `${ADMIN_PATHS.invitations}/accept`, { token: 'inv_', name: 'x', email: 'x@example.com', password: `seven ${bad} whales` }],
  ['PATCH', ADMIN_PATHS.settings, { redact: [`pin${bad}`] }],
  ['POST', `${ADMIN_PATHS.auth}/sign-in/email`, { email: `x${bad}@example.com`, password: 'x' }],
  ['POST', `${ADMIN_PATHS.auth}/sign-in/email`, { email: 'x@example.com', password: bad }],
  ['POST', `${ADMIN_PATHS.auth}/revoke-session`, { token: bad }],
  ['POST', `${ADMIN_PATHS.auth}/change-password`, { currentPassword: bad, newPassword: 'seven red whales' }],
  ['POST', `${ADMIN_PATHS.auth}/change-password`, { currentPassword: 'seven blue whales', newPassword: `seven ${bad} whales` }],
  ['POST', `${ADMIN_PATHS.auth}/passkey/update-passkey`, { id: bad, name: 'x' }],
  ['POST', `${ADMIN_PATHS.auth}/passkey/update-passkey`, { id: 'pas_1', name: bad }],
  ['POST', `${ADMIN_PATHS.auth}/passkey/delete-passkey`, { id: bad }],
  ['POST', `${ADMIN_PATHS.auth}/passkey/verify-registration`, { response: { id: bad }, name: 'x' }],
  ['POST', `${ADMIN_PATHS.auth}/passkey/verify-authentication`, { response: { id: bad, rawId: bad } }],
];

async function stage() {
  const provider = await startOidcProvider();
  const oidc = { issuer: provider.issuer, ...CLIENT };
  const service = await startConsole({
    database: await newDatabase(),
    console: { publicUrl: 'http://console.example', oidc },
  });
  const key = await service.owner.json<CreatedKey>('POST', PATHS.keys, { kind: 'agent', name: 'x' });
  const codeOf = async (method: string, path: string, body?: object | string): Promise<unknown> => {
    const asked = path.replace(':key', key.id).replace(':person', service.owner.id);
    const response = await service.owner.ask(method, asked, body, { redirect: 'manual' });
    return response.status < 400 ? response.status : ((await response.json()) as { code: string }).code;
  };
  return { service, key, codeOf };
}

test('no address with such a text in it is a fault of the service', async () => {
  const { codeOf } = await stage();
  for (const [method, path, body] of ADDRESSES) {
    expect(REFUSED, `${method} ${path}`).toContain(await codeOf(method, path.replaceAll('*', '%00'), body));
    // Invalid UTF-8 is read as other characters, or unchanged: an unknown id.
    const other = await codeOf(method, path.replaceAll('*', '%ED%A0%80'), body);
    expect([200, 302, ...REFUSED], `${method} ${path}`).toContain(other);
  }
});

test.each([
  ['U+0000', NUL],
  ['half a character', HALF],
])('no body with %s in it is taken', async (_, bad) => {
  const { codeOf } = await stage();
  for (const [method, path, body] of bodies(bad)) {
    const code = await codeOf(method, path, body);
    expect(code, `${method} ${path} ${JSON.stringify(body)}`).toBe('INVALID_REQUEST');
  }
});

test('a body as deep as it may be long is read to its end', async () => {
  const { codeOf } = await stage();
  const depth = 500_000;
  expect(await codeOf('POST', PATHS.keys, `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`)).toBe('INVALID_REQUEST');
});

test('calls and searches as a key with such texts are answered, and the pages that show them too', async () => {
  const { service, key, codeOf } = await stage();
  await service.owner.json('PATCH', ADMIN_PATHS.settings, { searchTexts: 'all', content: 'all' });
  for (const bad of [NUL, HALF]) {
    for (const what of ['invoke', 'resolve'])
      expect(REFUSED).toContain(await codeOf('POST', `${PATHS.keys}/${key.id}/${what}`, { action: `a__b${bad}` }));
    expect(await codeOf('POST', `${PATHS.keys}/${key.id}/search`, { query: `x${bad}` })).toBe(200);
    // A search in the console is not recorded.
    expect((await service.as(key.key).ask('POST', PATHS.search, { query: `x${bad}` })).status).toBe(200);
  }
  await expect
    .poll(async () => (await service.owner.json<SearchReportsPage>('GET', ADMIN_PATHS.searches)).searches.length)
    .toBeGreaterThan(0);
  expect(await codeOf('GET', ADMIN_PATHS.invocations)).toBe(200);
});
