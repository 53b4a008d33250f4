/** One port for all: the hot route, the app, and the toolkits' upgrade. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { WebSocketServer } from 'ws';
import { SvcError } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import type { Limits } from '../../protocol/limits';
import type { Hub } from '../hub/hub';
import type { KeyRing } from '../keys/key-ring';
import { EventLoopBudget } from '../lib/event-loop-budget';
import type { Logger } from '../lib/logger';
import { createApp } from './app';
import type { AppDeps } from './app-deps';
import { Cors } from './cors';
import { InvokeConnections } from './fast-invoke/connections';
import { InvokeRoute } from './invoke-route';
import { problemAnswer, toSvcError } from './problem';
import { routeOf } from './route-of';

/** How often Node looks for requests that take too long; its default of 30 s would let a slow client stay that much longer. */
const CONNECTION_CHECK_MS = 2_000;
/** Connections that the system holds until this process takes them; Node's 511 are full when thousands of toolkits come back, and who is turned away asks again after 1, 3 and 7 s. */
const WAITING_CONNECTIONS = 4_096;

/** Bun and Deno have HTTP servers of their own, which give no connection to others. */
const isNode = process.versions.bun === undefined && process.versions.deno === undefined;

export class HttpServer {
  readonly #server: Server;
  /** Connections that `node:http` has not been given. Undefined outside of Node. */
  readonly #connections: InvokeConnections | undefined;
  readonly #webSockets: WebSocketServer;
  readonly #hub: Hub;
  readonly #keys: KeyRing;
  readonly #limits: Limits;
  readonly #metrics: AppDeps['metrics'];
  readonly #logger: Logger;
  readonly #upgrades = new EventLoopBudget();
  #sendsAway = false;
  #closed: Promise<void> | undefined;

  constructor(deps: AppDeps) {
    const { limits } = deps;
    this.#hub = deps.hub;
    this.#keys = deps.keys;
    this.#limits = limits;
    this.#logger = deps.logger;
    this.#metrics = deps.metrics;
    const invokeRoute = new InvokeRoute(deps);
    const cors = new Cors(deps.origins);
    const app = getRequestListener(createApp(deps).fetch, { overrideGlobalObjects: false });
    const timeouts = {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    };
    this.#server = createServer({ ...timeouts, noDelay: true }, (request, response) => {
      this.#count(request, response);
      if (this.#sendsAway) response.setHeader('connection', 'close');
      if (cors.handle(request, response)) return;
      if (isInvoke(request)) void invokeRoute.handle(request, response);
      else void app(request, response);
    });
    if (isNode)
      this.#connections = new InvokeConnections({
        server: this.#server,
        handler: invokeRoute,
        maxBodyBytes: limits.requestBodyBytes,
        requestEnded: (status) => this.#metrics?.requestEnded(PATHS.invoke, status),
      });
    this.#webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: limits.frameBytes });
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket as Socket, head));
  }

  /** Resolves with the port. Rejects when the address is taken. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        const taken =
          error.code === 'EADDRINUSE'
            ? `${host}:${port} is taken by another program; choose another port, 0 takes any free one`
            : `Cannot listen on ${host}:${port}: ${error.message}`;
        reject(new SvcError('INVALID_REQUEST', taken, {}, { cause: error }));
      });
      this.#server.listen({ port, host, backlog: WAITING_CONNECTIONS }, () => {
        const address = this.#server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Callers come back on new connections, which a load balancer leads elsewhere. */
  sendAway(): void {
    this.#sendsAway = true;
    this.#connections?.sendAway();
    this.#server.closeIdleConnections();
  }

  /** No new connections; those that are open stay. Resolves when none is left. */
  stopListening(): Promise<void> {
    this.sendAway();
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    return this.#closed;
  }

  /** Resolves when no connection is left; those that are still open after `graceMs` are cut. */
  async close(graceMs = 500): Promise<void> {
    const cut = setTimeout(() => {
      this.#connections?.closeAll();
      this.#server.closeAllConnections();
      for (const webSocket of this.#webSockets.clients) webSocket.terminate();
    }, graceMs);
    await this.stopListening();
    clearTimeout(cut);
  }

  #count({ url }: IncomingMessage, response: ServerResponse): void {
    const metrics = this.#metrics;
    if (!metrics) return;
    response.once('close', () => metrics.requestEnded(routeOf(url), response.writableFinished ? response.statusCode : 0));
  }

  async #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    // Until the handshake is through, a reset of the connection is nobody's error.
    const ignore = () => {};
    socket.on('error', ignore);
    try {
      await this.#upgrades.enter();
      const { id: keyId, toolkitId } = await this.#admit(request, socket);
      this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', ignore);
        this.#metrics?.requestEnded(routeOf(request.url), 101);
        this.#hub.accept({ webSocket, stream: socket }, { keyId, toolkitId });
      });
    } catch (error) {
      const refusal = toSvcError(error, this.#logger, 'upgrade');
      this.#metrics?.requestEnded(routeOf(request.url), refusal.status);
      refuse(socket, refusal);
    }
  }

  async #admit(request: IncomingMessage, socket: Socket): Promise<{ id: string; toolkitId: string }> {
    const path = request.url?.split('?')[0];
    if (path !== PATHS.toolkitSocket)
      throw new SvcError('NOT_FOUND', `There is no socket at ${path}; toolkits connect to ${PATHS.toolkitSocket}`);
    const key = await this.#keys.authenticate(request.headers.authorization, 'toolkit');
    if (!this.#hub.sockets.accepting)
      throw new SvcError('SERVICE_STOPPING', 'This node is stopping; connect to another one', { retryAfterMs: 250 });
    socket.once('close', this.#keys.hold(key));
    const { id, toolkitId } = key;
    if (toolkitId === null) throw new Error(`Toolkit key ${id} belongs to no toolkit`);
    const sockets = this.#hub.sockets.countOf(id);
    if (sockets >= this.#limits.socketsPerKey) {
      throw new SvcError('RATE_LIMITED', `This key holds ${sockets} sockets already, which is its limit`, { retryAfterMs: 5_000 });
    }
    return { id, toolkitId };
  }
}

function isInvoke({ url, method }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url !== undefined &&
    url.startsWith(PATHS.invoke) &&
    (url.length === PATHS.invoke.length || url[PATHS.invoke.length] === '?')
  );
}

/** Before an upgrade there is no response object: the answer is written by hand. */
function refuse(socket: Socket, error: SvcError): void {
  const { status, headers, body } = problemAnswer(error);
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // Half-closed sockets are let stand by Node: one whose other side never closes would stay for ever.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${error.code}\r\n${head}\r\n${body}`);
}
