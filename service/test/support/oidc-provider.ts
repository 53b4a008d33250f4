/** An OpenID provider that signs in the next person: discovery, code flow with PKCE, ID tokens by RS256. It closes when the test ends. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const CLIENT = { clientId: 'svc', clientSecret: 'the secret of the client' };

interface Identity {
  sub: string;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
}

export interface OidcProvider {
  issuer: string;
  /** Sets the person who signs in there from now on. */
  next: Identity;
  /** Overrides claims of the ID tokens. */
  forge: Record<string, unknown>;
  /** True if the token endpoint omits the ID token. */
  withoutIdToken: boolean;
  /** Overrides members of the discovery document. */
  discovery: Record<string, unknown>;
  /** The authorization requests, as received. */
  authorized: URLSearchParams[];
  /** False: it answers no request. */
  up: boolean;
}

export async function startOidcProvider(): Promise<OidcProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, { asked: URLSearchParams; identity: Identity }>();
  const provider: OidcProvider = {
    issuer: '',
    next: { sub: '1' },
    forge: {},
    withoutIdToken: false,
    discovery: {},
    authorized: [],
    up: true,
  };

  const idToken = (claims: Record<string, unknown>) => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${encode({ alg: 'RS256', kid: 'k', typ: 'JWT' })}.${encode(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };
  const tokens = (form: URLSearchParams, authorization: string | undefined) => {
    const known = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const basic = `Basic ${Buffer.from(`${CLIENT.clientId}:${encodeURIComponent(CLIENT.clientSecret)}`).toString('base64')}`;
    const isClient = form.get('client_secret') === CLIENT.clientSecret || authorization === basic;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!known || !isClient || known.asked.get('code_challenge') !== challenge) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: provider.issuer,
      aud: CLIENT.clientId,
      iat: now,
      exp: now + 60,
      nonce: known.asked.get('nonce'),
      ...known.identity,
    };
    const answer = { access_token: 'access', token_type: 'Bearer', expires_in: 60 };
    return provider.withoutIdToken ? answer : { ...answer, id_token: idToken({ ...claims, ...provider.forge }) };
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer);
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (!provider.up) return json({}, 503);
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        userinfo_endpoint: `${provider.issuer}/userinfo`,
        ...provider.discovery,
      });
    if (url.pathname === '/userinfo') return json(provider.next);
    if (url.pathname === '/keys') return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/authorize') {
      const code = randomBytes(8).toString('hex');
      provider.authorized.push(url.searchParams);
      codes.set(code, { asked: url.searchParams, identity: provider.next });
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      return response.writeHead(302, { location: back.href }).end();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const given = url.pathname === '/token' ? tokens(form, request.headers.authorization) : undefined;
    return given ? json(given) : json({ error: 'invalid_grant' }, 400);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}
