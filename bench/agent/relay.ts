/** A relay in front of the service: an answer can be held after the service sent it. The request is aborted when its caller disconnects. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Gates } from './gates.ts';

export interface Relay {
  origin: string;
  /** An answer of the service stays in the gate `answer <path>`. */
  gates: Gates;
  close(): Promise<void>;
}

export interface RelayedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export async function startRelay(target: string, onRequest: (request: RelayedRequest) => void = () => {}): Promise<Relay> {
  const gates = new Gates();
  const server = createServer((request, response) => {
    relay({ target, gates, onRequest }, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gates,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

interface RelayParts {
  target: string;
  gates: Gates;
  onRequest: (request: RelayedRequest) => void;
}

async function relay({ target, gates, onRequest }: RelayParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method = 'GET', url = '/', headers } = request;
  const body = await buffer(request);
  onRequest({ method, path: url, headers, body });
  const { host: _host, connection: _connection, 'content-length': _length, 'transfer-encoding': _encoding, ...sent } = headers;
  const answer = await fetch(target + url, {
    method,
    headers: sent as Record<string, string>,
    signal: gone.signal,
    ...(body.length > 0 && { body }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  await gates.pass(`answer ${url}`);
  const type = answer.headers.get('content-type');
  const retryAfter = answer.headers.get('retry-after');
  response.writeHead(answer.status, { ...(type && { 'content-type': type }), ...(retryAfter && { 'retry-after': retryAfter }) }).end(bytes);
}
