/**
 * One message of an MCP client over HTTP, on its own: there are no sessions, so that any process of a service may answer the next one. Its
 * revision is told by the message.
 */
import { createMcpHandler, isJsonContentType, type McpServerFactory } from '@modelcontextprotocol/server';
import type { Logger } from '../logger';

export interface McpMessage {
  /** Its body is not read. */
  request: Request;
  /** Called for what is JSON by its content type. */
  readBody(): Promise<unknown>;
  logger: Logger;
}

/** Rejects as `readBody` does. */
export async function answerMessage(factory: McpServerFactory, { request, readBody, logger }: McpMessage): Promise<Response> {
  const onerror = (error: Error) => logger.info({ error }, 'a message over MCP was refused');
  // No list changes within a message, and whoever waits for news would hold a connection for ever.
  const handler = createMcpHandler(factory, { onerror, maxSubscriptions: 0 });
  const isJson = request.method === 'POST' && isJsonContentType(request.headers.get('content-type'));
  return handler.fetch(request, { parsedBody: isJson ? await readBody() : undefined });
}
