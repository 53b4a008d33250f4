/**
 * One message of an MCP client over HTTP. Each has a separate server, so it needs no earlier message. The message names its revision.
 */
import { createMcpHandler, McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import type { Logger } from '../lib/logger';
import { PING_MS } from '../lib/server-sent-events';
import type { Sessions } from './sessions';

export interface McpMessage {
  /** Its body is not read. */
  request: Request;
  /** The parsed body; undefined for a request whose content type is not JSON. */
  body: unknown;
  keyId: string;
  sessions: Sessions;
  logger: Logger;
}

/** Requests that a toolkit answers, which may take long. */
const CALLS = ['tools/call', 'resources/read'];

const SESSION_HEADER = 'mcp-session-id';

export async function answerMessage(factory: McpServerFactory, message: McpMessage): Promise<Response> {
  const { request, body, keyId, sessions, logger } = message;
  const inSession = { keyId, session: request.headers.get(SESSION_HEADER), body };
  await sessions.cancel(inSession);

  const cancellable: McpServerFactory = async (context) => {
    const product = await factory(context);
    const server = product instanceof McpServer ? product.server : product;
    server.onclose = sessions.add(inSession, server);
    return product;
  };
  const onerror = (error: Error) => logger.info({ error }, 'a message over MCP was refused');
  // No list changes within a message, and a client that waits for changes would hold a connection for ever.
  const handler = createMcpHandler(cancellable, {
    onerror,
    maxSubscriptions: 0,
    keepAliveMs: PING_MS,
    // A proxy ends a call that sends nothing; a stream has pings.
    responseMode: isCall(body) ? 'sse' : 'auto',
  });
  const response = await handler.fetch(request, { parsedBody: body });
  const begun = sessions.begin(inSession);
  if (begun !== undefined) response.headers.set(SESSION_HEADER, begun);
  return response;
}

function isCall(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && CALLS.includes(String(body.method));
}
