/** `GET /v1/toolkit`: authenticates the upgrade request of a toolkit and hands its WebSocket to the hub. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocketServer } from 'ws';
import { SvcError } from '#sdk/protocol/errors';
import { PATHS } from '#sdk/protocol/http';
import type { ToolkitOwner } from '../hub/handler-users';
import { EventLoopBudget } from '../lib/event-loop-budget';
import { problemAnswer, toSvcError } from '../lib/problem';
import type { AppDeps } from './app-deps';
import type { ConnectionLimit } from './connection-limit';
import { repeatedHeader } from './refuse-request';
import { takeAbsoluteTarget } from './request-target';
import type { RouteNames } from './route-names';

type ToolkitUpgradesDeps = Pick<AppDeps, 'hub' | 'keys' | 'limits' | 'metrics' | 'logger'> & {
  connectionLimit: ConnectionLimit;
  routeNames: RouteNames;
  /** Headers of each refusal. */
  headers: Readonly<Record<string, string>>;
};

/** Each fragment takes some hundred bytes of memory beside its content. */
const MAX_FRAGMENTS = 1_024;

export class ToolkitUpgrades {
  readonly #deps: ToolkitUpgradesDeps;
  #webSockets: WebSocketServer | undefined;
  readonly #budget = new EventLoopBudget();

  constructor(deps: ToolkitUpgradesDeps) {
    this.#deps = deps;
  }

  /** Closes all WebSockets without a handshake. */
  terminate(): void {
    for (const webSocket of this.#webSockets?.clients ?? []) webSocket.terminate();
  }

  async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    // A connection reset before the handshake completes needs no handling.
    const ignore = () => {};
    socket.on('error', ignore);
    try {
      await this.#budget.enter();
      const webSockets = this.#webSockets ?? (await this.#open());
      const owner = await this.#admit(request, socket);
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off('error', ignore);
        this.#deps.connectionLimit.release(socket);
        this.#deps.metrics?.requestEnded(this.#deps.routeNames.of(request.url), 101);
        this.#deps.hub.accept({ webSocket, stream: socket }, owner);
      });
    } catch (error) {
      const refusal = toSvcError(error, this.#deps.logger, 'upgrade');
      this.#deps.metrics?.requestEnded(this.#deps.routeNames.of(request.url), refusal.status);
      refuse(socket, refusal, this.#deps.headers);
    }
  }

  /** Loads the package with the first upgrade: with it come TLS and compression, a fiftieth of a start. */
  async #open(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import('ws');
    const maxPayload = this.#deps.limits.frameBytes;
    this.#webSockets ??= new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload, maxFragments: MAX_FRAGMENTS });
    return this.#webSockets;
  }

  async #admit(request: IncomingMessage, socket: Socket): Promise<ToolkitOwner> {
    const fault = repeatedHeader(request) ?? takeAbsoluteTarget(request);
    if (fault) throw fault;
    const path = request.url?.split('?')[0];
    if (path !== PATHS.toolkitSocket)
      throw new SvcError('NOT_FOUND', `There is no socket at ${path}; toolkits connect to ${PATHS.toolkitSocket}`);
    const key = await this.#deps.keys.authenticate(request.headers.authorization, 'toolkit');
    if (!this.#deps.hub.sockets.accepting)
      throw new SvcError('SERVICE_STOPPING', 'This node is stopping; connect to another one', { retryAfterMs: 250 });
    socket.once('close', this.#deps.keys.hold(key));
    const { id, hash, toolkitId, ownerId } = key;
    if (toolkitId === null) throw new Error(`Toolkit key ${id} belongs to no toolkit`);
    const sockets = this.#deps.hub.sockets.countOf(id);
    if (sockets >= this.#deps.limits.socketsPerKey) {
      throw new SvcError('RATE_LIMITED', `This key holds ${sockets} sockets already, which is its limit`, { retryAfterMs: 5_000 });
    }
    return { keyId: id, keyHash: hash, toolkitId, ownerId };
  }
}

/** Writes the answer to the socket, because Node creates no response object for an upgrade request. */
function refuse(socket: Socket, error: SvcError, common: Readonly<Record<string, string>>): void {
  const { status, headers, body } = problemAnswer(error);
  const lines = Object.entries({ ...common, ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // Node keeps a half-closed socket open until the client closes its side, which may never happen.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${error.code}\r\n${head}\r\n${body}`);
}
