/**
 * Attacks on the connect page: links, cookies, states, codes, rows and users that are stolen, swapped, replayed or forwarded. No attempt makes an
 * account usable for another one than its owner.
 */
import { describe, expect, test } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import { type ConsoleService, startConsole } from '../../../../test/support/console-service';
import { sha256Hex } from '../../../src/lib/sha256-hex';
import { type App, type ConnectStage, startConnectStage } from '../../support/connections/connect-stage';
import { codeOn, type OpenedPage, type PageBrowser } from '../../support/connections/page-browser';

const confirm = (app: App, code: string, userId: string) => app.ask('POST', PATHS.connectionConfirmations, { code, userId });
const session = (app: App, userId: string) => app.ask<{ url: string }>('POST', PATHS.connectionSessions, { userId, toolkits: ['github'] });
const kept = (app: App, userId: string) => app.ask<{ connections: unknown[] }>('GET', `${PATHS.connections}?userId=${userId}`);

/** No account of these users can be used. */
async function expectNothing(app: App, ...userIds: string[]): Promise<void> {
  for (const userId of userIds) {
    expect(await kept(app, userId)).toEqual({ connections: [] });
    await expect(app.call(userId)).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
  }
}

/** A victim with an open page, and a browser that was sent to the provider. */
async function atProvider() {
  const stage = await startConnectStage();
  const provider = await stage.withProvider();
  const { authorizationUrl, tokenUrl } = provider;
  await stage.addToolkit('other', { type: 'oauth2', from: 'user', authorizationUrl, tokenUrl });
  const app = await stage.app();
  const victim = stage.browser();
  const { url } = await session(app, 'victim');
  const { left } = await victim.submit(await victim.open(url));
  const back = await provider.signIn(left!, 'victim-account');
  return { stage, provider, app, victim, url, left: left!, back };
}

type Attack = (parts: Awaited<ReturnType<typeof atProvider>> & { attacker: PageBrowser }) => Promise<OpenedPage>;
const changed = (url: URL, change: Record<string, string>) => {
  const next = new URL(url);
  for (const [name, value] of Object.entries(change)) next.searchParams.set(name, value);
  return next.href;
};
const without = (url: URL, name: string) => {
  const next = new URL(url);
  next.searchParams.delete(name);
  return next.href;
};

describe('the return from the provider is refused', () => {
  test.each<[string, Attack]>([
    ['in a browser without the cookie', ({ attacker, back }) => attacker.open(back.href)],
    [
      'in a browser with another cookie',
      ({ attacker, back }) => {
        attacker.jar.cookies.set('svc-connect', 'a'.repeat(43));
        return attacker.open(back.href);
      },
    ],
    [
      'in a browser with the hash of the cookie',
      ({ attacker, victim, back }) => {
        attacker.jar.cookies.set('svc-connect', sha256Hex(victim.jar.cookies.get('svc-connect') ?? '').slice(0, 43));
        return attacker.open(back.href);
      },
    ],
    [
      'in a browser with two cookies of the name, the wrong one first',
      ({ attacker, victim, back }) =>
        attacker.open(back.href, {
          headers: { cookie: `svc-connect=${'a'.repeat(43)}; svc-connect=${victim.jar.cookies.get('svc-connect')}` },
        }),
    ],
    ['without a state', ({ victim, back }) => victim.open(without(back, 'state'))],
    ['with an empty state', ({ victim, back }) => victim.open(changed(back, { state: '' }))],
    ['with a state of nobody', ({ victim, back }) => victim.open(changed(back, { state: 'x'.repeat(43) }))],
    [
      'with the hash of the state',
      ({ victim, back }) => victim.open(changed(back, { state: sha256Hex(back.searchParams.get('state') ?? '') })),
    ],
    ['with the iss of another provider', ({ victim, back }) => victim.open(changed(back, { iss: 'https://evil.example' }))],
    ['with two issuers', ({ victim, back }) => victim.open(`${back.href}&iss=https://evil.example`)],
    ['with two states', ({ victim, back }) => victim.open(`${back.href}&state=x`)],
    ['with a code of nobody', ({ victim, back }) => victim.open(changed(back, { code: 'x'.repeat(43) }))],
    ['without a code', ({ victim, back }) => victim.open(without(back, 'code'))],
    ['at the address of another toolkit', ({ victim, back }) => victim.open(back.href.replace('/github?', '/other?'))],
    ['at the address without a toolkit', ({ victim, back }) => victim.open(back.href.replace('/github?', '?'))],
    ['by POST', ({ victim, back }) => victim.open(back.href.split('?')[0]!, { method: 'POST', body: new URLSearchParams(back.search) })],
    [
      'with the code of the attacker and the state of the victim',
      async ({ stage, provider, app, victim, attacker, back }) => {
        const { left } = await attacker.submit(await attacker.open((await session(app, 'attacker')).url));
        const own = await provider.signIn(left!, 'attacker-account');
        const page = await victim.open(changed(back, { code: own.searchParams.get('code') ?? '' }));
        expect(await stage.onStore(({ connect }) => connect.flowsOfLink('none'))).toEqual([]);
        return page;
      },
    ],
    [
      'with the state of the attacker, in the browser of the victim',
      async ({ app, victim, attacker, back }) => {
        const { left } = await attacker.submit(await attacker.open((await session(app, 'attacker')).url));
        return victim.open(changed(back, { state: left!.searchParams.get('state') ?? '' }));
      },
    ],
  ])('%s', async (how, attack) => {
    const parts = await atProvider();
    const page = await attack({ ...parts, attacker: parts.stage.browser() });
    expect(page.text).not.toMatch(/Connected/);
    await expectNothing(parts.app, 'victim', 'attacker');
    // Only a code that the provider has to judge reaches it.
    if (!/with (?:a|the) code/.test(how)) expect(parts.provider.requests).not.toContain('/token');
  });

  test('a second time: the page shows how it ended, and the provider is not asked', async () => {
    const { provider, victim, back } = await atProvider();
    const page = await victim.open(back.href);
    const asked = provider.requests.length;
    expect(codeOn(await victim.open(back.href))).toBe(codeOn(page));
    await Promise.all(Array.from({ length: 5 }, () => victim.open(back.href)));
    expect(provider.requests).toHaveLength(asked);
  });

  test('ten times at once: the code is exchanged once', async () => {
    const { provider, victim, back } = await atProvider();
    await Promise.all(Array.from({ length: 10 }, () => victim.open(back.href)));
    expect(provider.requests.filter((path) => path === '/token')).toHaveLength(1);
  });

  test('after the link was opened again: the earlier try is over', async () => {
    const { victim, url, back, app } = await atProvider();
    const { left } = await victim.submit(await victim.open(url));
    expect((await victim.open(back.href)).status).toBe(404);
    expect(left!.searchParams.get('state')).not.toBe(back.searchParams.get('state'));
    await expectNothing(app, 'victim');
  });
});

describe('a forwarded link', () => {
  test('of an attacker: the account of the victim who follows it ends, when the app knows whose browser it was', async () => {
    const { stage, provider, app } = await atProvider();
    const { url } = await session(app, 'attacker');
    const victim = stage.browser();
    const { left } = await victim.submit(await victim.open(url));
    const code = codeOn(await victim.open((await provider.signIn(left!, 'victim-account')).href));
    await expect(confirm(app, code, 'victim')).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
    for (const userId of ['attacker', 'victim'])
      await expect(confirm(app, code, userId)).rejects.toMatchObject({ code: /CONFLICT|NOT_PERMITTED/ });
    await expectNothing(app, 'attacker', 'victim');
    await expect.poll(() => provider.requests).toContain('/token/revocation');
    expect((await victim.open(url)).text).toContain('This connection was ended');
  });

  test('shows for whom it is before anything happens, and opening it changes nothing', async () => {
    const { stage, app } = await atProvider();
    const { url } = await session(app, 'attacker');
    const previews = await Promise.all(Array.from({ length: 5 }, () => stage.browser().open(url)));
    for (const { text } of previews) expect(text).toContain('for its user attacker');
    await fetch(url, { method: 'HEAD' });
    const victim = stage.browser();
    expect((await victim.submit(await victim.open(url))).left).toBeDefined();
  });

  test('that another browser took first does not work, neither to see the code nor to connect', async () => {
    const stage = await startConnectStage();
    const app = await stage.app();
    const { url } = await session(app, 'victim');
    const [victim, thief] = [stage.browser(), stage.browser()];
    const open = await thief.open(url);
    const code = codeOn(await victim.submit(await victim.open(url), { token: 'of-the-victim' }));
    for (const page of [await thief.open(url), await thief.submit(open, { token: 'of-the-thief' })]) {
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('opened in another browser')]);
      expect(page.html).not.toContain(code);
    }
    await confirm(app, code, 'victim');
    expect(await app.call('victim')).toMatchObject({ token: 'of-the-victim' });
  });

  test.each(['everyone', 'agent'] as const)('to the account of %s needs the session of a person who may connect it', async (from) => {
    const stage = await startConnectStage<ConsoleService>({ type: 'bearer', from }, {}, startConsole);
    const app = await stage.app();
    const { pathname } = new URL((await app.required('u')).url);
    const mia = await stage.service.join('mia');
    for (const browser of [stage.browser(), stage.browser(mia.cookie), stage.browser(mia.cookie.replace(/.{8}$/, 'aaaaaaaa'))]) {
      const page = await browser.post(pathname, { toolkit: 'github', token: 'stolen' });
      expect(page.left?.pathname ?? page.status).toBe(page.left ? '/sign-in' : 403);
    }
    const key = await stage.service.keys.create({ kind: 'admin', name: 'admin' });
    const bearer = await stage.browser().post(pathname, { toolkit: 'github', token: 'stolen' }, { authorization: `Bearer ${key.key}` });
    expect(bearer.left?.pathname).toBe('/sign-in');
    await expect(app.call('u')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
  });
});

describe('the form is refused', () => {
  test.each<[string, (browser: PageBrowser, path: string) => Promise<OpenedPage>]>([
    ['from another site', (browser, path) => browser.post(path, { toolkit: 'github', token: 't' }, { origin: 'https://evil.example' })],
    [
      'from another port of this machine',
      (browser, path) => browser.post(path, { toolkit: 'github', token: 't' }, { origin: 'http://127.0.0.1:1' }),
    ],
    ['from a sandboxed frame', (browser, path) => browser.post(path, { toolkit: 'github', token: 't' }, { origin: 'null' })],
    [
      'from another site that sends no origin',
      (browser, path) =>
        browser.open(path, {
          method: 'POST',
          body: new URLSearchParams({ toolkit: 'github', token: 't' }),
          headers: { 'sec-fetch-site': 'cross-site' },
        }),
    ],
    ['for a toolkit that the link does not name', (browser, path) => browser.post(path, { toolkit: 'other', token: 't' })],
    ['for a toolkit by its prototype', (browser, path) => browser.post(path, { toolkit: '__proto__', token: 't' })],
    ['for no toolkit', (browser, path) => browser.post(path, { token: 't' })],
    [
      'with another token',
      (browser, path) => browser.post(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, { toolkit: 'github', token: 't' }),
    ],
    [
      'with the hash of the token',
      (browser, path) =>
        browser.post(
          path.replace(/[^/]+$/, (token) => sha256Hex(token)),
          { toolkit: 'github', token: 't' },
        ),
    ],
    [
      'as JSON',
      (browser, path) =>
        browser.open(path, {
          method: 'POST',
          body: '{"toolkit":"github","token":"t"}',
          headers: { origin: new URL(browser.origin).origin, 'content-type': 'application/json' },
        }),
    ],
  ])('%s', async (_how, attack) => {
    const stage = await startConnectStage();
    await stage.addToolkit('other', { type: 'bearer', from: 'user' });
    const app = await stage.app();
    const browser = stage.browser();
    const page = await attack(browser, new URL((await session(app, 'u')).url).pathname);
    expect([400, 403, 404]).toContain(page.status);
    await expectNothing(app, 'u');
  });

  test('after the link expired, was pushed out by newer ones, or began twenty times', async () => {
    const stage = await startConnectStage();
    const app = await stage.app();
    const browser = stage.browser();
    const { url } = await session(app, 'u');
    const page = await browser.open(url);
    for (let each = 0; each < 20; each++) await session(app, 'u');
    expect((await browser.submit(page, { token: 't' })).status).toBe(404);

    const next = await browser.open((await session(app, 'u')).url);
    await stage.asks({ type: 'bearer', from: 'user', account: { url: `${stage.service.url}/v1/none`, field: '/x' } });
    const first = await browser.submit(next, { token: 't' });
    const tries = await Promise.all(Array.from({ length: 24 }, () => browser.submit(next, { token: 't' })));
    expect([first, ...tries].filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(Array(5).fill(404));
    await expectNothing(app, 'u');
  });
});

describe('a code is refused', () => {
  async function awaiting() {
    const stage = await startConnectStage();
    const [app, other] = [await stage.app(), await stage.app('Other bot')];
    const browser = stage.browser();
    const code = codeOn(await browser.submit(await browser.open((await session(app, 'u')).url), { token: 'of-u' }));
    return { stage, app, other, code };
  }

  test.each<[string, (parts: Awaited<ReturnType<typeof awaiting>>) => Promise<unknown>]>([
    ['from another app', ({ other, code }) => confirm(other, code, 'u')],
    [
      'from a page with a token of the app',
      async ({ stage, app, code }) => {
        const { token } = await app.ask<{ token: string }>('POST', PATHS.tokens, { userId: 'u', ttlSeconds: 60 });
        const answer = await fetch(stage.service.url + PATHS.connectionConfirmations, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ code, userId: 'u' }),
        });
        throw await answer.json();
      },
    ],
    ['for another user', ({ app, code }) => confirm(app, code, 'v')],
    ['for the user in another spelling', ({ app, code }) => confirm(app, code, 'U')],
    ['for a user whose name begins with it', ({ app, code }) => confirm(app, code, 'u:x')],
    ['that is another one', ({ app }) => confirm(app, 'AAAAA-AAAAA', 'u')],
    ['that is its hash', ({ app, code }) => confirm(app, sha256Hex(code), 'u')],
    ['that is empty', ({ app }) => confirm(app, '', 'u')],
  ])('%s', async (_how, attack) => {
    const parts = await awaiting();
    await expect(attack(parts)).rejects.toMatchObject({ code: expect.stringMatching(/NOT_FOUND|NOT_PERMITTED|WRONG_KEY_KIND/) });
    await expectNothing(parts.app, 'u', 'v', 'U', 'u:x');
    await expectNothing(parts.other, 'u');
  });

  test('the second time, and of ten at once nine times', async () => {
    const { app, code } = await awaiting();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => confirm(app, code, 'u')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(confirm(app, code, 'u')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await app.call('u')).toMatchObject({ token: 'of-u' });
  });

  test('after five wrong ones of its user', async () => {
    const { app, other, code } = await awaiting();
    for (let each = 0; each < 6; each++) {
      await expect(confirm(other, 'AAAAA-AAAAA', 'u')).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(confirm(app, 'AAAAA-AAAAA', 'v')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    for (let each = 0; each < 5; each++) await expect(confirm(app, 'AAAAA-AAAAA', 'u')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(confirm(app, code, 'u')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expectNothing(app, 'u');
  });

  test('after its flow expired, and the account is never used', async () => {
    const { stage, app, code } = await awaiting();
    await stage.onStore(async ({ connect }) => {
      const flow = await connect.flowByCode(sha256Hex(code));
      await connect.changeFlow(flow!.id, 'awaiting', { status: 'awaiting', forMs: -1 });
    });
    await expect(confirm(app, code, 'u')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expectNothing(app, 'u');
  });
});

describe('a row that is moved does not open', () => {
  async function withFlow(work: (stage: ConnectStage, flow: { id: string; code: string }, app: App) => Promise<void>) {
    const stage = await startConnectStage();
    const app = await stage.app();
    const browser = stage.browser();
    const { url } = await session(app, 'u');
    const code = codeOn(await browser.submit(await browser.open(url), { token: 'of-u' }));
    const flow = await stage.onStore(({ connect }) => connect.flowByCode(sha256Hex(code)));
    await work(stage, { id: flow!.id, code }, app);
  }

  test.each<[string, object]>([
    ['to another user', { owner: 'other' }],
    ['to another toolkit', { toolkitId: 'other' }],
    ['to another flow', { id: 'flow_other' }],
  ])('%s', async (_where, change) => {
    await withFlow(async (stage, { code }, app) => {
      const copied = 'K7K7K-K7K7K';
      await stage.onStore(async ({ connect }) => {
        const { problem, createdAt, expiresAt, readAt, ...flow } = (await connect.flowByCode(sha256Hex(code)))!;
        const moved = { ...flow, id: 'flow_copy', stateHash: null, codeHash: sha256Hex(copied), ...change };
        await connect.addFlow({ ...moved, owner: 'owner' in change ? flow.owner.replace(/u$/, 'v') : flow.owner }, 60_000);
      });
      const userId = 'owner' in change ? 'v' : 'u';
      await expect(confirm(app, copied, userId)).rejects.toMatchObject({ code: 'CONFLICT' });
      await expectNothing(app, userId);
    });
  });
});

test('a page with texts of an attacker is text', async () => {
  const stage = await startConnectStage({ type: 'bearer', from: 'user', help: '<script>alert(1)</script>\u202e' });
  const app = await stage.app('"><img src=x onerror=alert(1)>');
  const page = await stage.browser().open((await session(app, '<b>u</b>')).url);
  expect(page.html).not.toMatch(/<script|<img|<b>u|\u202e/);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self'$/,
  );
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual(['no-store', 'same-origin']);
});

test("an app reaches neither another app's accounts nor those of its users", async () => {
  const stage = await startConnectStage();
  const [app, other] = [await stage.app(), await stage.app('Other bot')];
  const browser = stage.browser();
  await confirm(app, codeOn(await browser.submit(await browser.open((await session(app, 'u')).url), { token: 'of-u' })), 'u');
  const { connections } = await app.ask<{ connections: { id: string }[] }>('GET', `${PATHS.connections}?userId=u`);
  const path = `${PATHS.connections}/${connections[0]!.id}`;
  expect(await kept(other, 'u')).toEqual({ connections: [] });
  for (const [who, query] of [
    [other, '?userId=u'],
    [app, '?userId=v'],
    [app, ''],
    [other, ''],
  ] as const) {
    await expect(who.ask('DELETE', path + query)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(who.ask('PATCH', path + query, { default: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await app.call('u')).toMatchObject({ token: 'of-u' });
  await expect(other.call('u')).rejects.toMatchObject({ code: 'CONNECTION_REQUIRED' });
});
