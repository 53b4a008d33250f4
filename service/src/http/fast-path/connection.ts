/**
 * A caller's connection in front of `node:http`. Plain requests are read and answered on the socket, because Node's request and response objects
 * cost as much as the rest of a call. Any other request is passed to `node:http` with all its bytes. If the end of the request is known, the
 * connection is taken back after it; otherwise `node:http` keeps it.
 *
 * Shape: one request at a time. Bytes that arrive meanwhile are buffered; above `MAX_WAITING_BYTES` the socket is paused.
 */
import type { Socket } from 'node:net';
import type { UnfinishedMessage } from '../../lib/unfinished-messages';
import type { LastKey } from '../agent-gate';
import type { RequestBodies } from '../read-body';
import { boundedRequestBytes } from './bounded-request';
import type { PlainRequest, PlainRequestHandlers } from './plain-request';
import { MAX_HEAD_BYTES, type PlainPath, parseRequestHead, type RequestHead } from './request-head';
import { BAD_REQUEST, CONNECTION_CLOSE, REQUEST_TIMEOUT, responseText, SERVICE_UNAVAILABLE } from './response-text';

/**
 * State of a connection. `fresh`: no byte received yet. `idle`: between two requests. `body`: received a head and a part of its body. `running`: the
 * handler processes the request. `flushing`: the answer waits until the caller reads. `lent`: `node:http` uses the socket. `done`: closing, closed,
 * or handed over permanently.
 */
export type ConnectionPhase = 'fresh' | 'idle' | 'body' | 'running' | 'flushing' | 'lent' | 'done';

/** State and options that all connections of a server share. */
export interface FastConnectionOwner {
  readonly handlers: PlainRequestHandlers;
  readonly bodies: RequestBodies;
  /** True if answers close their connection. */
  readonly isLeaving: boolean;
  /** Header lines: the first ones of each answer, and those after which the connection stays open. */
  readonly lines: Readonly<{ headers: string; keepAlive: string }>;
  /** Number of sweeps that a connection may stay in a phase. */
  maxSweeps(phase: ConnectionPhase): number;
  /** Gives a socket to `node:http` permanently. */
  handOver(socket: Socket): void;
  /** Gives a socket to `node:http` for the request that ends at `lastByte` of `socket.bytesRead`. Calls `resume` when the socket is back. */
  lend(connection: FastConnection, socket: Socket, lastByte: number): void;
  /** Stops the sweeps of a connection. */
  remove(connection: FastConnection): void;
  /** Called at the end of each request with its status; 0 when the caller disconnected. */
  requestEnded(path: PlainPath, status: number): void;
}

const MAX_WAITING_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/** A request whose body is not complete. */
interface PartialRequest {
  head: RequestHead;
  /** All bytes of the request so far. */
  chunks: Buffer[];
  missingBytes: number;
  unfinished: UnfinishedMessage;
}

export class FastConnection {
  readonly lastKey: LastKey = { authorization: undefined, key: undefined };
  readonly #socket: Socket;
  readonly #owner: FastConnectionOwner;
  #phase: ConnectionPhase = 'fresh';
  /** Path of the last plain request. */
  #path: PlainPath | undefined;
  /** Sweeps since the phase began. */
  #sweeps = 0;
  #partial: PartialRequest | undefined;
  /** Bytes received after the current request. */
  #waiting: Buffer | undefined;
  #disconnectListener: (() => void) | undefined;
  readonly #listeners = {
    data: (chunk: Buffer) => this.#read(chunk),
    end: () => this.#ended(),
    close: () => this.#closed(),
    // An unhandled socket error, such as ECONNRESET, would end the process. `close` follows each error.
    error: () => {},
    drain: () => this.#drained(),
  };

  constructor(socket: Socket, owner: FastConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    this.#listen();
  }

  /** Takes the socket back after `node:http` has answered its request. */
  resume(): void {
    this.#listen();
    this.#socket.resume();
    this.#enter('idle');
    if (this.#owner.isLeaving) this.closeIfIdle();
  }

  /** Closes the connection between two requests. A fresh one stays open: its first request may be on the way. */
  closeIfIdle(): void {
    if (this.#phase === 'idle') this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Closes the connection when it stays too long in a phase, as `node:http` does. */
  sweep(): void {
    if (++this.#sweeps <= this.#owner.maxSweeps(this.#phase)) return;
    if (this.#phase === 'fresh' || this.#phase === 'body') this.#refuse(REQUEST_TIMEOUT);
    else this.#socket.destroy();
  }

  onDisconnect(listener: () => void): void {
    if (this.#phase === 'running') this.#disconnectListener = listener;
    else listener();
  }

  answer(status: number, headers: Record<string, string>, body: string): void {
    // A socket that is not writable is closing: the caller has disconnected.
    if (this.#phase !== 'running' || !this.#socket.writable) return;
    const { isLeaving, lines } = this.#owner;
    const isLast = isLeaving || headers.connection === 'close';
    const bytes = Buffer.byteLength(body);
    const connectionLines = isLast ? CONNECTION_CLOSE : lines.keepAlive;
    const text = responseText({ status, headerLines: lines.headers, headers, bytes, connectionLines, body });
    this.#disconnectListener = undefined;
    this.#requestEnded(status);
    // Both encodings give the same bytes for ASCII text, and Latin-1 is cheaper.
    const isFlushed = this.#socket.write(text, bytes === body.length ? 'latin1' : 'utf8');
    if (isLast) {
      this.#enter('done');
      this.#socket.destroySoon();
    } else if (isFlushed && !this.#waiting) {
      this.#enter('idle');
    } else {
      this.#enter('flushing');
      // Deferred: the answer may be written during the work for another request.
      if (isFlushed) queueMicrotask(this.#listeners.drain);
    }
  }

  #listen(): void {
    for (const [event, listener] of Object.entries(this.#listeners)) this.#socket.on(event, listener);
  }

  #enter(phase: ConnectionPhase): void {
    this.#phase = phase;
    this.#sweeps = 0;
  }

  #read(chunk: Buffer): void {
    switch (this.#phase) {
      case 'fresh':
      case 'idle':
        return this.#readHead(chunk);
      case 'body':
        return this.#readBody(chunk);
      case 'running':
      case 'flushing':
        return this.#wait(chunk);
      case 'lent':
      case 'done':
        return;
    }
  }

  #readHead(chunk: Buffer): void {
    // The values of its headers keep this text in memory; the key's value does so as long as the connection is open.
    const headEnd = chunk.indexOf(HEAD_END);
    const text = chunk.toString('latin1', 0, headEnd < 0 ? MAX_HEAD_BYTES : Math.min(headEnd + HEAD_END.length, MAX_HEAD_BYTES));
    const head = parseRequestHead(text);
    const { handlers, bodies } = this.#owner;
    if (!head || head.contentLength > bodies.maxBytes) return this.#lend(chunk, boundedRequestBytes(text));
    this.#path = head.path;
    const missingBytes = head.bytes + head.contentLength - chunk.length;
    // `node:http` runs pipelined requests concurrently.
    if (missingBytes < 0) return this.#handOver(chunk);
    if (missingBytes === 0) return this.#run(head, chunk.toString('utf8', head.bytes));
    if (!handlers[head.path].mayReadBody(head, this.lastKey)) return this.#lend(chunk, head.bytes + head.contentLength);
    const unfinished = bodies.unfinished.open(() => this.#refuse(SERVICE_UNAVAILABLE));
    this.#partial = { head, chunks: [chunk], missingBytes, unfinished };
    this.#enter('body');
    unfinished.add(chunk.length);
  }

  #readBody(chunk: Buffer): void {
    const partial = this.#partial as PartialRequest;
    partial.chunks.push(chunk);
    partial.missingBytes -= chunk.length;
    if (partial.missingBytes > 0) return partial.unfinished.add(chunk.length);
    partial.unfinished.close();
    this.#partial = undefined;
    const request = Buffer.concat(partial.chunks);
    if (partial.missingBytes < 0) this.#handOver(request);
    else this.#run(partial.head, request.toString('utf8', partial.head.bytes));
  }

  #run(head: RequestHead, body: string): void {
    this.#enter('running');
    this.#owner.handlers[head.path].handlePlain(new RunningRequest(this, head), body);
  }

  #wait(chunk: Buffer): void {
    this.#waiting = this.#waiting ? Buffer.concat([this.#waiting, chunk]) : chunk;
    if (this.#waiting.length > MAX_WAITING_BYTES) this.#socket.pause();
  }

  #drained(): void {
    if (this.#phase === 'flushing') this.#readNext();
  }

  #readNext(): void {
    this.#enter('idle');
    const chunk = this.#waiting;
    if (!chunk) return;
    this.#waiting = undefined;
    this.#socket.resume();
    this.#read(chunk);
  }

  /** Lends the socket for one request. `chunk` has its first bytes or all of them. */
  #lend(chunk: Buffer, requestBytes: number | undefined): void {
    if (requestBytes === undefined || chunk.length > requestBytes) return this.#handOver(chunk);
    const socket = this.#socket;
    this.#enter('lent');
    this.#moveToNode(chunk, () => this.#owner.lend(this, socket, socket.bytesRead + requestBytes - chunk.length));
  }

  #handOver(chunk: Buffer): void {
    this.#enter('done');
    this.#owner.remove(this);
    this.#moveToNode(chunk, () => this.#owner.handOver(this.#socket));
  }

  /** Puts `chunk` back, so that `node:http` reads it first. */
  #moveToNode(chunk: Buffer, give: () => void): void {
    const socket = this.#socket;
    for (const [event, listener] of Object.entries(this.#listeners)) socket.off(event, listener);
    socket.pause();
    socket.unshift(chunk);
    give();
    socket.resume();
  }

  /** The caller has closed its side of the connection. */
  #ended(): void {
    if (this.#phase === 'body') this.#refuse(BAD_REQUEST);
    else this.#socket.end();
  }

  #refuse(response: string): void {
    this.#socket.write(response);
    this.#socket.destroy();
  }

  #closed(): void {
    const phase = this.#phase;
    const listener = this.#disconnectListener;
    this.#enter('done');
    this.#disconnectListener = undefined;
    this.#partial?.unfinished.close();
    this.#partial = undefined;
    this.#owner.remove(this);
    if (phase === 'body' || phase === 'running') this.#requestEnded(0);
    listener?.();
  }

  #requestEnded(status: number): void {
    if (this.#path !== undefined) this.#owner.requestEnded(this.#path, status);
  }
}

class RunningRequest implements PlainRequest {
  readonly head: RequestHead;
  readonly #connection: FastConnection;

  constructor(connection: FastConnection, head: RequestHead) {
    this.#connection = connection;
    this.head = head;
  }

  get lastKey(): LastKey {
    return this.#connection.lastKey;
  }

  onDisconnect(listener: () => void): void {
    this.#connection.onDisconnect(listener);
  }

  answer(status: number, headers: Record<string, string>, body: string): void {
    this.#connection.answer(status, headers, body);
  }
}
