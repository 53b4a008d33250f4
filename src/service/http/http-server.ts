/** One port for all: the hot route, the app, and the toolkits' upgrade. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { SvcError } from '../../protocol/errors';
import { PATHS } from '../../protocol/http';
import { createApp } from './app';
import type { AppDeps } from './app-deps';
import { Cors } from './cors';
import { InvokeConnections } from './fast-invoke/connections';
import { InvokeRoute } from './invoke-route';
import { routeOf } from './route-of';
import { ToolkitUpgrades } from './toolkit-upgrades';

/** How often Node looks for requests that take too long; its default of 30 s would let a slow client stay that much longer. */
const CONNECTION_CHECK_MS = 2_000;
/** Connections that the system holds until this process takes them; Node's 511 are full when thousands of toolkits come back, and who is turned away asks again after 1, 3 and 7 s. */
const WAITING_CONNECTIONS = 4_096;

/** Bun and Deno have HTTP servers of their own, which give no connection to others. */
const isNode = process.versions.bun === undefined && process.versions.deno === undefined;

export class HttpServer {
  readonly #server: Server;
  /**
   * Connections that `node:http` has not been given. Undefined outside of Node. Undefined with tracing too: applications that trace instrument
   * `node:http`, and the active span there is the parent of a call's.
   */
  readonly #connections: InvokeConnections | undefined;
  readonly #toolkitUpgrades: ToolkitUpgrades;
  readonly #metrics: AppDeps['metrics'];
  #sendsAway = false;
  #closed: Promise<void> | undefined;

  constructor(deps: AppDeps) {
    const { limits } = deps;
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
    if (isNode && !deps.isTraced)
      this.#connections = new InvokeConnections({
        server: this.#server,
        handler: invokeRoute,
        maxBodyBytes: limits.requestBodyBytes,
        requestEnded: (status) => this.#metrics?.requestEnded(PATHS.invoke, status),
      });
    this.#toolkitUpgrades = new ToolkitUpgrades(deps);
    this.#server.on('upgrade', (request, socket, head) => void this.#toolkitUpgrades.upgrade(request, socket as Socket, head));
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
      this.#toolkitUpgrades.terminate();
    }, graceMs);
    await this.stopListening();
    clearTimeout(cut);
  }

  #count({ url }: IncomingMessage, response: ServerResponse): void {
    const metrics = this.#metrics;
    if (!metrics) return;
    response.once('close', () => metrics.requestEnded(routeOf(url), response.writableFinished ? response.statusCode : 0));
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
