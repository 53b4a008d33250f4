import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { startConsole } from '../../../test/support/console-service';
import { startService } from '../../../test/support/service';

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

test('every address that a browser opens is the one page, under a policy that allows nothing but its own files', async () => {
  const { url } = await startService({ console: true });
  for (const path of ['/', '/keys', '/calls/inv_1?x=1', '/no/such/page']) {
    const answer = await fetch(url + path, asBrowser);
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(await answer.text()).toContain(`nonce="${nonce}"`);
  }
});

test('the consent page is there for clients that try it before a browser opens it', async () => {
  const { url } = await startService({ console: true });
  const answer = await fetch(`${url}${OAUTH_PATHS.authorize}?client_id=x`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  expect((await fetch(`${url}/keys`)).status).toBe(404);
});

test('the pages that apps open in their own window do not cut it off, all others do', async () => {
  const { url } = await startService({ console: true });
  for (const [path, policy] of [
    ['/oauth/authorize?client_id=x', 'unsafe-none'],
    ['/sign-in?from=%2Fkeys', 'unsafe-none'],
    ['/keys', 'same-origin'],
  ] as const)
    expect((await fetch(url + path, asBrowser)).headers.get('cross-origin-opener-policy'), path).toBe(policy);
});

test('HEAD is answered like GET, and there is an icon wherever browsers look for one', async () => {
  const { url } = await startService({ console: true });
  for (const path of ['/', '/keys']) {
    const answer = await fetch(url + path, { ...asBrowser, method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([200, 'text/html; charset=UTF-8']);
  }
  const icon = await fetch(`${url}/favicon.ico`);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
});

test('lists and reports of the API are compressed; answers that may hold secrets are not', async () => {
  const { owner } = await startConsole();
  const encodingOf = async (path: string) =>
    (await owner.ask('GET', path, undefined, { headers: { 'accept-encoding': 'br, gzip' } })).headers.get('content-encoding');
  expect(await encodingOf('/v1/openapi.json')).toBe('gzip');
  expect(await encodingOf(`${ADMIN_PATHS.stats}/series?window=24h`)).toBe('gzip');
  expect(await encodingOf(PATHS.keys)).toBeNull();
  expect(await encodingOf(`${ADMIN_PATHS.auth}/list-sessions`)).toBeNull();
});

test('until its script runs the page shows that it loads, and after a while an error', async () => {
  const { url } = await startService({ console: true });
  const page = await (await fetch(url, asBrowser)).text();
  expect(page).toContain('Loading the console…');
  expect(page).toMatch(/<style nonce="[^"]+">/);
});

test('no two answers have the same nonce', async () => {
  const { url } = await startService({ console: true });
  const policies = await Promise.all([1, 2, 3].map(async () => (await fetch(url, asBrowser)).headers.get('content-security-policy')));
  expect(new Set(policies).size).toBe(3);
});

test('the files of the page are compressed and cached', async () => {
  const { url } = await startService({ console: true });
  const page = await (await fetch(url, asBrowser)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  const answer = await fetch(url + script, { headers: { 'accept-encoding': 'br, gzip' } });
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('programs are answered as before: JSON at /, problems at unknown addresses', async () => {
  const { url } = await startService({ console: true });
  expect(await (await fetch(url)).json()).toMatchObject({ service: 'svc-sdk' });
  for (const path of ['/v1/nothing', '/assets/nothing.js', '/mcp/nothing', '/assets/..%2f..%2fservice.js']) {
    const answer = await fetch(url + path, asBrowser);
    expect(answer.status, path).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  }
  expect((await fetch(`${url}/healthz`, asBrowser)).headers.get('content-type')).toContain('application/json');
});

test('without the console a browser gets JSON, and its pages are unknown', async () => {
  const { url } = await startService();
  expect(await (await fetch(url, asBrowser)).json()).toMatchObject({ service: 'svc-sdk' });
  expect((await fetch(`${url}/keys`, asBrowser)).status).toBe(404);
});

test('each text of the build has its compressed forms beside it', () => {
  const files = readdirSync(new URL('../../dist/console/assets', import.meta.url));
  const texts = files.filter((name) => /\.(js|css)$/.test(name));
  expect(texts.length).toBeGreaterThan(5);
  for (const name of texts) expect(files).toEqual(expect.arrayContaining([`${name}.gz`]));
});

test('the console gets the types of the admin API without the schemas of the service', () => {
  const assets = new URL('../../dist/console/assets/', import.meta.url);
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(scripts.filter((name) => readFileSync(new URL(name, assets), 'utf8').includes('_zod'))).toEqual([]);
});
