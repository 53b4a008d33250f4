/**
 * Requests to OAuth providers: the authorization code grant with PKCE, refresh, revocation, and the name of an account.
 *
 * Errors: ProviderError, which says who can mend it.
 * Source: RFC 6749, RFC 7009 (revocation), RFC 7636 (PKCE), RFC 8707 (resource), RFC 9207 (iss).
 */
import * as oauth from 'oauth4webapi';
import type { GuardedFetch } from '../lib/guarded-fetch';
import { type AccountPlace, readAccount } from './account-name';
import { ProviderError, providerFailure, providerRefusal } from './provider-error';
import { reachProvider } from './reach-provider';

export interface ProviderEndpoints {
  /** Its query is kept: some providers need `access_type=offline` to give out a refresh token. */
  authorizationUrl: string;
  tokenUrl: string;
  revocationUrl?: string | undefined;
  /** RFC 9207: a response that names another issuer is refused. */
  issuer?: string | undefined;
  /** The provider says that each of its responses names the issuer. */
  sendsIssuer?: boolean | undefined;
}

export type ClientAuthMethod = 'basic' | 'post' | 'none';

/** A client of a provider. */
export interface ProviderClient {
  clientId: string;
  /** Absent for `none`. */
  clientSecret?: string | undefined;
  authMethod: ClientAuthMethod;
}

export interface ProviderTokens {
  token: string;
  refreshToken?: string;
  /** The rest of its life when the answer came, whatever the clocks say. Absent: unknown. */
  expiresInMs?: number;
  /** Separated by spaces, as the provider states them. Absent: as asked. */
  scopes?: string;
}

/** A flow keeps them until the provider sends the browser back. */
export interface AuthorizationSecrets {
  state: string;
  verifier: string;
}

export interface AuthorizationAsk {
  endpoints: ProviderEndpoints;
  client: ProviderClient;
  redirectUri: string;
  scopes?: readonly string[] | undefined;
  resource?: string | undefined;
}

/** Endpoint and token of a grant that was given before. */
export interface RefreshAsk {
  tokenUrl: string;
  refreshToken: string;
  resource?: string | undefined;
}

export class Provider {
  readonly #fetch: GuardedFetch;

  constructor(fetch: GuardedFetch) {
    this.#fetch = fetch;
  }

  /** Makes no request. */
  async authorize({
    endpoints,
    client,
    redirectUri,
    scopes = [],
    resource,
  }: AuthorizationAsk): Promise<AuthorizationSecrets & { url: URL }> {
    const state = oauth.generateRandomState();
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(endpoints.authorizationUrl);
    const parameters = {
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...(resource !== undefined && { resource }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url, state, verifier };
  }

  /** @param response the query with which the provider sent the browser back */
  async exchange(ask: AuthorizationAsk, response: URLSearchParams, { state, verifier }: AuthorizationSecrets): Promise<ProviderTokens> {
    const { endpoints, client, redirectUri, resource } = ask;
    const server = serverOf(endpoints, response);
    const parameters = checkedResponse(server, client, response, state);
    const askedAt = performance.now();
    const answer = await reachProvider(endpoints.tokenUrl, () =>
      oauth.authorizationCodeGrantRequest(server, toClient(client), authenticationOf(client), parameters, redirectUri, verifier, {
        ...this.#options,
        ...(resource !== undefined && { additionalParameters: { resource } }),
      }),
    );
    return this.#tokensOf(endpoints.tokenUrl, client, answer, askedAt, [parameters.get('code') ?? '', verifier, client.clientSecret]);
  }

  /** Rejects with an error that `isGrantEnded` when the provider takes the refresh token no longer. */
  async refresh({ tokenUrl, refreshToken, resource }: RefreshAsk, client: ProviderClient): Promise<ProviderTokens> {
    const server = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
    const askedAt = performance.now();
    const answer = await reachProvider(tokenUrl, () =>
      oauth.refreshTokenGrantRequest(server, toClient(client), authenticationOf(client), refreshToken, {
        ...this.#options,
        ...(resource !== undefined && { additionalParameters: { resource } }),
      }),
    );
    return this.#tokensOf(tokenUrl, client, answer, askedAt, [refreshToken, client.clientSecret]);
  }

  /** RFC 7009. Ends the grant if `token` is a refresh token. */
  async revoke(revocationUrl: string, token: string, client: ProviderClient): Promise<void> {
    const server = { issuer: new URL(revocationUrl).origin, revocation_endpoint: revocationUrl };
    const answer = await reachProvider(revocationUrl, () =>
      oauth.revocationRequest(server, toClient(client), authenticationOf(client), token, this.#options),
    );
    if (!answer.ok) throw await refusalOf(revocationUrl, answer, [token, client.clientSecret]);
  }

  /**
   * The name of the account at the provider. Undefined if the answer has none there.
   *
   * @param headers with the credential
   */
  async account({ url, field }: AccountPlace, headers: Record<string, string>): Promise<string | undefined> {
    const answer = await reachProvider(url, () => this.#fetch(url, { headers: { accept: 'application/json', ...headers } }));
    const { host } = new URL(url);
    if (answer.status === 401 || answer.status === 403)
      throw new ProviderError(`${host} refused the credential with ${answer.status}: check it, and connect again`, { mender: 'user' });
    if (!answer.ok) throw providerFailure(host, `answered ${answer.status}`);
    const name = readAccount(await answer.text(), field);
    const isSecret = name !== undefined && name.length >= MIN_SECRET_CHARS && Object.values(headers).some((value) => value.includes(name));
    return isSecret ? undefined : name;
  }

  get #options() {
    return { [oauth.customFetch]: this.#fetch, [oauth.allowInsecureRequests]: true };
  }

  async #tokensOf(
    tokenUrl: string,
    client: ProviderClient,
    answer: Response,
    askedAt: number,
    secrets: readonly (string | undefined)[],
  ): Promise<ProviderTokens> {
    const { host } = new URL(tokenUrl);
    const json = await readObject(answer);
    if (json === undefined || !answer.ok || json.error !== undefined) throw refusal(host, answer, json, secrets);
    const usual = new Response(JSON.stringify(usualMembers(json)), JSON_HEADERS);
    const checked = await oauth
      .processRefreshTokenResponse({ issuer: new URL(tokenUrl).origin }, toClient(client), usual)
      .catch((error: unknown) => {
        throw providerFailure(host, 'answered without a usable access token', error);
      });
    if (![checked.access_token, checked.refresh_token ?? ''].every((token) => TOKEN.test(token)))
      throw providerFailure(host, 'answered a token that a header cannot hold');
    return {
      token: checked.access_token,
      ...(checked.refresh_token && { refreshToken: checked.refresh_token }),
      ...(checked.expires_in && { expiresInMs: lifeLeft(checked.expires_in * 1_000, performance.now() - askedAt) }),
      ...(checked.scope && { scopes: checked.scope }),
    };
  }
}

/** A token travels in a header. */
const TOKEN = /^[\x21-\x7e]{0,16384}$/;
/** A longer life than this has no date. */
const MAX_LIFE_MS = 100 * 365 * 86_400_000;
/** A shorter name is part of a credential by chance. */
const MIN_SECRET_CHARS = 8;
const JSON_HEADERS = { headers: { 'content-type': 'application/json' } };

/**
 * The ID token is for sign-in, which a connection is not. Some providers name no type, or one of their own, for a bearer token, and some say with
 * null, or with a life that is not a number above 0, that they say nothing.
 */
function usualMembers({ id_token: _, scope, expires_in: life, ...json }: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(json).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(known),
    ...(typeof scope === 'string' && { scope }),
    ...(Number(life) > 0 && { expires_in: Number(life) }),
    token_type: 'bearer',
  };
}

function lifeLeft(lifeMs: number, passedMs: number): number {
  return Math.max(0, Math.min(lifeMs, MAX_LIFE_MS) - passedMs);
}

/** Each toolkit has its own redirect address, which is the defence against mixed-up responses where the issuer is not known. */
function serverOf({ tokenUrl, issuer, sendsIssuer }: ProviderEndpoints, response: URLSearchParams): oauth.AuthorizationServer {
  return {
    issuer: issuer ?? response.get('iss') ?? new URL(tokenUrl).origin,
    token_endpoint: tokenUrl,
    ...(issuer !== undefined && sendsIssuer && { authorization_response_iss_parameter_supported: true }),
  };
}

function checkedResponse(server: oauth.AuthorizationServer, client: ProviderClient, response: URLSearchParams, state: string) {
  const { host } = new URL(server.issuer);
  try {
    return oauth.validateAuthResponse(server, toClient(client), response, state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw providerRefusal(host, error.error, [state]);
    throw new ProviderError(
      `The browser came back with a response that is not the one of ${host} to this flow. Connect again; if it repeats, the toolkit's owner has to correct its issuer`,
      { mender: 'user' },
      { cause: error },
    );
  }
}

async function refusalOf(url: string, answer: Response, secrets: readonly (string | undefined)[]): Promise<ProviderError> {
  return refusal(new URL(url).host, answer, await readObject(answer), secrets);
}

/** Some providers answer errors with 200, so the error decides before the status. */
function refusal(
  host: string,
  { status, ok }: Response,
  json: Record<string, unknown> | undefined,
  secrets: readonly (string | undefined)[],
): ProviderError {
  if (typeof json?.error === 'string' && (ok || (status >= 400 && status < 500 && status !== 429)))
    return providerRefusal(host, json.error, secrets);
  if (status >= 300 && status < 400)
    return new ProviderError(
      `${host} answered ${status}, a redirect, which is not followed. The toolkit's owner has to correct its endpoints`,
      {
        mender: 'owner',
      },
    );
  return providerFailure(host, ok ? 'answered something else than OAuth tokens in JSON' : `answered ${status}`);
}

/** Undefined for any other answer than a JSON object, such as a page. */
async function readObject(answer: Response): Promise<Record<string, unknown> | undefined> {
  try {
    const json: unknown = JSON.parse(await answer.text());
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function toClient({ clientId }: ProviderClient): oauth.Client {
  return { client_id: clientId };
}

function authenticationOf({ authMethod, clientSecret }: ProviderClient): oauth.ClientAuth {
  if (authMethod === 'none' || clientSecret === undefined) return oauth.None();
  return authMethod === 'post' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}
