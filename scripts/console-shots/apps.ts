/** Apps: one that a person connected, and one that asks for access. */
import { createHash } from 'node:crypto';
import { ADMIN_PATHS, type AuthorizationDecision } from '../../src/protocol/admin.ts';
import { OAUTH_PATHS } from '../../src/protocol/oauth-paths.ts';
import type { SignedIn } from './people.ts';

const CONNECTED = { client_name: 'Claude', redirect_uris: ['https://claude.ai/api/mcp/auth_callback'] };
const ASKING = { client_name: 'MCP Inspector', redirect_uris: ['http://localhost:6274/oauth/callback'] };

const VERIFIER = 'v'.repeat(43);

export async function connectApp(url: string, person: SignedIn): Promise<void> {
  const { clientId, query } = await register(url, CONNECTED);
  const { redirect } = await person.request<AuthorizationDecision>(`${ADMIN_PATHS.oauth}/decisions`, {
    method: 'POST',
    body: { query, decision: 'allow', limits: { callsPerMinute: 120 } },
  });
  const answer = await fetch(url + OAUTH_PATHS.oauthToken, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: new URL(redirect).searchParams.get('code') ?? '',
      code_verifier: VERIFIER,
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Returns the address of the consent page. */
export async function askAsApp(url: string): Promise<string> {
  return `${OAUTH_PATHS.authorize}?${(await register(url, ASKING)).query}`;
}

async function register(url: string, app: object): Promise<{ clientId: string; query: string }> {
  const answer = await fetch(url + OAUTH_PATHS.registerClient, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...app, token_endpoint_auth_method: 'none' }),
  });
  const { client_id: clientId } = (await answer.json()) as { client_id: string };
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const request = { response_type: 'code', client_id: clientId, code_challenge: challenge, code_challenge_method: 'S256' };
  return { clientId, query: new URLSearchParams(request).toString() };
}
