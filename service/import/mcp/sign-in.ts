/**
 * The operator's sign-in to an MCP server, for the list of its tools: in a browser, with the code flow and PKCE, back to a port of this machine. The
 * token is not stored.
 *
 * Errors: INVALID_REQUEST.
 * Source: Model Context Protocol 2025-11-25, basic/authorization; RFC 8252 section 7.3 (loopback redirect).
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthServerInfo,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { SvcError } from 'svc-sdk';
import { untilAborted } from '#sdk/protocol/until-aborted';
import { reasonOf } from '../reason-of';
import type { SignInRequired } from './sign-in-required';

const REQUEST_MS = 30_000;
const PATH = '/callback';
/** A server may answer a whole page. */
const MAX_REASON_CHARS = 300;

export interface SignInOptions {
  /** Called with the address that the operator opens in a browser of this machine. */
  onAddress(address: string): void;
  signal: AbortSignal;
}

/** Resolves with an access token. */
export async function signIn({ url, challenge }: SignInRequired, { onAddress, signal }: SignInOptions): Promise<string> {
  const { resourceMetadataUrl, scope: asked } = extractWWWAuthenticateParams(
    new Response(null, { headers: { 'www-authenticate': challenge } }),
  );
  const fetchFn: FetchLike = (address, init) =>
    fetch(address, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]) });
  const server = createServer();
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    const info = await discoverOAuthServerInfo(url, { ...(resourceMetadataUrl && { resourceMetadataUrl }), fetchFn });
    const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata, resourceMetadata } = info;
    const resource = resourceOf(url, info);
    const scope = asked ?? resourceMetadata?.scopes_supported?.join(' ');
    const clientInformation = await registerClient(issuer, {
      ...(metadata && { metadata }),
      clientMetadata: {
        client_name: 'svc-service',
        redirect_uris: [redirectUrl],
        application_type: 'native',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      ...(scope !== undefined && { scope }),
      fetchFn,
    });
    const state = randomBytes(32).toString('base64url');
    const shared = { ...(metadata && { metadata }), clientInformation, ...(resource && { resource }) };
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      ...shared,
      redirectUrl,
      state,
      ...(scope !== undefined && { scope }),
    });
    const coming = callback(server, state);
    onAddress(authorizationUrl.href);
    const answer = await untilAborted(signal, coming);
    const iss = answer.get('iss') ?? undefined;
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const authorizationCode = answer.get('code') ?? '';
    if (authorizationCode === '') throw new Error(`the server answered ${answer.get('error') ?? 'no code'}`);
    const tokens = await exchangeAuthorization(issuer, {
      ...shared,
      authorizationCode,
      ...(iss !== undefined && { iss }),
      codeVerifier,
      redirectUri: redirectUrl,
      fetchFn,
    });
    return tokens.access_token;
  } catch (error) {
    if (signal.aborted) throw error;
    const advice = 'A token of yours lists the tools too: --list-token';
    const message = `The sign-in to ${new URL(url).origin} failed: ${reasonOf(error).slice(0, MAX_REASON_CHARS)}. ${advice}`;
    throw new SvcError('INVALID_REQUEST', message, {}, { cause: error });
  } finally {
    server.close().closeAllConnections();
  }
}

/** The metadata may not name another server: its token would open that one. */
function resourceOf(url: string, { resourceMetadata }: OAuthServerInfo): URL | undefined {
  if (!resourceMetadata) return undefined;
  const { resource } = resourceMetadata;
  if (checkResourceAllowed({ requestedResource: url, configuredResource: resource })) return new URL(resource);
  throw new Error(`its metadata is of another server, ${resource}`);
}

/** Resolves with the query of the first request with the state. */
function callback(server: Server, state: string): Promise<URLSearchParams> {
  return new Promise((resolve) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const isAnswer = pathname === PATH && searchParams.get('state') === state;
      const text = isAnswer ? 'Signed in. Close this page, and go back to the terminal.\n' : 'Not found\n';
      response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' }).end(text);
      if (isAnswer) response.once('finish', () => resolve(searchParams));
    });
  });
}
