/** The HTTP server: one port for the hot routes, the other routes and the WebSocket upgrades of toolkits. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isNode } from '#sdk/node-version';
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import type { AppDeps } from './app-deps';
import { ConnectionLimit } from './connection-limit';
import { Cors } from './cors';
import { FastConnections } from './fast-path/connections';
import { InvokeRoute } from './invoke-route';
import { LaterApp } from './later-app';
import { refuseRequest } from './refuse-request';
import { RouteNames } from './route-names';
import { SearchRoute } from './search-route';
import { securityHeaders } from './security-headers';
import { SlowReaders } from './slow-readers';
import { ToolkitUpgrades } from './toolkit-upgrades';

/** Interval in which Node checks the request timeouts. With its default of 30 s, a slow client could exceed them by that much. */
const CONNECTION_CHECK_MS = 2_000;
/**
 * Length of the listen backlog. Node's default of 511 overflows when thousands of toolkits reconnect, and TCP repeats a dropped SYN only after
 * 1, 3 and 7 s.
 */
const BACKLOG = 4_096;

export class HttpServer {
  readonly #server: Server;
  /**
   * Connections that are read without `node:http`. Undefined outside Node, and with tracing: applications instrument `node:http`, and its active
   * span is the parent of a call's span.
   */
  readonly #connections: FastConnections | undefined;
  readonly #toolkitUpgrades: ToolkitUpgrades;
  readonly #slowReaders: SlowReaders;
  readonly #metrics: AppDeps['metrics'];
  readonly #app: LaterApp;
  readonly #routeNames = new RouteNames();
  #closesAfterAnswers = false;
  #closed: Promise<void> | undefined;

  constructor(deps: AppDeps) {
    const { limits } = deps;
    const connectionLimit = new ConnectionLimit(limits.connections);
    this.#slowReaders = new SlowReaders(limits.answerTimeoutMs);
    this.#metrics = deps.metrics;
    this.#app = new LaterApp(deps, this.#routeNames);
    const [invoke, search] = [new InvokeRoute(deps), new SearchRoute(deps)];
    const cors = new Cors(deps.origins);
    const headers = securityHeaders(deps.admin?.publicUrl);
    const timeouts = {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
    };
    this.#server = createServer({ ...timeouts, noDelay: true }, (request, response) => {
      const refusal = refuseRequest(request);
      this.#count(request, response);
      this.#slowReaders.watch(response);
      for (const name in headers) response.setHeader(name, headers[name] as string);
      if (refusal) return void response.writeHead(refusal.status, { ...refusal.headers, connection: 'close' }).end(refusal.body);
      if (this.#closesAfterAnswers) response.setHeader('connection', 'close');
      if (cors.handle(request, response)) return;
      if (isPost(request, PATHS.invoke)) void invoke.handle(request, response);
      else if (isPost(request, PATHS.search)) void search.handle(request, response);
      else this.#app.handle(request, response);
    });
    if (isNode && !deps.isTraced)
      this.#connections = new FastConnections({
        server: this.#server,
        handlers: { [PATHS.invoke]: invoke.plain, [PATHS.search]: search.plain },
        headers,
        bodies: deps.bodies,
        answerTimeoutMs: limits.answerTimeoutMs,
        isCrowded: () => connectionLimit.isCrowded,
        requestEnded: (path, status) => this.#metrics?.requestEnded(path, status),
      });
    if (isNode) connectionLimit.guard(this.#server);
    this.#toolkitUpgrades = new ToolkitUpgrades({ ...deps, connectionLimit, routeNames: this.#routeNames, headers });
    this.#server.on('upgrade', (request, socket, head) => void this.#toolkitUpgrades.upgrade(request, socket as Socket, head));
  }

  /** Resolves with the port. Rejects when the address is in use. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => {
        const taken =
          error.code === 'EADDRINUSE'
            ? `${host}:${port} is taken by another program; choose another port, 0 takes any free one`
            : `Cannot listen on ${host}:${port}: ${error.message}`;
        reject(new SvcError('INVALID_REQUEST', taken, {}, { cause: error }));
      });
      this.#server.listen({ port, host, backlog: BACKLOG }, () => {
        this.#app.load();
        const address = this.#server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Closes each connection after its next answer. Callers reconnect, and a load balancer sends them to another node. */
  closeAfterAnswers(): void {
    this.#closesAfterAnswers = true;
    this.#connections?.closeAfterAnswers();
    this.#server.closeIdleConnections();
  }

  /** Refuses new connections. Resolves when all open ones have closed. */
  stopListening(): Promise<void> {
    this.closeAfterAnswers();
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    return this.#closed;
  }

  /** Refuses new connections, and destroys those that are still open after `graceMs`. Resolves when none is left. */
  async close(graceMs = 500): Promise<void> {
    const cut = setTimeout(() => {
      this.#connections?.closeAll();
      this.#server.closeAllConnections();
      this.#toolkitUpgrades.terminate();
    }, graceMs);
    await this.stopListening();
    clearTimeout(cut);
    this.#slowReaders.stop();
  }

  #count({ url }: IncomingMessage, response: ServerResponse): void {
    const metrics = this.#metrics;
    if (!metrics) return;
    response.once('close', () => metrics.requestEnded(this.#routeNames.of(url), response.writableFinished ? response.statusCode : 0));
  }
}

function isPost({ url, method }: IncomingMessage, path: string): boolean {
  return method === 'POST' && url !== undefined && url.startsWith(path) && (url.length === path.length || url[path.length] === '?');
}
