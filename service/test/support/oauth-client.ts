/** An OAuth client over raw HTTP, and the person who decides about it without a browser. */
import { createHash, randomBytes } from 'node:crypto';
import type { AuthorizationDecision } from '#sdk/protocol/admin';
import { ADMIN_PATHS } from '#sdk/protocol/admin';
import { PATHS } from '#sdk/protocol/http';
import { OAUTH_PATHS } from '#sdk/protocol/oauth-paths';
import type { Asker } from '../../../test/support/console-service';

/** A person with a session. */
type Person = Pick<Asker, 'json'>;

export interface Registration {
  client_id: string;
  client_secret?: string;
  [member: string]: unknown;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope?: string;
}

export const REDIRECT = 'http://127.0.0.1:33418/callback';

export class OAuthClient {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly #url: string;
  readonly registration: Registration;
  readonly redirect: string;

  constructor(url: string, registration: Registration, redirect: string) {
    this.#url = url;
    this.registration = registration;
    this.redirect = redirect;
  }

  static async register(url: string, body: object = {}): Promise<OAuthClient> {
    const asked = { client_name: 'Probe', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', ...body };
    const response = await postJson(url + OAUTH_PATHS.registerClient, asked);
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    return new OAuthClient(url, (await response.json()) as Registration, asked.redirect_uris[0] ?? '');
  }

  /** The query of the consent page. A parameter with undefined is left out. */
  query(changed: Record<string, string | undefined> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.registration.client_id,
      redirect_uri: this.redirect,
      state: 'a state',
      scope: 'tools offline_access',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: this.#url + PATHS.mcp,
      ...changed,
    };
    return new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ).toString();
  }

  /** The parameters that the client's redirect gets. */
  async decide(person: Person, { query = this.query(), ...decision }: Decision = {}): Promise<Record<string, string>> {
    const body = { decision: 'allow', ...decision, query };
    const { redirect } = await person.json<AuthorizationDecision>('POST', `${ADMIN_PATHS.oauth}/decisions`, body);
    return Object.fromEntries(new URL(redirect).searchParams);
  }

  async code(person: Person, decision?: Decision): Promise<string> {
    const { code, ...rest } = await this.decide(person, decision);
    if (code === undefined) throw new Error(JSON.stringify(rest));
    return code;
  }

  exchange(code: string, changed: Record<string, string | undefined> = {}): Promise<Response> {
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: this.redirect, code_verifier: this.verifier, ...changed });
  }

  refresh(refreshToken: string, changed: Record<string, string | undefined> = {}): Promise<Response> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changed });
  }

  async signIn(person: Person, decision?: Decision): Promise<Tokens> {
    return tokensOf(await this.exchange(await this.code(person, decision)));
  }

  token(changed: Record<string, string | undefined>, headers?: Record<string, string>): Promise<Response> {
    const { client_id, client_secret } = this.registration;
    return postForm(this.#url + OAUTH_PATHS.oauthToken, { client_id, client_secret, ...changed }, headers);
  }

  revoke(token: string): Promise<Response> {
    const { client_id, client_secret } = this.registration;
    return postForm(this.#url + OAUTH_PATHS.revokeToken, { client_id, client_secret, token });
  }

  /** The same client at another node. */
  at(url: string): OAuthClient {
    const same = new OAuthClient(url, this.registration, this.redirect);
    return Object.assign(same, { verifier: this.verifier });
  }
}

interface Decision {
  query?: string;
  decision?: 'allow' | 'deny';
  limits?: object;
  key?: string | null;
}

export async function tokensOf(response: Response): Promise<Tokens> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Tokens;
}

/** `ping` at `/mcp`, which no limit counts. */
export function ping(url: string, token: string): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  return postJson(url + PATHS.mcp, message, { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' });
}

export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

function postForm(url: string, form: Record<string, string | undefined>, headers: Record<string, string> = {}): Promise<Response> {
  const parameters = Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return fetch(url, { method: 'POST', headers, body: new URLSearchParams(parameters) });
}
