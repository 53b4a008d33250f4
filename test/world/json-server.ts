/**
 * A server on loopback whose bodies and answers are JSON.
 *
 * Errors: 404 for a path without a route, 400 for a body that its route cannot use; both with `{error}`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A string is sent unchanged, any other body as JSON. Default status: 200. */
export interface JsonAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** @param body undefined if there is none */
export type JsonRoute = (body: unknown, request: IncomingMessage) => JsonAnswer | Promise<JsonAnswer>;

export interface JsonServer {
  origin: string;
  close(): Promise<void>;
}

/** @param routes by method and path, such as `GET /requests` */
export async function startJsonServer(routes: Readonly<Record<string, JsonRoute>>): Promise<JsonServer> {
  const server = createServer(async (request, response) => {
    const { status = 200, headers, body = {} } = await answer(routes, request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(routes: Readonly<Record<string, JsonRoute>>, request: IncomingMessage): Promise<JsonAnswer> {
  const route = routes[`${request.method} ${request.url}`];
  const body = await text(request);
  if (!route) return { status: 404, body: { error: `There is only ${Object.keys(routes).join(', ')}` } };
  try {
    return await route(body === '' ? undefined : JSON.parse(body), request);
  } catch (error) {
    return { status: 400, body: { error: (error as Error).message } };
  }
}
