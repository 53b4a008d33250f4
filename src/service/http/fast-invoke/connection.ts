/**
 * One connection of a caller in front of `node:http`. Plain calls are read and answered on the socket: the request and response objects of Node cost as
 * much as the rest of a call. Any other request goes to `node:http`, with all bytes from its beginning. Where its end is known, the connection comes back
 * behind it; else `node:http` keeps it.
 *
 * Shape: one request at a time. Bytes that arrive meanwhile wait, and above `MAX_WAITING_BYTES` the socket is paused.
 */
import type { Socket } from 'node:net';
import type { LastKey } from '../agent-gate';
import { boundedRequestBytes } from './bounded-request';
import type { PlainCall, PlainCallHandler } from './plain-call';
import { MAX_HEAD_BYTES, parseRequestHead, type RequestHead } from './request-head';
import { BAD_REQUEST, REQUEST_TIMEOUT, responseText } from './response-text';

/**
 * What a connection does now: `fresh` has sent nothing yet, `idle` waits for its next request, `body` has sent a head and a part of its body, `call` waits for
 * an answer, `flushing` does not read its answer, `lent` is with `node:http`, `done` is closed, closing or with `node:http` for good.
 */
export type ConnectionPhase = 'fresh' | 'idle' | 'body' | 'call' | 'flushing' | 'lent' | 'done';

/** What all connections of a server share. */
export interface InvokeConnectionOwner {
  readonly handler: PlainCallHandler;
  readonly maxBodyBytes: number;
  /** Whether answers close their connection. */
  readonly isLeaving: boolean;
  /** The lines of an answer that keeps its connection open. */
  readonly keepAliveLines: string;
  /** Sweeps that a connection may stay in a phase. */
  readonly maxSweeps: Readonly<Record<ConnectionPhase, number>>;
  /** Gives a socket to `node:http`, for good. */
  handOver(socket: Socket): void;
  /** Gives a socket to `node:http` for the request that ends at this number of bytes read; `resume` follows when it gives the socket back. */
  lend(connection: InvokeConnection, socket: Socket, lastByte: number): void;
  /** The connection needs no more sweeps. */
  remove(connection: InvokeConnection): void;
  /** A request ended with this status; 0 when its caller has gone. */
  requestEnded(status: number): void;
}

const MAX_WAITING_BYTES = 64 * 1024;

/** A request whose body is not complete. */
interface PartialRequest {
  head: RequestHead;
  /** From the first byte of the request on. */
  chunks: Buffer[];
  missingBytes: number;
}

export class InvokeConnection {
  readonly lastKey: LastKey = { authorization: undefined, key: undefined };
  readonly #socket: Socket;
  readonly #owner: InvokeConnectionOwner;
  #phase: ConnectionPhase = 'fresh';
  /** Since the phase began. */
  #sweeps = 0;
  #partial: PartialRequest | undefined;
  /** Bytes behind the request that is under way. */
  #waiting: Buffer | undefined;
  #onGone: (() => void) | undefined;
  readonly #listeners = {
    data: (chunk: Buffer) => this.#read(chunk),
    end: () => this.#ended(),
    close: () => this.#closed(),
    // Without a listener an error of the socket, such as ECONNRESET, would end the process; `close` follows it.
    error: () => {},
    drain: () => this.#drained(),
  };

  constructor(socket: Socket, owner: InvokeConnectionOwner) {
    this.#socket = socket;
    this.#owner = owner;
    this.#listen();
  }

  /** `node:http` has answered the request that it was lent the socket for. */
  resume(): void {
    this.#listen();
    this.#socket.resume();
    this.#enter('idle');
    if (this.#owner.isLeaving) this.closeIfIdle();
  }

  /** A fresh connection stays open: its first request may be on the way. */
  closeIfIdle(): void {
    if (this.#phase === 'idle') this.#socket.destroy();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Ends a connection that stays too long in its phase, as `node:http` does. */
  sweep(): void {
    if (++this.#sweeps <= this.#owner.maxSweeps[this.#phase]) return;
    if (this.#phase === 'idle') this.#socket.destroy();
    else this.#refuse(REQUEST_TIMEOUT);
  }

  whenGone(listener: () => void): void {
    if (this.#phase === 'call') this.#onGone = listener;
    else listener();
  }

  answer(status: number, headers: Record<string, string>, body: string): void {
    // A socket that is ended or destroyed closes soon: the caller has gone.
    if (this.#phase !== 'call' || !this.#socket.writable) return;
    const { isLeaving, keepAliveLines } = this.#owner;
    const bytes = Buffer.byteLength(body);
    const allHeaders = { ...(isLeaving && { connection: 'close' }), ...headers, 'content-length': String(bytes) };
    const text = responseText(status, allHeaders, body, keepAliveLines);
    this.#onGone = undefined;
    this.#owner.requestEnded(status);
    // Of ASCII text both encodings give the same bytes, and Latin-1 is the cheaper one.
    const isFlushed = this.#socket.write(text, bytes === body.length ? 'latin1' : 'utf8');
    if (allHeaders.connection === 'close') {
      this.#enter('done');
      this.#socket.destroySoon();
    } else if (isFlushed) {
      this.#readNext();
    } else {
      this.#enter('flushing');
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
      case 'call':
      case 'flushing':
        return this.#wait(chunk);
      case 'lent':
      case 'done':
        return;
    }
  }

  #readHead(chunk: Buffer): void {
    const text = chunk.toString('latin1', 0, MAX_HEAD_BYTES);
    const head = parseRequestHead(text);
    const { handler, maxBodyBytes } = this.#owner;
    if (!head || head.contentLength > maxBodyBytes) return this.#lend(chunk, boundedRequestBytes(text));
    const missingBytes = head.bytes + head.contentLength - chunk.length;
    // Pipelined requests run side by side in `node:http`.
    if (missingBytes < 0) return this.#handOver(chunk);
    if (missingBytes === 0) return this.#call(head, chunk.toString('utf8', head.bytes));
    if (!handler.mayReadBody(head, this.lastKey)) return this.#lend(chunk, head.bytes + head.contentLength);
    this.#partial = { head, chunks: [chunk], missingBytes };
    this.#enter('body');
  }

  #readBody(chunk: Buffer): void {
    const partial = this.#partial as PartialRequest;
    partial.chunks.push(chunk);
    partial.missingBytes -= chunk.length;
    if (partial.missingBytes > 0) return;
    this.#partial = undefined;
    const request = Buffer.concat(partial.chunks);
    if (partial.missingBytes < 0) this.#handOver(request);
    else this.#call(partial.head, request.toString('utf8', partial.head.bytes));
  }

  #call(head: RequestHead, body: string): void {
    this.#enter('call');
    this.#owner.handler.handlePlain(new Call(this, head, body));
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

  /** For one request of so many bytes, of which `chunk` has the first or all. */
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

  /** `node:http` reads `chunk` first. */
  #moveToNode(chunk: Buffer, give: () => void): void {
    const socket = this.#socket;
    for (const [event, listener] of Object.entries(this.#listeners)) socket.off(event, listener);
    socket.pause();
    socket.unshift(chunk);
    give();
    socket.resume();
  }

  /** The caller sends no more. */
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
    const onGone = this.#onGone;
    this.#enter('done');
    this.#onGone = undefined;
    this.#owner.remove(this);
    if (phase === 'body' || phase === 'call') this.#owner.requestEnded(0);
    onGone?.();
  }
}

class Call implements PlainCall {
  readonly head: RequestHead;
  readonly body: string;
  readonly #connection: InvokeConnection;

  constructor(connection: InvokeConnection, head: RequestHead, body: string) {
    this.#connection = connection;
    this.head = head;
    this.body = body;
  }

  get lastKey(): LastKey {
    return this.#connection.lastKey;
  }

  whenGone(listener: () => void): void {
    this.#connection.whenGone(listener);
  }

  answer(status: number, headers: Record<string, string>, body: string): void {
    this.#connection.answer(status, headers, body);
  }
}
