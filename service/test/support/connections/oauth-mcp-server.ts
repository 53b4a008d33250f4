/**
 * An MCP server that takes the tokens of an OAuth provider: the server, the bearer check and the metadata of the official SDK, over streamable HTTP
 * with sessions. It closes when the test ends.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { getOAuthProtectedResourceMetadataUrl, mcpAuthMetadataRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { listening } from '../../../../test/support/listening';

export interface OAuthMcpServer {
  url: string;
  /** Session id -> the accounts whose tokens its requests had. */
  sessions: ReadonlyMap<string, ReadonlySet<string>>;
  /** Open sessions. */
  readonly open: () => number;
  /** The accounts that list another tool, `secret`, and no tool `count`. */
  others: Set<string>;
  /** Tokens from now on that are refused. */
  refused: Set<string>;
  /** The requests of each token. */
  tokens: Map<string, number>;
}

export interface OAuthMcpServerOptions {
  issuer: string;
  /** Says whose token it is. Undefined: it is refused. */
  accountOf(token: string): Promise<string | undefined>;
}

const TOKEN_SECONDS = 60;

type BearerRequest = IncomingMessage & { auth?: AuthInfo; body?: unknown };

export async function startOAuthMcpServer({ issuer, accountOf }: OAuthMcpServerOptions): Promise<OAuthMcpServer> {
  const sessions = new Map<string, Set<string>>();
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const others = new Set<string>();
  const refused = new Set<string>();
  const tokens = new Map<string, number>();
  const app = createMcpExpressApp();
  const origin = await listening(createServer(app));
  const resourceServerUrl = new URL(`${origin}/mcp`);
  const oauthMetadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl, scopesSupported: ['openid'] }));
  const verifyAccessToken = async (token: string): Promise<AuthInfo> => {
    tokens.set(token, (tokens.get(token) ?? 0) + 1);
    const account = refused.has(token) ? undefined : await accountOf(token);
    if (account === undefined) throw new InvalidTokenError('The token is not valid');
    return { token, clientId: account, scopes: ['openid'], expiresAt: Date.now() / 1_000 + TOKEN_SECONDS };
  };
  const bearer = requireBearerAuth({
    verifier: { verifyAccessToken },
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
  });
  app.all('/mcp', bearer, async (request: BearerRequest, response: ServerResponse) => {
    const account = request.auth?.clientId ?? '';
    const sessionId = String(request.headers['mcp-session-id']);
    sessions.get(sessionId)?.add(account);
    const known = transports.get(sessionId);
    if (known) return known.handleRequest(request, response, request.body);
    if (!isInitializeRequest(request.body)) return void response.writeHead(404).end('no such session');
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        transports.set(id, transport);
        sessions.set(id, new Set([account]));
      },
      onsessionclosed: (id) => void transports.delete(id),
    });
    await serverOf(account, others.has(account)).connect(transport as never);
    return transport.handleRequest(request, response, request.body);
  });
  return { url: resourceServerUrl.href, sessions, open: () => transports.size, others, refused, tokens };
}

/** The server of one session. */
function serverOf(owner: string, isOther: boolean): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' }, { capabilities: { logging: {} } });
  let count = 0;
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
  server.registerTool('whose', { description: 'Says whose account it is' }, ({ authInfo }) =>
    text(`${authInfo?.clientId} in a session of ${owner}`),
  );
  server.registerTool('echo', { description: 'Says which token it got' }, async ({ authInfo, sendNotification, _meta }) => {
    const token = String(authInfo?.token);
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined)
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, message: `with ${token}` } });
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: `called with ${token}` } });
    return text(`${token} ${Buffer.from(`:${token}:`).toString('base64')}`);
  });
  server.registerTool('link', { description: 'Wants its user to open a link' }, () => {
    throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Pay first', url: 'https://notes.example/pay', elicitationId: '1' }]);
  });
  if (isOther) server.registerTool('secret', { description: `A tool for ${owner}` }, () => text('secret'));
  else server.registerTool('count', { description: 'Counts the calls of this session' }, () => text(String(++count)));
  return server;
}
