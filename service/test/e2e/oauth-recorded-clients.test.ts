/**
 * Requests of clients that cannot run in a test, as their sources describe them (service/test/support/oauth/recorded-clients.json): the order of
 * the metadata, registrations and documents byte for byte, redirects, scopes, `resource`, and a refresh from two addresses at once.
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { serveClientDocument } from '../support/oauth/client-document';
import recorded from '../support/oauth/recorded-clients.json' with { type: 'json' };
import { type SignInStage, startSignInStage } from '../support/oauth/sign-in-stage';

type Endpoint = 'authorize' | 'token' | 'refresh';

interface RecordedClient {
  name: string;
  /** `members`: the sources name the members, not their order. */
  exact: string;
  sources: string[];
  /** Metadata in the order of the requests. */
  reads: string[];
  document?: string;
  registration?: string;
  redirect: string;
  scope?: string;
  method: string;
  stateless?: boolean;
  /** Requests that have a `resource`. */
  resource: string[];
}

const CLIENTS: RecordedClient[] = recorded;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function listTools({ mcpUrl }: SignInStage, token?: string): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  return fetch(mcpUrl, { method: 'POST', headers: { ...HEADERS, ...(token && { authorization: `Bearer ${token}` }) }, body });
}

/** The challenge, then the metadata in the recorded order; returns the last. */
async function discover(stage: SignInStage, { reads }: RecordedClient) {
  const challenge = (await listTools(stage)).headers.get('www-authenticate');
  expect(challenge).toMatch(/^Bearer resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp", scope="tools"$/);
  const answers = [];
  for (const path of reads) {
    const answer = await fetch(stage.service.url + path);
    expect([path, answer.status]).toEqual([path, 200]);
    answers.push(await answer.json());
  }
  return answers.at(-1);
}

/** `client_id` and what the client proves itself with. */
async function identify({ document, registration, method }: RecordedClient, endpoint: string): Promise<Record<string, string>> {
  if (document !== undefined) return { client_id: (await serveClientDocument(document)).url };
  const answer = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body: registration ?? '' });
  const { client_id, client_secret, ...registered } = await answer.json();
  expect([answer.status, registered]).toEqual([201, expect.objectContaining({ token_endpoint_auth_method: method })]);
  expect(client_secret === undefined).toBe(method === 'none');
  return { client_id, ...(client_secret !== undefined && { client_secret }) };
}

test.each(CLIENTS)('$name signs in, refreshes from two addresses at once, and both tokens are good', async (client) => {
  const stage = await startSignInStage({ privateClientHosts: ['localhost'] });
  const server = await discover(stage, client);
  const { client_id = '', ...secret } = await identify(client, server.registration_endpoint);
  const resourceOf = (endpoint: Endpoint) => (client.resource.includes(endpoint) ? { resource: stage.mcpUrl } : {});
  const verifier = randomBytes(32).toString('base64url');

  const asked = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: client.redirect,
    ...(!client.stateless && { state: 'a state' }),
    ...(client.scope !== undefined && { scope: client.scope }),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...resourceOf('authorize'),
  });
  const redirect = await stage.allow(`${server.authorization_endpoint}?${asked}`);
  expect(redirect.slice(0, client.redirect.length + 1)).toBe(`${client.redirect}?`);
  const { code = '', ...others } = Object.fromEntries(new URLSearchParams(redirect.split('?')[1]));
  expect(others).toEqual({ ...(!client.stateless && { state: 'a state' }), iss: server.issuer });

  const ask = async (form: Record<string, string>) => {
    const answer = await fetch(server.token_endpoint, { method: 'POST', body: new URLSearchParams({ ...form, client_id, ...secret }) });
    return { status: answer.status, ...(await answer.json()) };
  };
  const first = await ask({
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirect,
    code_verifier: verifier,
    ...resourceOf('token'),
  });
  expect(first).toMatchObject({ status: 200, token_type: 'Bearer', refresh_token: expect.any(String) });
  expect((await listTools(stage, first.access_token)).status).toBe(200);

  stage.expireTokens();
  const expired = await listTools(stage, first.access_token);
  expect([expired.status, expired.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  const refresh = () => ask({ grant_type: 'refresh_token', refresh_token: first.refresh_token, ...resourceOf('refresh') });
  const [one, other] = await Promise.all([refresh(), refresh()]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.refresh_token).toBe(other.refresh_token);
  expect(one.refresh_token).not.toBe(first.refresh_token);
  for (const { access_token } of [one, other]) expect((await listTools(stage, access_token)).status).toBe(200);
});
