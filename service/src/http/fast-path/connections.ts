/** The connections in front of `node:http`: accepts them, applies the server's timeouts, and closes them with the server. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestBodies } from '../read-body';
import { type ConnectionPhase, FastConnection, type FastConnectionOwner } from './connection';
import { LentSocket } from './lent-socket';
import type { PlainRequestHandlers } from './plain-request';
import type { PlainPath } from './request-head';

interface FastConnectionsDeps {
  /** Its timeouts apply to these connections too. */
  server: Server;
  handlers: PlainRequestHandlers;
  /** Headers of each answer. */
  headers: Readonly<Record<string, string>>;
  bodies: RequestBodies;
  answerTimeoutMs: number;
  /** True if connections without a request are closed early. */
  isCrowded(): boolean;
  requestEnded(path: PlainPath, status: number): void;
}

const SWEEP_MS = 1_000;

export class FastConnections implements FastConnectionOwner {
  readonly handlers: PlainRequestHandlers;
  readonly lines: FastConnectionOwner['lines'];
  readonly bodies: RequestBodies;
  readonly requestEnded: (path: PlainPath, status: number) => void;
  readonly handOver: (socket: Socket) => void;
  readonly #connections = new Set<FastConnection>();
  readonly #lent = new WeakMap<Socket, { connection: FastConnection; lentSocket: LentSocket }>();
  readonly #sweeps: Readonly<Record<ConnectionPhase, number>>;
  readonly #isCrowded: () => boolean;
  #isLeaving = false;

  /** Replaces the server's own `connection` listener. */
  constructor({ server, handlers, headers, bodies, answerTimeoutMs, isCrowded, requestEnded }: FastConnectionsDeps) {
    this.handlers = handlers;
    this.bodies = bodies;
    this.#isCrowded = isCrowded;
    this.requestEnded = requestEnded;
    const headerLines = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(server.keepAliveTimeout / 1_000)}\r\n`;
    this.lines = { headers: headerLines, keepAlive };
    const requestSweeps = sweepsIn(server.requestTimeout);
    this.#sweeps = {
      fresh: Math.min(sweepsIn(server.headersTimeout), requestSweeps),
      body: requestSweeps,
      // A second longer than in the `Keep-Alive` header, so that callers rarely send on a closing connection.
      idle: sweepsIn(server.keepAliveTimeout + SWEEP_MS),
      running: Number.POSITIVE_INFINITY,
      lent: Number.POSITIVE_INFINITY,
      flushing: sweepsIn(answerTimeoutMs),
      done: sweepsIn(answerTimeoutMs),
    };
    const [listener] = server.listeners('connection') as [(socket: Socket) => void];
    this.handOver = (socket) => listener.call(server, socket);
    server.off('connection', listener).on('connection', (socket) => this.accept(socket));
    server.prependListener('request', (request, response) => this.#requestReceived(request, response));
    const sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweeper));
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  maxSweeps(phase: ConnectionPhase): number {
    const isWaiting = phase === 'fresh' || phase === 'idle';
    return isWaiting && this.#isCrowded() ? Math.min(1, this.#sweeps[phase]) : this.#sweeps[phase];
  }

  accept(socket: Socket): void {
    this.#connections.add(new FastConnection(socket, this));
  }

  lend(connection: FastConnection, socket: Socket, lastByte: number): void {
    this.#connections.delete(connection);
    this.#lent.set(socket, { connection, lentSocket: new LentSocket(socket, lastByte, () => this.handOver(socket)) });
  }

  remove(connection: FastConnection): void {
    this.#connections.delete(connection);
  }

  /** Closes idle connections immediately, and the others after their next answer. */
  closeAfterAnswers(): void {
    this.#isLeaving = true;
    for (const connection of this.#connections) connection.closeIfIdle();
  }

  closeAll(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  #requestReceived(request: IncomingMessage, response: ServerResponse): void {
    const lent = this.#lent.get(request.socket);
    if (!lent) return;
    const { connection, lentSocket } = lent;
    const { socket } = request;
    response.once('close', () => {
      this.#lent.delete(socket);
      if (!lentSocket.takeBack(request, response)) return;
      this.#connections.add(connection);
      connection.resume();
    });
  }

  #sweep(): void {
    for (const connection of this.#connections) connection.sweep();
  }
}

/** 0 disables a timeout, as in `node:http`. */
function sweepsIn(timeoutMs: number): number {
  return timeoutMs === 0 ? Number.POSITIVE_INFINITY : Math.ceil(timeoutMs / SWEEP_MS);
}
