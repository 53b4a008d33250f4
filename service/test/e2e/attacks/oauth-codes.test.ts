/** Attacks on the authorization code: mix-up, injection, PKCE downgrade, replay. */
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AuditPage, AuthorizationRequest } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import { type SignedInPerson, startConsole } from '../../../../test/support/console-service';
import { OAuthClient, ping, postJson, tokensOf } from '../../support/oauth-client';

const REQUESTS = `${ADMIN_PATHS.oauth}/requests`;
const errorOf = async (response: Response) => [response.status, (await response.json()).error];
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

function fakeDate(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

async function auditOf(owner: SignedInPerson): Promise<string[]> {
  return (await owner.json<AuditPage>('GET', ADMIN_PATHS.audit)).entries.map(({ what }) => what);
}

describe('mix-up', () => {
  test('every answer names the issuer of the metadata: codes, refusals and errors', async () => {
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const { issuer } = await (await fetch(url + OAUTH_PATHS.authorizationServer)).json();
    const answers = [
      await client.decide(owner),
      await client.decide(owner, { decision: 'deny' }),
      await client.decide(owner, { query: client.query({ response_type: 'token' }) }),
      await client.decide(owner, { query: client.query({ iss: 'https://evil.example' }) }),
    ];
    expect(answers.map(({ iss }) => iss)).toEqual(answers.map(() => issuer));
    const wrong = await owner.json<AuthorizationRequest>('POST', REQUESTS, { query: client.query({ code_challenge: undefined }) });
    expect(new URL('redirect' in wrong ? wrong.redirect : '').searchParams.get('iss')).toBe(issuer);
  });

  test('the issuer of a service with a public URL is that one, for any headers of a request', async () => {
    const publicUrl = 'https://tools.example.com';
    const { url, owner } = await startConsole({ console: { publicUrl } });
    const lies = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=evil.example' };
    const metadata = await (await fetch(url + OAUTH_PATHS.authorizationServer, { headers: lies })).text();
    expect(JSON.parse(metadata)).toMatchObject({ issuer: publicUrl, token_endpoint: publicUrl + OAUTH_PATHS.oauthToken });
    expect(metadata).not.toContain('evil');
    const client = await OAuthClient.register(url);
    expect(await client.decide(owner, { query: client.query({ resource: `${publicUrl}/mcp` }) })).toMatchObject({ iss: publicUrl });
  });

  test('a code is for the client whose request it answers, for any client that presents it', async () => {
    const { url, owner } = await startConsole();
    const [victim, attacker] = [await OAuthClient.register(url), await OAuthClient.register(url)];
    const confidential = await OAuthClient.register(url, { token_endpoint_auth_method: 'client_secret_post' });
    const code = await victim.code(owner);
    for (const other of [attacker, confidential])
      expect(await errorOf(await other.exchange(code, { code_verifier: victim.verifier }))).toEqual([400, 'invalid_grant']);
    const document = { client_id: 'https://evil.example/client', code_verifier: victim.verifier };
    expect(await errorOf(await victim.exchange(code, document))).toEqual([400, 'invalid_grant']);
    // The attempts neither use the code nor end the sign-in.
    expect((await victim.exchange(code)).status).toBe(200);
  });

  test('a code of one service is none at another', async () => {
    const [one, other] = [await startConsole(), await startConsole()];
    const client = await OAuthClient.register(one.url);
    const code = await client.code(one.owner);
    expect(await errorOf(await client.at(other.url).exchange(code, { resource: undefined }))).toEqual([401, 'invalid_client']);
    const registered = await OAuthClient.register(other.url);
    expect(await errorOf(await registered.exchange(code, { code_verifier: client.verifier }))).toEqual([400, 'invalid_grant']);
  });
});

test('a code of another person’s browser is useless in a victim’s session of the same client', async () => {
  const { url, owner, join } = await startConsole();
  const mallory = await join('mallory');
  // One registration, two sessions: each has its own verifier.
  const session = await OAuthClient.register(url);
  const victim = new OAuthClient(url, session.registration, session.redirect);
  const injected = await session.code(mallory);
  expect(await errorOf(await victim.exchange(injected))).toEqual([400, 'invalid_grant']);
  const stolen = await victim.code(owner);
  expect(await errorOf(await session.exchange(stolen))).toEqual([400, 'invalid_grant']);
  expect(await errorOf(await victim.exchange(stolen, { redirect_uri: 'http://127.0.0.1:33419/callback' }))).toEqual([400, 'invalid_grant']);
  expect(await errorOf(await victim.exchange(stolen, { redirect_uri: undefined }))).toEqual([400, 'invalid_grant']);
  expect((await victim.exchange(stolen)).status).toBe(200);
});

describe('PKCE', () => {
  const verifier = randomBytes(32).toString('base64url');

  test.each([
    ['no challenge', { code_challenge: undefined }],
    ['no challenge and no method', { code_challenge: undefined, code_challenge_method: undefined }],
    ['an empty challenge', { code_challenge: '' }],
    ['the method plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: undefined }],
    ['a method in other letters', { code_challenge_method: 's256' }],
    ['an unknown method', { code_challenge_method: 'S512' }],
    ['a challenge in hexadecimal', { code_challenge: createHash('sha256').update(verifier).digest('hex') }],
    ['a challenge with padding', { code_challenge: `${challengeOf(verifier)}=` }],
    ['a challenge that is cut', { code_challenge: challengeOf(verifier).slice(0, 42) }],
    ['a challenge of base64', { code_challenge: `${challengeOf(verifier).slice(0, 41)}+/` }],
  ])('a request with %s gets no code', async (_downgrade, changed) => {
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const answer = await client.decide(owner, { query: client.query(changed) });
    expect(answer).toMatchObject({ error: 'invalid_request', state: 'a state' });
    expect(answer).not.toHaveProperty('code');
  });

  test('a code is not exchanged without its own verifier', async () => {
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const code = await client.code(owner);
    const wrong = [undefined, '', challengeOf(client.verifier), `${client.verifier}x`, client.verifier.slice(1), ` ${client.verifier}`];
    for (const code_verifier of [...wrong, client.verifier.toUpperCase(), `${client.verifier}\0`, verifier, 'x'.repeat(10_000)])
      expect(await errorOf(await client.exchange(code, { code_verifier }))).toEqual([400, 'invalid_grant']);
    expect((await client.exchange(code)).status).toBe(200);
  });

  test('a challenge that equals its verifier opens with nothing', async () => {
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const code = await client.code(owner, { query: client.query({ code_challenge: client.verifier }) });
    for (const code_verifier of [client.verifier, challengeOf(client.verifier)])
      expect(await errorOf(await client.exchange(code, { code_verifier }))).toEqual([400, 'invalid_grant']);
  });
});

describe('a code that comes twice', () => {
  test('in the same moment is refused once, and the sign-in stays', async () => {
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const code = await client.code(owner);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.exchange(code)));
    const won = answers.filter(({ ok }) => ok);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ ok }) => !ok)) expect(await errorOf(lost)).toEqual([400, 'invalid_grant']);
    const tokens = await tokensOf(won[0]!);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect(await auditOf(owner)).not.toContain('app.replay');
  });

  test('after ten seconds ends the sign-in, with a line in the audit log', async () => {
    fakeDate();
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const [first, other] = [await client.code(owner), await client.code(owner)];
    const tokens = await tokensOf(await client.exchange(first));
    const kept = await tokensOf(await client.exchange(other));
    vi.setSystemTime(Date.now() + 11_000);
    // A thief without the verifier ends nothing.
    expect(await errorOf(await client.exchange(first, { code_verifier: 'x'.repeat(43) }))).toEqual([400, 'invalid_grant']);
    expect((await ping(url, tokens.access_token)).status).toBe(200);
    expect(await errorOf(await client.exchange(first))).toEqual([400, 'invalid_grant']);
    await expect.poll(async () => (await ping(url, tokens.access_token)).status).toBe(401);
    expect(await errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    // The other sign-in of the same app is not touched.
    expect((await client.refresh(kept.refresh_token)).status).toBe(200);
    expect((await auditOf(owner)).filter((what) => what === 'app.replay')).toHaveLength(1);
  });

  test('is not exchanged after its expiry, by any clock of the client', async () => {
    fakeDate();
    const { url, owner } = await startConsole();
    const client = await OAuthClient.register(url);
    const code = await client.code(owner);
    vi.setSystemTime(Date.now() + 60_001);
    expect(await errorOf(await client.exchange(code))).toEqual([400, 'invalid_grant']);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(await errorOf(await client.exchange(code))).toEqual([400, 'invalid_grant']);
  });
});

test('a text of another kind is not exchanged, and the service does not fail', async () => {
  const { url, owner } = await startConsole();
  const client = await OAuthClient.register(url);
  const tokens = await client.signIn(owner);
  const code = await client.code(owner);
  for (const text of [tokens.access_token, tokens.refresh_token, client.registration.client_id, code.slice(0, -1), `${code} `, '\0', '%00'])
    expect(await errorOf(await client.exchange(text))).toEqual([400, 'invalid_grant']);
  for (const text of [code, tokens.access_token, client.registration.client_id])
    expect(await errorOf(await client.refresh(text))).toEqual([400, 'invalid_grant']);
  for (const text of [code, tokens.refresh_token, client.registration.client_id]) expect((await ping(url, text)).ok).toBe(false);
  const json = await postJson(url + OAUTH_PATHS.oauthToken, {
    grant_type: 'authorization_code',
    code,
    client_id: client.registration.client_id,
  });
  expect(await errorOf(json)).toEqual([400, 'invalid_request']);
});
