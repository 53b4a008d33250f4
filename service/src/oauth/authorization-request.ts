/**
 * The request that a client sends with a person's browser (RFC 6749 section 4.1.1, RFC 7636, RFC 8707).
 *
 * Errors: OAuthError while client or redirect are not known to be right: it is shown to the person, and nothing is sent anywhere. Later ones go back
 *         to the client.
 */
import type { Client } from './client';
import type { Clients } from './clients';
import { errorDescription } from './error-description';
import { OFFLINE_SCOPE, SCOPE } from './metadata';
import { OAuthError } from './oauth-error';
import { isSameRedirect, recipientOf } from './redirect-uris';
import { requireOwnResource } from './resources';
import { uniqueParameters } from './unique-parameters';

/** Where an answer goes. */
export interface ReturnAddress {
  issuer: string;
  redirectUri: string;
  state: string | undefined;
}

export interface CheckedRequest extends ReturnAddress {
  client: Client;
  /** As the request has it: the token endpoint compares it. */
  statedRedirect: string | undefined;
  challenge: string;
  scope: string;
}

/**
 * A request that its client has to mend. The person opens `redirect`, which takes the error back: a service that did so by itself would be a way to
 * any address (RFC 9700 section 4.11.2).
 */
export interface WrongRequest {
  problem: string;
  redirect: string;
  redirectTo: string;
}

/** SHA-256, base64url: RFC 7636 section 4.2. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const MAX_STATE_CHARS = 4_096;

export async function readAuthorizationRequest(
  query: string,
  { clients, issuer, origins }: { clients: Clients; issuer: string; origins: readonly string[] },
): Promise<CheckedRequest | WrongRequest> {
  const given = new URLSearchParams(query);
  const parameters = uniqueParameters(given);
  const clientId = parameters.get('client_id');
  if (clientId === undefined) throw new OAuthError('invalid_request', 'The address has no client_id');
  const client = await clients.find(clientId);
  const statedRedirect = parameters.get('redirect_uri');
  const state = parameters.get('state');
  const address = { issuer, redirectUri: redirectOf(client, statedRedirect), state };
  try {
    if (state !== undefined && state.length > MAX_STATE_CHARS) throw new OAuthError('invalid_request', 'state is too long');
    const challenge = readChallenge(parameters);
    requireOwnResource(given, origins);
    return { ...address, client, statedRedirect, challenge, scope: scopeOf(parameters.get('scope')) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { problem: error.message, redirect: withError(address, error), redirectTo: recipientOf(address.redirectUri) };
  }
}

function redirectOf({ redirectUris }: Client, stated: string | undefined): string {
  const [first] = redirectUris;
  if (stated === undefined && redirectUris.length === 1 && first !== undefined) return first;
  if (stated === undefined) throw new OAuthError('invalid_request', 'The client has several redirect URIs, and the address names none');
  if (redirectUris.some((registered) => isSameRedirect(registered, stated))) return stated;
  throw new OAuthError('invalid_request', 'The redirect_uri of the address is not one of the client: the link may come from another one');
}

function readChallenge(parameters: ReadonlyMap<string, string>): string {
  if (parameters.has('request')) throw new OAuthError('request_not_supported', 'Send the parameters themselves');
  if (parameters.has('request_uri')) throw new OAuthError('request_uri_not_supported', 'Send the parameters themselves');
  if (parameters.get('response_type') !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code');
  if (!['query', undefined].includes(parameters.get('response_mode')))
    throw new OAuthError('invalid_request', 'response_mode must be query');
  const challenge = parameters.get('code_challenge') ?? '';
  if (parameters.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge))
    throw new OAuthError('invalid_request', 'PKCE is needed: send code_challenge, with code_challenge_method S256');
  return challenge;
}

/** Unknown scopes are ignored: clients ask for what other servers have. */
function scopeOf(asked = ''): string {
  return asked.split(' ').includes(OFFLINE_SCOPE) ? `${SCOPE} ${OFFLINE_SCOPE}` : SCOPE;
}

export function withCode(address: ReturnAddress, code: string): string {
  return answerAddress(address, { code });
}

export function withError(address: ReturnAddress, { code, message }: OAuthError): string {
  return answerAddress(address, { error: code, error_description: errorDescription(message) });
}

/** The redirect address as it is, with the answer behind its query. */
function answerAddress({ redirectUri, issuer, state }: ReturnAddress, answer: Record<string, string>): string {
  const added = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`;
}
