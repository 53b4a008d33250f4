/**
 * Bounds the open connections of callers. A toolkit's connection counts until it is a WebSocket; then `socketsPerKey` bounds it.
 *
 * A connection above the limit gets 503 with `Retry-After` before it sends anything, and is closed.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const SERVICE_FULL = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
/** The part of the limit above which connections without a request are closed earlier. */
const CROWDED = 0.9;

export class ConnectionLimit {
  readonly #max: number;
  readonly #open = new Set<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  get isCrowded(): boolean {
    return this.#open.size > this.#max * CROWDED;
  }

  /** Puts the limit in front of the server's only `connection` listener. */
  guard(server: Server): void {
    const [listener] = server.listeners('connection') as [(socket: Socket) => void];
    server.off('connection', listener).on('connection', (socket: Socket) => {
      if (this.#open.size >= this.#max) return refuse(socket);
      this.#open.add(socket);
      socket.once('close', () => this.release(socket));
      listener.call(server, socket);
    });
  }

  /** Stops counting a connection. */
  release(socket: Socket): void {
    this.#open.delete(socket);
  }
}

function refuse(socket: Socket): void {
  // An unhandled socket error, such as ECONNRESET, would end the process.
  socket.on('error', () => {});
  socket.write(SERVICE_FULL);
  socket.destroySoon();
}
