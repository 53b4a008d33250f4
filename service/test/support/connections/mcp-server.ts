/** A remote MCP server that wants a sign-in: it names its authorization server (RFC 9728). It closes when the test ends. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SignInServer {
  url: string;
  /** The authorization server that it names. */
  issuer: string;
  /** Overrides members of its metadata. */
  metadata: Record<string, unknown>;
  requests: string[];
}

export async function startSignInServer(issuer: string): Promise<SignInServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: SignInServer = { url: `${origin}/mcp`, issuer, metadata: {}, requests: [] };
  const metadataUrl = `${origin}/.well-known/oauth-protected-resource/mcp`;
  server.on('request', (request, response) => {
    running.requests.push(`${request.method} ${request.url}`);
    if (request.url === '/.well-known/oauth-protected-resource/mcp')
      return response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          resource: running.url,
          authorization_servers: [running.issuer],
          scopes_supported: ['openid', 'repo'],
          ...running.metadata,
        }),
      );
    response.writeHead(401, { 'www-authenticate': `Bearer error="invalid_token", resource_metadata="${metadataUrl}"` }).end();
  });
  return running;
}

/** A configuration of `startOAuthProvider` for clients that register themselves, and for tokens of this resource. */
export const FOR_MCP = {
  features: {
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({ scope: 'openid repo', accessTokenFormat: 'opaque' }),
      useGrantedResource: () => true,
    },
  },
};
