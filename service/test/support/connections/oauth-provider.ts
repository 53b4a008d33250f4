/**
 * A real OAuth provider on loopback: `oidc-provider`, with rotated refresh tokens, the detection of their reuse, PKCE, `iss` and revocation. It
 * closes when the test ends.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';
import { CookieJar } from '../cookie-jar';

export interface OAuthProviderOptions {
  redirectUris?: readonly string[];
  /** Default: 3,600. */
  accessTokenSeconds?: number;
  authMethod?: 'client_secret_basic' | 'client_secret_post' | 'none';
  /** Overrides of the configuration of `oidc-provider`. */
  configuration?: Record<string, unknown>;
}

export interface OAuthProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  authorizationUrl: string;
  tokenUrl: string;
  revocationUrl: string;
  /** Says whose account it is, in the member `sub`. Needs the scope `openid`. */
  accountUrl: string;
  /** Events of oidc-provider: `grant.success`, `grant.error`, `grant.revoked`. */
  events: string[];
  /** Requests by path. */
  requests: string[];
  /** False: it answers 503. */
  up: boolean;
  /** Signs in and agrees, as a person in a browser does. Returns the address to which the browser is sent at the end. */
  signIn(authorizationUrl: string | URL, account: string): Promise<URL>;
}

const PROVIDER_CLIENT = { clientId: 'svc-app', clientSecret: 'the secret of the client: & needs = encoding' };

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SIGNING_KEY = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' };

export async function startOAuthProvider(options: OAuthProviderOptions = {}): Promise<OAuthProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: OAuthProvider = {
    issuer,
    ...PROVIDER_CLIENT,
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    revocationUrl: `${issuer}/token/revocation`,
    accountUrl: `${issuer}/me`,
    events: [],
    requests: [],
    up: true,
    signIn: (url, account) => signIn(issuer, new URL(url), account),
  };
  const provider = quietly(() => new Provider(issuer, configurationOf(options)));
  for (const event of ['grant.success', 'grant.error', 'grant.revoked', 'revocation.error'])
    provider.on(event, () => running.events.push(event));
  const answer = provider.callback();
  server.on('request', (request, response) => {
    running.requests.push(new URL(request.url ?? '/', issuer).pathname);
    if (running.up) answer(request, response);
    else response.writeHead(503).end();
  });
  return running;
}

function configurationOf({ redirectUris = ['https://svc.example/cb'], accessTokenSeconds = 3_600, ...options }: OAuthProviderOptions) {
  const authMethod = options.authMethod ?? 'client_secret_basic';
  const { clientId, clientSecret } = PROVIDER_CLIENT;
  return {
    clients: [
      {
        client_id: clientId,
        ...(authMethod !== 'none' && { client_secret: clientSecret }),
        token_endpoint_auth_method: authMethod,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'offline_access', 'repo'],
    jwks: { keys: [SIGNING_KEY] },
    cookies: { keys: ['the key of cookies'] },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    pkce: { required: () => true },
    ttl: { AccessToken: accessTokenSeconds, Grant: 86_400, IdToken: 600, Interaction: 600, RefreshToken: 86_400, Session: 86_400 },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ...options.configuration,
    features: { revocation: { enabled: true, allowedPolicy: () => true }, ...(options.configuration?.features as object) },
  };
}

/** oidc-provider warns of the pages that it has for development. The tests sign in at these. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console;
  console.warn = console.info = () => {};
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}

const MAX_STEPS = 20;

async function signIn(issuer: string, authorizationUrl: URL, account: string): Promise<URL> {
  const jar = new CookieJar(issuer);
  let response = await jar.get(authorizationUrl.href);
  for (let step = 0; step < MAX_STEPS; step++) {
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, issuer);
      if (next.origin !== issuer) return next;
      response = await jar.get(next.href);
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (!action || !prompt) throw new Error(`The provider answered ${response.status}: ${page.replace(/<[^>]+>/g, ' ').slice(0, 500)}`);
    response = await jar.send(new URL(action, issuer).href, {
      method: 'POST',
      body: new URLSearchParams({ prompt, login: account, password: 'any' }),
    });
  }
  throw new Error('The sign-in at the provider does not end');
}
