// @module-tag chromium
/** Attacks without an account, with another account, or with a page that a signed-in person opens. */
import type { Cookie, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMIN_PATHS, type AuditPage, type OwnedKeysPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import type { Visitor } from '../../../test/support/browser';
import { askApi, callApi, fillSignIn, join, MEMBER, OWNER, openConsole, signIn } from '../../../test/support/console';
import { otherSite } from '../support/other-site';

const OWNERS_PAGES = ['/review', '/people', '/audit', '/settings'];

/** The data that another site could have changed. */
async function changeable(page: Page): Promise<unknown> {
  return {
    keys: (await callApi<OwnedKeysPage>(page, PATHS.keys)).keys.map(({ id, name, revokedAt }) => ({ id, name, revokedAt })),
    audit: (await callApi<AuditPage>(page, ADMIN_PATHS.audit)).entries.length,
    settings: await callApi(page, ADMIN_PATHS.settings),
  };
}

const sessionOf = async ({ context }: Visitor): Promise<Cookie | undefined> =>
  (await context.cookies()).find(({ name }) => name.includes('session'));

test('a person who guesses passwords has to wait, and the page shows the time', async () => {
  const service = await openConsole();
  await service.owner();
  const attacker = await service.visitor();
  attacker.mayBeRefused(401, /sign-in/);
  attacker.mayBeRefused(429, /sign-in/);
  await attacker.page.goto('/sign-in');
  for (let guess = 1; guess <= 5; guess++) {
    const answered = attacker.page.waitForResponse((response) => response.request().method() === 'POST');
    await fillSignIn(attacker.page, { email: OWNER.email, password: `guess number ${guess}` });
    expect((await answered).status()).toBe(401);
    await attacker.page.getByRole('alert').getByText(/wrong/i).waitFor();
  }
  // Also with the right one: an answer to the sixth guess would be worth something.
  await fillSignIn(attacker.page, OWNER);
  const button = attacker.page.getByRole('button', { name: /^Try again in \d+ s$/ });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  await attacker.page.getByRole('alert').getByText('Too many attempts').waitFor();
  expect((await askApi(attacker.page, ADMIN_PATHS.me)).status).toBe(401);
});

test('every page redirects a stranger to the sign-in page, and after it back to the page, never elsewhere', async () => {
  const service = await openConsole();
  await service.owner();
  const stranger = await service.visitor();
  for (const path of ['/', '/keys', '/calls?outcome=error', ...OWNERS_PAGES]) {
    await stranger.page.goto(path);
    await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(stranger.page.url()).pathname).toBe('/sign-in');
  }
  await stranger.page.goto('/calls?outcome=error');
  await fillSignIn(stranger.page, OWNER);
  await stranger.page.waitForURL('**/calls?outcome=error');

  for (const from of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
    const victim = await service.visitor();
    await victim.page.goto(`/sign-in?from=${encodeURIComponent(from)}`);
    await fillSignIn(victim.page, OWNER);
    await victim.page.getByRole('button', { name: /^Account of/ }).waitFor();
    expect(new URL(victim.page.url()).origin).toBe(service.url);
    await victim.context.close();
  }
});

// The address 127.0.0.1 is another origin of the same site, so cookies are sent. The address localhost is another site.
test.each(['127.0.0.1', 'localhost'])('a page of %s that posts forms and requests changes nothing', async (host) => {
  const service = await openConsole();
  const owner = await service.owner();
  await owner.page.goto('/keys');
  const before = await changeable(owner.page);
  owner.mayBeRefused(400, /./);
  owner.mayBeRefused(401, /./);
  owner.mayBeRefused(403, /./);
  owner.mayBeRefused(404, /./);
  owner.mayBeRefused(415, /./);
  owner.mayComplain(/CORS policy|net::ERR_FAILED/);
  const targets = [PATHS.keys, ADMIN_PATHS.invitations, ADMIN_PATHS.settings, `${ADMIN_PATHS.auth}/sign-out`];
  const url = await otherSite(
    `<!doctype html><title>x</title>
    ${targets
      .map(
        (path) => `<form method="post" enctype="text/plain" action="${service.url}${path}">
          <input name='{"kind":"admin","name":"stolen","role":"owner","content":"all","x":"' value='"}'></form>`,
      )
      .join('')}`,
    host,
  );
  const evil = await owner.context.newPage();
  for (const [index] of targets.entries()) {
    await evil.goto(url);
    const [answer] = await Promise.all([evil.waitForNavigation(), evil.evaluate((form) => document.forms[form]?.submit(), index)]);
    expect(answer?.status(), `form to ${targets[index]}`).toBeGreaterThanOrEqual(400);
  }
  await evil.goto(url);
  const told = await evil.evaluate(
    async ({ origin, targets }) => {
      const body = '{"kind":"admin","name":"stolen","role":"owner","content":"all"}';
      const tries = targets.flatMap((path) => [
        fetch(origin + path, { method: 'POST', mode: 'no-cors', credentials: 'include', body }),
        fetch(origin + path, { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' }, body }),
        fetch(origin + path, { method: 'DELETE', credentials: 'include' }),
        fetch(origin + path, { credentials: 'include' }).then((answer) => answer.text()),
      ]);
      return (await Promise.allSettled(tries)).map((one) => (one.status === 'fulfilled' && typeof one.value === 'string' ? one.value : ''));
    },
    { origin: service.url, targets },
  );
  expect(told.join('')).toBe('');
  expect(await changeable(owner.page)).toEqual(before);
});

test('a session that was planted before a sign-in is not the session after it', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const attacker = await service.member(owner);
  const planted = await sessionOf(attacker);
  const victim = await service.visitor();
  await victim.page.goto('/sign-in');
  await victim.page.getByLabel('E-mail').waitFor();
  await victim.context.addCookies([planted!]);
  await fillSignIn(victim.page, OWNER);
  await victim.page.getByRole('button', { name: `Account of ${OWNER.name}` }).waitFor();
  expect((await sessionOf(victim))?.value).not.toBe(planted?.value);
  // A sign-in ends the earlier session, so a planted session is worthless.
  expect(await askApi(attacker.page, ADMIN_PATHS.me)).toMatchObject({ status: 401 });

  const madeUp = await service.visitor();
  await madeUp.context.addCookies([{ ...planted!, value: 'made-up.by-the-attacker' }]);
  await signIn(madeUp.page, OWNER);
  expect((await sessionOf(madeUp))?.value).not.toContain('made-up');
});

test('the cookie of a session is out of reach for scripts and other sites', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  await owner.page.goto('/account');
  expect(await sessionOf(owner)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect(await owner.page.evaluate(() => document.cookie)).toBe('');
});

test('a member gets to no page of owners, and nowhere with their API', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  const ownersKey = await service.keys.create({ kind: 'agent', name: 'of-the-owner' });
  const member = await service.member(owner);
  member.mayBeRefused(403, /./);
  member.mayBeRefused(404, /./);
  for (const path of OWNERS_PAGES) {
    await member.page.goto(path);
    await member.page.getByRole('heading', { name: /Only owners/ }).waitFor();
    expect(await member.page.getByText(OWNER.email).count()).toBe(0);
    expect(
      await member.page
        .getByRole('navigation')
        .getByRole('link', { name: /People|Audit log|Settings/ })
        .count(),
    ).toBe(0);
  }
  const { people } = await callApi<{ people: { id: string; email: string }[] }>(owner.page, ADMIN_PATHS.people);
  const self = people.find(({ email }) => email === MEMBER.email)?.id;
  const refused: [number, string, string, unknown?][] = [
    [403, 'GET', ADMIN_PATHS.people],
    [403, 'PATCH', `${ADMIN_PATHS.people}/${self}`, { role: 'owner' }],
    [403, 'GET', ADMIN_PATHS.invitations],
    [403, 'POST', ADMIN_PATHS.invitations, { role: 'owner' }],
    [403, 'GET', ADMIN_PATHS.audit],
    [403, 'GET', ADMIN_PATHS.settings],
    [403, 'PATCH', ADMIN_PATHS.settings, { content: 'all' }],
    [403, 'POST', PATHS.keys, { kind: 'admin', name: 'mine' }],
    [404, 'PATCH', `${PATHS.keys}/${ownersKey.id}`, { name: 'mine' }],
    [404, 'POST', `${PATHS.keys}/${ownersKey.id}/rotate`, {}],
    [404, 'DELETE', `${PATHS.keys}/${ownersKey.id}`],
  ];
  for (const [status, method, path, body] of refused)
    expect(await askApi(member.page, path, body, method), `${method} ${path}`).toMatchObject({ status });
  expect((await callApi<OwnedKeysPage>(member.page, PATHS.keys)).keys).toEqual([]);
});

test('a sign-out in one tab applies to all tabs, and the back button shows no data', async () => {
  const service = await openConsole();
  await service.keys.create({ kind: 'agent', name: 'very-secret-name' });
  const owner = await service.owner();
  owner.mayBeRefused(401, /^\/v1\//);
  await owner.page.goto('/keys');
  await owner.page.getByText('very-secret-name').waitFor();
  const other = await owner.context.newPage();
  await other.goto('/people');
  await other.getByText(OWNER.email).first().waitFor();

  await owner.page.getByRole('button', { name: /^Account of/ }).click();
  await owner.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();

  await other.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await other.getByText(OWNER.email).count()).toBe(0);

  await owner.page.goBack();
  await owner.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await owner.page.getByText('very-secret-name').count()).toBe(0);
  expect((await askApi(owner.page, PATHS.keys)).status).toBe(401);
});

test('the setup link makes one account, and its token is in no address that a server or the history gets', async () => {
  const service = await openConsole();
  const link = (await service.setupLink()) ?? '';
  const token = link.split('#')[1]!;
  const first = await service.visitor();
  const asked: string[] = [];
  first.context.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''));
  await join(first.page, link, OWNER);
  expect(asked.filter((url) => new URL(url || service.url).href.replace(/#.*/, '').includes(token))).toEqual([]);
  expect(first.page.url()).not.toContain(token);
  expect(await service.setupLink()).toBeUndefined();

  const second = await service.visitor();
  second.mayBeRefused(404, /invitations/);
  await second.page.goto(link);
  await second.page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
  expect(second.page.url()).not.toContain(token);
});

test('no other site can put the console into a frame', async () => {
  const service = await openConsole();
  const owner = await service.owner();
  owner.mayComplain(/frame-ancestors|X-Frame-Options|chrome-error|ERR_BLOCKED_BY_RESPONSE/);
  const { headers } = await fetch(service.url, { headers: { accept: 'text/html' } });
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
  const evil = await owner.context.newPage();
  await evil.goto(await otherSite(`<!doctype html><title>x</title><iframe src="${service.url}/keys"></iframe>`));
  const frame = evil.frames().find((one) => one !== evil.mainFrame());
  expect(await frame?.getByRole('heading').count()).toBe(0);
});

test('the policy of the pages allows no script and no style but those of the service', async () => {
  const service = await openConsole();
  for (const path of ['/', '/sign-in', '/keys']) {
    const { headers } = await fetch(service.url + path, { headers: { accept: 'text/html' } });
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
  }
  const owner = await service.owner();
  owner.mayComplain(/Content Security Policy/);
  await owner.page.goto('/account');
  const ran = await owner.page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.injected = true';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<img src="/icon.svg" onload="globalThis.injected = true">');
    return 'injected' in globalThis;
  });
  expect(ran).toBe(false);
});
