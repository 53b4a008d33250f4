/** Attacks on the consent: other sites, frames, other people, old sign-ins, wrong addresses. Only a person in the console connects an app. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { ADMIN_PATHS, type AuthorizationRequest, type ConnectedAppsPage, type OwnedKeysPage } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { type Asker, type ConsoleService, type SignedInPerson, startConsole } from '../../../../test/support/console-service';
import { makeFolder } from '../../../../test/support/folder';
import { OAuthClient, postJson, REDIRECT } from '../../support/oauth-client';
import { ageSignIns } from '../../support/old-sign-ins';

const REQUESTS = `${ADMIN_PATHS.oauth}/requests`;
const DECISIONS = `${ADMIN_PATHS.oauth}/decisions`;

async function expectNoKey({ owner }: ConsoleService): Promise<void> {
  const { keys } = await owner.json<OwnedKeysPage>('GET', PATHS.keys);
  expect(keys.filter(({ name }) => name.includes('Probe'))).toEqual([]);
}

const decide = (asker: Asker, client: OAuthClient, more: object = {}) =>
  asker.ask('POST', DECISIONS, { query: client.query(), decision: 'allow', ...more });

async function problemOf(answer: Response): Promise<[number, string]> {
  return [answer.status, (await answer.json()).code];
}

test('a decision that another site causes is refused, in any form that a browser can send', async () => {
  const service = await startConsole();
  const { url, owner } = service;
  const client = await OAuthClient.register(url);
  const json = JSON.stringify({ query: client.query(), decision: 'allow' });
  const form = new URLSearchParams({ query: client.query(), decision: 'allow' }).toString();
  const [type, evil] = ['content-type', 'https://evil.example'];
  const attacks: Record<string, [Record<string, string>, string]> = {
    'another origin': [{ origin: evil, [type]: 'application/json' }, json],
    'no origin': [{ [type]: 'application/json' }, json],
    'the origin null, of a sandboxed frame': [{ origin: 'null', [type]: 'application/json' }, json],
    'the same host with another port': [{ origin: 'http://127.0.0.1:1', [type]: 'application/json' }, json],
    'the host as a part of another': [{ origin: `${url}.evil.example`, [type]: 'application/json' }, json],
    'no origin, from the same site': [{ 'sec-fetch-site': 'same-site', [type]: 'application/json' }, json],
    'no origin, from another site': [{ 'sec-fetch-site': 'cross-site', [type]: 'application/json' }, json],
    'a form': [{ origin: evil, [type]: 'application/x-www-form-urlencoded' }, form],
    'a form of this origin': [{ origin: url, [type]: 'application/x-www-form-urlencoded' }, form],
    'plain text of this origin': [{ origin: url, [type]: 'text/plain' }, json],
    'a multipart form of this origin': [{ origin: url, [type]: 'multipart/form-data; boundary=x' }, `--x\r\n\r\n${json}\r\n--x--`],
  };
  for (const [attack, [headers, body]] of Object.entries(attacks)) {
    const answer = await fetch(url + DECISIONS, { method: 'POST', headers: { cookie: owner.cookie, ...headers }, body });
    expect([attack, ...(await problemOf(answer))]).toEqual([attack, 403, 'NOT_PERMITTED']);
  }
  const byLink = await fetch(`${url + DECISIONS}?${form}`, { headers: { cookie: owner.cookie } });
  expect(byLink.status).toBe(404);
  await expectNoKey(service);
});

test('the page of the consent is in no frame, and its address leads nowhere by itself', async () => {
  const { url, owner } = await startConsole();
  const client = await OAuthClient.register(url, { redirect_uris: ['https://app.example/cb'] });
  const broken = { code_challenge: undefined, response_type: 'token' };
  for (const query of [client.query(), client.query(broken), client.query({ redirect_uri: 'https://evil.example' }), '']) {
    for (const cookie of ['', owner.cookie]) {
      const headers = { accept: 'text/html', cookie };
      const page = await fetch(`${url}${OAUTH_PATHS.authorize}?${query}`, { headers, redirect: 'manual' });
      expect([page.status, page.headers.get('location'), page.headers.get('refresh')]).toEqual([200, null, null]);
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(await page.text()).not.toContain('evil.example');
    }
  }
  expect(
    (await fetch(url + OAUTH_PATHS.authorize, { method: 'POST', body: new URLSearchParams(client.query()), redirect: 'manual' })).status,
  ).toBe(404);
});

describe('a decision is made', () => {
  test('by no key, no token and no former session', async () => {
    const service = await startConsole();
    const { url, owner } = service;
    const client = await OAuthClient.register(url);
    const other = await OAuthClient.register(url, { client_name: 'Other' });
    const tokens = await other.signIn(owner);
    const [agent, admin] = await Promise.all((['agent', 'admin'] as const).map((kind) => service.keys.create({ kind, name: kind })));
    for (const key of [agent!.key, admin!.key, tokens.access_token, tokens.refresh_token, 'x'])
      expect((await decide(service.as(key), client)).status).toBeGreaterThanOrEqual(401);
    expect(await problemOf(await decide(service.as(), client))).toEqual([401, 'NOT_SIGNED_IN']);

    const mia = await service.join('mia');
    expect((await mia.ask('POST', `${ADMIN_PATHS.auth}/sign-out`, {})).ok).toBe(true);
    expect(await problemOf(await decide(mia, client))).toEqual([401, 'NOT_SIGNED_IN']);
    const tom = await service.join('tom');
    await owner.json('DELETE', `${ADMIN_PATHS.people}/${tom.id}`);
    expect(await problemOf(await decide(tom, client))).toEqual([401, 'NOT_SIGNED_IN']);
    await expectNoKey(service);
  });

  test('for the person of the session alone', async () => {
    const { url, owner, join } = await startConsole();
    const mia = await join('mia');
    const client = await OAuthClient.register(url);
    for (const more of [{ personId: owner.id }, { owner: owner.id }, { keyId: 'key_x' }, { limits: { ownerId: owner.id } }])
      expect(await problemOf(await decide(mia, client, more))).toEqual([400, 'INVALID_REQUEST']);
    await client.signIn(mia);
    const appsOf = async (person: SignedInPerson) => (await person.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps)).apps;
    expect((await appsOf(owner)).map((app) => app.owner?.id)).toEqual([mia.id]);
    // The same client of another person has a key of its own.
    await client.signIn(owner);
    expect(new Set((await appsOf(owner)).map(({ id }) => id)).size).toBe(2);
    expect(await appsOf(mia)).toHaveLength(1);
  });

  test('with a fresh sign-in, and a refusal with any', async () => {
    const folder = makeFolder();
    onTestFinished(folder.remove);
    const service = await startConsole({ data: folder.path });
    const client = await OAuthClient.register(service.url);
    ageSignIns(folder.path, 16);
    expect(await problemOf(await decide(service.owner, client))).toEqual([403, 'FRESH_SIGN_IN_REQUIRED']);
    await expectNoKey(service);
    expect(await client.decide(service.owner, { decision: 'deny' })).toMatchObject({ error: 'access_denied' });
    expect(await service.owner.json('POST', REQUESTS, { query: client.query() })).toMatchObject({ redirectTo: 'localhost' });
  });

  test('ten times at once for one key', async () => {
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const codes = await Promise.all(Array.from({ length: 10 }, () => client.code(owner)));
    for (const code of codes) expect((await client.exchange(code)).status).toBe(200);
    const { apps } = await owner.json<ConnectedAppsPage>('GET', ADMIN_PATHS.connectedApps);
    expect(apps.map(({ signIns }) => signIns)).toEqual([10]);
  });
});

describe('a code goes to no other address', () => {
  test.each([
    ...[
      'http://app.example/cb',
      'https://app.example/cb#x',
      'https://user@app.example/cb',
      'https://app.example/a/../cb',
      'HTTPS://app.example/cb',
    ],
    ...[
      '//app.example/cb',
      '/cb',
      'javascript:alert(1)//',
      'data:text/html,x',
      'file:///cb',
      'blob:https://app.example/x',
      'vbscript:x',
      'about:blank',
    ],
    ...[
      'https://app.example/cb\r\nx',
      'https://app.example\\@evil.example',
      'http://127.0.0.1@evil.example',
      'http://127.1/cb',
      'http://localhost.evil.example',
    ],
  ])('%j is not registered', async (redirect) => {
    const { url } = await startConsole();
    const answer = await postJson(url + OAUTH_PATHS.registerClient, {
      redirect_uris: [REDIRECT, redirect],
      token_endpoint_auth_method: 'none',
    });
    expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_redirect_uri']);
  });

  test('than the registered one, on any port of this machine', async () => {
    const service = await startConsole();
    const { url, owner } = service;
    const hosted = await OAuthClient.register(url, { redirect_uris: ['https://app.example/cb'] });
    const local = await OAuthClient.register(url);
    const wrong = [
      ...[
        'https://app.example/cb/',
        'https://app.example/cb?next=https://evil.example',
        'https://app.example/CB',
        'https://app.example/c%62',
      ],
      ...[
        'https://app.example:443/cb',
        'https://APP.example/cb',
        'https://app.example./cb',
        'https://app.example.evil.example/cb',
        'https://evil.example/cb',
      ],
      ...[
        'https://app.example/cb/../evil',
        'https://app.example/cb%2f..%2fevil',
        'https://app.example@evil.example/cb',
        ' https://app.example/cb',
      ],
      ...[
        'https://app.example/cb#',
        'https://app.example/cb\t',
        'https:/app.example/cb',
        'https:app.example/cb',
        'http://app.example/cb',
        '//app.example/cb',
      ],
      ...[
        'http://127.0.0.1:1@evil.example/callback',
        'http://127.0.0.1:1/callback/',
        'http://127.0.0.1:1/other',
        'https://127.0.0.1:33418/callback',
      ],
      ...[
        'http://localhost:33418/callback',
        'http://[::1]:33418/callback',
        'http://127.0.0.2:33418/callback',
        'http://127.1:33418/callback',
      ],
      ...[
        'http://127.0.0.1.evil.example/callback',
        'http://127.0.0.1:33418/callback?x',
        'http://u:p@127.0.0.1:33418/callback',
        'http://127.0.0.1:99999/callback',
      ],
    ];
    for (const redirect_uri of wrong) {
      const query = (redirect_uri.includes('app.example') ? hosted : local).query({ redirect_uri });
      for (const [path, body] of [
        [REQUESTS, { query }],
        [DECISIONS, { query, decision: 'allow' }],
      ] as const)
        expect([redirect_uri, ...(await problemOf(await owner.ask('POST', path, body)))]).toEqual([redirect_uri, 400, 'INVALID_REQUEST']);
    }
    await expect(local.decide(owner, { query: local.query({ redirect_uri: hosted.redirect }), decision: 'deny' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expectNoKey(service);
    expect(await local.decide(owner, { query: local.query({ redirect_uri: 'http://127.0.0.1:5/callback' }) })).toHaveProperty('code');
  });

  test('by a parameter that is there twice', async () => {
    const service = await startConsole();
    const client = await OAuthClient.register(service.url);
    for (const [name, value] of new URLSearchParams(client.query())) {
      if (name === 'resource') continue;
      for (const second of [value, 'https://evil.example/cb']) {
        const query = `${client.query()}&${new URLSearchParams({ [name]: second })}`;
        expect([name, ...(await problemOf(await service.owner.ask('POST', DECISIONS, { query, decision: 'allow' })))]).toEqual([
          name,
          400,
          'INVALID_REQUEST',
        ]);
      }
    }
    const query = `${client.query()}&resource=${encodeURIComponent('https://evil.example/mcp')}`;
    expect(await client.decide(service.owner, { query })).toMatchObject({ error: 'invalid_target' });
    await expectNoKey(service);
  });
});

test('the state of a client comes back as a value, whatever is in it', async () => {
  const { url, owner } = await startConsole();
  const client = await OAuthClient.register(url, { redirect_uris: ['https://app.example/cb?a=b'] });
  for (const state of [
    'a\r\nLocation: https://evil.example\r\n\r\n<script>',
    '&code=other&iss=https://evil.example',
    '#code=other',
    'ü \u202e ☃',
    '%0d%0a',
    '"><img>',
  ]) {
    for (const decision of ['allow', 'deny']) {
      const { redirect } = await owner.json<{ redirect: string }>('POST', DECISIONS, { query: client.query({ state }), decision });
      expect(redirect).toMatch(/^https:\/\/app\.example\/cb\?a=b&[\w%.~*+&=-]+$/);
      const { searchParams } = new URL(redirect);
      expect([searchParams.getAll('state'), searchParams.getAll('iss')]).toEqual([[state], [url]]);
      expect(searchParams.getAll('code')).toHaveLength(decision === 'allow' ? 1 : 0);
    }
  }
  const long = await owner.json<AuthorizationRequest>('POST', REQUESTS, { query: client.query({ state: 'x'.repeat(5_000) }) });
  expect(long).toMatchObject({ problem: 'state is too long' });
});

test('a name shows what it is: no line, no direction and no length of it hides the host', async () => {
  const { url, owner } = await startConsole();
  for (const client_name of [
    'Claude (claude.ai)\n\n\n',
    '\u202eedualC',
    'Claude\u0000\u200b\u2066',
    'x'.repeat(200),
    `${'x'.repeat(79)}😀`,
    // 49 characters are left beside the host in the name of a key.
    `${'x'.repeat(48)}😀`,
    '   ',
    '<b>Claude</b>',
  ]) {
    const client = await OAuthClient.register(url, { client_name, redirect_uris: ['https://evil.example/cb'] });
    const shown = await owner.json<AuthorizationRequest>('POST', REQUESTS, { query: client.query() });
    expect(shown).toMatchObject({
      client: { host: 'evil.example' },
      redirectTo: 'evil.example',
      keyName: expect.stringMatching(/ \(evil\.example\)$/),
    });
    if (!('client' in shown)) throw new Error('The request was refused');
    expect(shown.client.name).toMatch(/^[\x21-\x7e]([\x20-\x7e]{0,78}[\x21-\x7e])?😀?$/u);
    expect(shown.keyName.isWellFormed()).toBe(true);
  }
});
