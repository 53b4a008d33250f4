/** Requests to a real provider, and to ones that answer something else. */
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AuthorizationAsk, Provider, type ProviderClient } from '../../../src/connections/provider';
import { ProviderError } from '../../../src/connections/provider-error';
import { guardedFetch } from '../../../src/lib/guarded-fetch';
import { type OAuthProvider, type OAuthProviderOptions, startOAuthProvider } from '../../support/connections/oauth-provider';

const REDIRECT = 'https://svc.example/cb';

function newProvider({ deadlineMs = 10_000, privateHosts = ['127.0.0.1'] } = {}): Provider {
  return new Provider(guardedFetch({ privateHosts, deadlineMs, maxBytes: 1_048_576 }));
}

function askOf(
  { authorizationUrl, tokenUrl, issuer, clientId, clientSecret }: OAuthProvider,
  authMethod: ProviderClient['authMethod'] = 'basic',
) {
  return {
    endpoints: { authorizationUrl, tokenUrl, issuer },
    client: { clientId, ...(authMethod !== 'none' && { clientSecret }), authMethod },
    redirectUri: REDIRECT,
    scopes: ['openid', 'repo'],
  } satisfies AuthorizationAsk;
}

async function connect(options: OAuthProviderOptions = {}, authMethod: ProviderClient['authMethod'] = 'basic') {
  const at = await startOAuthProvider(options);
  const provider = newProvider();
  const ask = askOf(at, authMethod);
  const { url, ...secrets } = await provider.authorize(ask);
  const back = await at.signIn(url, 'octocat');
  return { at, provider, ask, url, secrets, back, response: back.searchParams };
}

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => new Error('It did not fail'),
    (reason: Error) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  return error;
}

describe('a connection to a real provider', () => {
  test.each([
    ['client_secret_basic', 'basic'],
    ['client_secret_post', 'post'],
    ['none', 'none'],
  ] as const)('is made, refreshed, named and revoked by a client of %s', async (authMethod, method) => {
    const { at, provider, ask, secrets, back, response } = await connect({ authMethod }, method);
    expect(back.href).toMatch(/^https:\/\/svc\.example\/cb\?/);
    const first = await provider.exchange(ask, response, secrets);
    expect(first).toMatchObject({ token: expect.any(String), refreshToken: expect.any(String), scopes: 'openid repo' });
    expect(first.expiresInMs).toBeGreaterThan(3_500_000);
    expect(first.expiresInMs).toBeLessThanOrEqual(3_600_000);
    const account = (token: string) => provider.account({ url: at.accountUrl, field: '/sub' }, { authorization: `Bearer ${token}` });
    expect(await account(first.token)).toBe('octocat');

    const { refreshToken = '' } = first;
    const second = await provider.refresh({ tokenUrl: at.tokenUrl, refreshToken }, ask.client);
    expect(second.token).not.toBe(first.token);
    expect(second.refreshToken).not.toBe(refreshToken);
    expect(await account(second.token)).toBe('octocat');

    await provider.revoke(at.revocationUrl, second.refreshToken ?? '', ask.client);
    const ended = await failure(provider.refresh({ tokenUrl: at.tokenUrl, refreshToken: second.refreshToken ?? '' }, ask.client));
    expect(ended).toMatchObject({ isGrantEnded: true, mender: 'user', providerCode: 'invalid_grant' });
    expect(await failure(account(second.token))).toMatchObject({ mender: 'user' });
  });

  test('asks with state, PKCE, scopes and resource, and keeps the query of the registered address', async () => {
    const { url, state, verifier } = await newProvider().authorize({
      endpoints: { authorizationUrl: 'https://p.example/auth?access_type=offline&state=fixed', tokenUrl: 'https://p.example/token' },
      client: { clientId: 'c', authMethod: 'none' },
      redirectUri: REDIRECT,
      scopes: ['a', 'b'],
      resource: 'https://mcp.example/mcp',
    });
    expect(Object.fromEntries(url.searchParams)).toEqual({
      access_type: 'offline',
      response_type: 'code',
      client_id: 'c',
      redirect_uri: REDIRECT,
      state,
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge_method: 'S256',
      scope: 'a b',
      resource: 'https://mcp.example/mcp',
    });
    expect(url.searchParams.getAll('state')).toEqual([state]);
    expect(verifier).toMatch(/^[A-Za-z0-9_-]{43,}$/);
  });

  test('is refused with another state, another issuer, another verifier, or a code of before', async () => {
    const { at, provider, ask, secrets, response } = await connect();
    const changed = (changes: Record<string, string>) => new URLSearchParams({ ...Object.fromEntries(response), ...changes });
    for (const wrong of [changed({ state: 'x' }), changed({ iss: 'https://evil.example' }), new URLSearchParams({ code: 'x' })])
      expect(await failure(provider.exchange(ask, wrong, secrets))).toMatchObject({ mender: 'user', providerCode: undefined });
    expect(at.requests).not.toContain('/token');
    const unnamed = new URLSearchParams({ code: response.get('code') ?? '', state: secrets.state });
    const strict = { ...ask, endpoints: { ...ask.endpoints, sendsIssuer: true } };
    expect(await failure(provider.exchange(strict, unnamed, secrets))).toMatchObject({ mender: 'user' });
    expect(at.requests).not.toContain('/token');

    const other = await failure(provider.exchange(ask, response, { ...secrets, verifier: 'v'.repeat(43) }));
    expect(other).toMatchObject({ mender: 'user', providerCode: 'invalid_grant' });
    await provider.exchange(ask, response, secrets).catch(() => {});
    expect(await failure(provider.exchange(ask, response, secrets))).toMatchObject({ providerCode: 'invalid_grant' });
  });

  test('takes the issuer of the response where the toolkit names none', async () => {
    const { provider, ask, secrets, response } = await connect();
    const { issuer: _, ...endpoints } = ask.endpoints;
    expect(await provider.exchange({ ...ask, endpoints }, response, secrets)).toMatchObject({ scopes: 'openid repo' });
  });

  test('says that the owner corrects a wrong client secret', async () => {
    const { provider, ask, secrets, response } = await connect();
    const client = { ...ask.client, clientSecret: 'wrong-secret' };
    const error = await failure(provider.exchange({ ...ask, client }, response, secrets));
    expect(error).toMatchObject({ mender: 'owner', providerCode: 'invalid_client' });
    expect(error.message).toContain('invalid_client');
    expect(error.message).not.toContain('wrong-secret');
  });

  test('that was not allowed says so', async () => {
    const { provider, ask, secrets } = await connect();
    const response = new URLSearchParams({ error: 'access_denied', state: secrets.state, iss: ask.endpoints.issuer });
    expect(await failure(provider.exchange(ask, response, secrets))).toMatchObject({ mender: 'user', providerCode: 'access_denied' });
  });
});

async function answering(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/token`;
}

const CLIENT: ProviderClient = { clientId: 'c', clientSecret: 'client-secret-1', authMethod: 'post' };
const REFRESH = 'refresh-token-1';

describe('a provider that answers', () => {
  test.each<[string, RequestListener, object]>([
    ['a page', (_, to) => to.setHeader('content-type', 'text/html').end('<h1>Maintenance</h1>'), { mender: 'provider' }],
    ['a page with an error', (_, to) => to.writeHead(502).end('<h1>Bad gateway</h1>'), { mender: 'provider' }],
    ['nothing', (_, to) => void to.end(), { mender: 'provider' }],
    ['a list', (_, to) => void to.end('[]'), { mender: 'provider' }],
    ['no access token', (_, to) => void to.end('{"token_type":"bearer"}'), { mender: 'provider' }],
    ['an access token that is no text for a header', (_, to) => void to.end('{"access_token":"a\\nb"}'), { mender: 'provider' }],
    ['that it is overloaded', (_, to) => void to.writeHead(429).end('{"error":"slow_down"}'), { mender: 'provider' }],
    ['a redirect', (_, to) => void to.writeHead(307, { location: '/other' }).end(), { mender: 'owner' }],
    [
      'an error with 200, as GitHub does',
      (_, to) => void to.end('{"error":"bad_refresh_token"}'),
      { mender: 'user', providerCode: 'bad_refresh_token' },
    ],
    ['that the grant ended', (_, to) => void to.writeHead(400).end('{"error":"invalid_grant"}'), { mender: 'user', isGrantEnded: true }],
    [
      'that the grant ended, with 500',
      (_, to) => void to.writeHead(500).end('{"error":"invalid_grant"}'),
      { mender: 'provider', isGrantEnded: false },
    ],
    ['an impossible status', (_, to) => void to.writeHead(999).end('{}'), { mender: 'provider' }],
    [
      'and closes in the middle',
      (_, to) => void to.writeHead(200, { 'content-length': 100 }).write('{', () => to.destroy()),
      { mender: 'provider' },
    ],
    ['more than it may', (_, to) => void to.end('x'.repeat(1_100_000)), { mender: 'provider' }],
  ])('%s', async (_what, answer, expected) => {
    const tokenUrl = await answering(answer);
    const error = await failure(newProvider().refresh({ tokenUrl, refreshToken: REFRESH }, CLIENT));
    expect(error).toMatchObject(expected);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ /);
    expect(error.message).toMatch(/Try again later|owner has to correct|Connect the account again/);
  });

  test('the secrets that it got gets none of them into an error', async () => {
    const tokenUrl = await answering(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const echoed = [form.get('refresh_token'), form.get('client_secret')][turn++ % 2];
      response.writeHead(400).end(JSON.stringify({ error: echoed, error_description: [...form.values()].join() }));
    });
    let turn = 0;
    for (let each = 0; each < 2; each++) {
      const error = await failure(newProvider().refresh({ tokenUrl, refreshToken: REFRESH }, CLIENT));
      expect(JSON.stringify([error.message, error.providerCode])).not.toMatch(/refresh-token-1|client-secret-1/);
    }
  });

  test('never, after a deadline', async () => {
    const tokenUrl = await answering(() => {});
    const error = await failure(newProvider({ deadlineMs: 50 }).refresh({ tokenUrl, refreshToken: REFRESH }, CLIENT));
    expect(error).toMatchObject({ mender: 'provider', message: expect.stringContaining('it took more than 0.05 s') });
  });

  test('without type, scope or life of the token, as some do, is understood', async () => {
    const tokenUrl = await answering((_, to) => void to.end('{"access_token":"t","expires_in":null,"scope":["a"],"id_token":"x.y.z"}'));
    expect(await newProvider().refresh({ tokenUrl, refreshToken: REFRESH }, CLIENT)).toEqual({ token: 't' });
  });

  test('from a private address is not asked, unless the operator allows its host', async () => {
    let requests = 0;
    const tokenUrl = await answering((_, to) => {
      requests++;
      to.end('{"access_token":"t"}');
    });
    for (const url of [tokenUrl, tokenUrl.replace('127.0.0.1', 'localhost'), tokenUrl.replace('http:', 'https:')])
      expect(await failure(newProvider({ privateHosts: [] }).refresh({ tokenUrl: url, refreshToken: REFRESH }, CLIENT))).toMatchObject({
        mender: 'provider',
      });
    expect(requests).toBe(0);
  });
});

describe('the name of an account', () => {
  test.each([
    ['{"login":"octocat"}', '/login', 'octocat'],
    ['{"data":{"user/x":{"~n":"a"}}}', '/data/user~1x/~0n', 'a'],
    ['{"id":42}', '/id', '42'],
    ['["a","b"]', '/1', 'b'],
    ['"whole"', '', 'whole'],
    ['{"login":"a\\u202eb\\nc"}', '/login', 'ab c'],
    ['{"login":null}', '/login', undefined],
    ['{"login":{}}', '/login', undefined],
    ['{}', '/toString', undefined],
    ['<html>', '/login', undefined],
    ['{"login":"the-token-1"}', '/login', undefined],
  ])('of %s at "%s" is %s', async (text, field, name) => {
    const url = await answering((_, to) => void to.end(text));
    expect(await newProvider().account({ url, field }, { authorization: 'Bearer the-token-1' })).toBe(name);
  });
});
