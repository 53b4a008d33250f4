/**
 * A socket that `node:http` uses for one request and then returns, so that a client of several routes, such as `Tools`, keeps the fast path.
 *
 * Shape:  lent with the bytes of one request with a known end; taken back when the response is complete and no further byte was read.
 * Source: `connectionListenerInternal` and `freeParser` of Node's lib/_http_server.js: a listener for `close` ends the use of a connection.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (...args: unknown[]) => void;

/** The events of a socket that `node:http` listens to. */
const EVENTS = ['data', 'end', 'close', 'error', 'drain', 'timeout', 'pause', 'resume'] as const;

export class LentSocket {
  readonly #socket: Socket;
  /** Value of `socket.bytesRead` at the end of the request. */
  readonly #lastByte: number;
  readonly #added: [event: string, listener: Listener][];

  /** @param lend adds the listeners of `node:http` */
  constructor(socket: Socket, lastByte: number, lend: () => void) {
    this.#socket = socket;
    this.#lastByte = lastByte;
    const before = EVENTS.map((event) => socket.listeners(event));
    lend();
    this.#added = EVENTS.flatMap((event, index) =>
      socket
        .listeners(event)
        .flatMap((listener) => (before[index]?.includes(listener) ? [] : [[event, listener as Listener] as [string, Listener]])),
    );
  }

  /** Call this when the response has closed. Returns false when `node:http` keeps the socket. */
  takeBack(request: IncomingMessage, response: ServerResponse): boolean {
    const socket = this.#socket;
    const isOver = request.complete && response.writableFinished && socket.writable && socket.readable;
    if (!isOver || socket.bytesRead !== this.#lastByte || socket.readableLength > 0) return false;
    for (const [event, listener] of this.#added) socket.off(event, listener);
    for (const [event, listener] of this.#added) if (event === 'close') listener.call(socket);
    // Clears the idle timeout that `node:http` has set.
    socket.setTimeout(0);
    return true;
  }
}
