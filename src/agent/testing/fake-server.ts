/**
 * The HTTP server of a fake platform, with faults, a list of requests, and control requests such as `POST /faults`.
 *
 * Errors: a failed control request is answered with 400 and `{error}`.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { FakeFault, FakeMessage, FakePlatform, FakePress, SeenRequest } from './fake-platform';
import { Faults } from './faults';

export interface FakeRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** Bytes are sent as they are, any other body as JSON. Default of the status: 200. */
export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** The part of a fake that differs between platforms. */
export interface FakeRoutes extends Pick<FakePlatform, 'say' | 'press' | 'sent'> {
  answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer>;
  /** The platform's error answer with this status. */
  refuse(status: number, fault: FakeFault): FakeAnswer;
  /** Called after a control request added a fault. */
  faulted?(): void;
}

export interface FakeServer {
  readonly origin: string;
  readonly requests: readonly SeenRequest[];
  readonly faults: Faults;
  /** The server, for WebSocket upgrades. */
  readonly http: Server;
  close(): Promise<void>;
}

export async function startFakeServer(routes: FakeRoutes, port = 0): Promise<FakeServer> {
  const requests: { method: string; path: string; status: number }[] = [];
  const faults = new Faults();
  const control = toControl(routes, faults, requests);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request, response);
    const run = control.get(`${received.method} ${received.path}`);
    if (run) return send(response, await answerControl(run, received.body));
    const seen = { method: received.method, path: received.path, status: 0 };
    requests.push(seen);
    const answer = await answerWithFault(routes, received, faults.takeForRequest(received.path));
    if (!answer) return void request.socket.destroy();
    seen.status = answer.status ?? 200;
    send(response, answer);
  }

  const http = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      if (!response.headersSent) send(response, { status: 500, body: { error: error.message } });
    });
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    faults,
    http,
    async close() {
      const closed = once(http.close(), 'close');
      http.closeAllConnections();
      await closed;
    },
  };
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<FakeRequest> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
  const { method = 'GET', headers } = request;
  return { method, path: pathname, query: searchParams, headers, body: await buffer(request), signal: gone.signal };
}

/** Undefined if the socket must be destroyed. */
async function answerWithFault(routes: FakeRoutes, request: FakeRequest, fault: FakeFault = {}): Promise<FakeAnswer | undefined> {
  const taken = fault.done ? await routes.answer(request) : undefined;
  if (fault.hangMs !== undefined) await wait(fault.hangMs, undefined, { signal: request.signal }).catch(() => {});
  if (fault.cut) return undefined;
  if (fault.status !== undefined) return routes.refuse(fault.status, fault);
  return taken ?? (request.signal.aborted ? undefined : routes.answer(request));
}

function send(response: ServerResponse, { status = 200, headers, body }: FakeAnswer): void {
  const isBytes = body instanceof Uint8Array;
  const contentType = isBytes ? 'application/octet-stream' : 'application/json';
  response.writeHead(status, { 'content-type': contentType, ...headers }).end(isBytes ? body : JSON.stringify(body));
}

type Control = (body: never) => unknown;

/** The paths are not used by any platform. */
function toControl(routes: FakeRoutes, faults: Faults, requests: readonly SeenRequest[]): ReadonlyMap<string, Control> {
  return new Map<string, Control>([
    ['POST /say', async (message: FakeMessage) => ({ messageId: await routes.say(message) })],
    ['POST /press', (press: FakePress) => routes.press(press)],
    [
      'POST /faults',
      (fault: FakeFault) => {
        faults.add(fault);
        routes.faulted?.();
      },
    ],
    ['GET /sent', () => routes.sent],
    ['GET /requests', () => requests],
  ]);
}

async function answerControl(run: Control, body: Buffer): Promise<FakeAnswer> {
  try {
    const answer = await run((body.length > 0 ? JSON.parse(body.toString()) : {}) as never);
    return { body: answer ?? {} };
  } catch (error) {
    return { status: 400, body: { error: (error as Error).message } };
  }
}
