/**
 * One socket to the service: sends and receives frames, and matches answers to requests.
 *
 * Units:  `openMs` in milliseconds, from the construction to `settled()`: upgrade and registration together.
 * Errors: none thrown. `closed` is called exactly once, after every open request was settled as lost.
 * Source: docs/protocol.md section 6; JSON-RPC 2.0.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket as Socket } from 'ws';
import { SvcError } from '../protocol/errors';
import { FrameWriter } from '../protocol/frame-writer';
import { CLOSE_CODES, FRAME_ERRORS, METHODS } from '../protocol/frames';
import { closedWith, type Fault, fromFrameError, networkFault, refusedUpgrade } from './fault';
import { type FrameIn, readFrame } from './frames-in';

export type Answer = { kind: 'result'; result: unknown } | { kind: 'refused'; error: SvcError } | { kind: 'lost' };

export interface ServiceConnectionListener {
  opened(): void;
  invoke(id: string, params: unknown): void;
  cancel(params: unknown): void;
  warning(params: unknown): void;
  reconnect(params: unknown): void;
  closed(fault: Fault): void;
}

export interface ServiceConnectionOptions {
  Socket: typeof Socket;
  url: string;
  apiKey: string;
  openMs: number;
}

const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_BODY_CHARS = 64 * 1024;
const MAX_MALFORMED_FRAMES = 3;
/** Time for the closing handshake; then the socket is terminated. */
const CLOSE_MS = 2_000;

export class ServiceConnection {
  readonly #socket: Socket;
  readonly #url: string;
  readonly #listener: ServiceConnectionListener;
  readonly #requests = new Map<number, (answer: Answer) => void>();
  readonly #timer: ReturnType<typeof setTimeout>;
  #frames: FrameWriter | undefined;
  #lastRequestId = 0;
  #malformedFrames = 0;
  #fault: Fault | undefined;

  constructor({ Socket, url, apiKey, openMs }: ServiceConnectionOptions, listener: ServiceConnectionListener) {
    this.#url = url;
    this.#listener = listener;
    const headers = { authorization: `Bearer ${apiKey}` };
    // Compression costs ten times the memory per socket.
    const socket = new Socket(url, { headers, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
    this.#socket = socket;
    this.#timer = setTimeout(() => this.cutOff(`no registration within ${openMs} ms`), openMs);
    socket.on('upgrade', ({ socket: stream }: { socket: Duplex | null }) => {
      // Bun does not expose the stream.
      if (stream) this.#frames = new FrameWriter(stream, { isOpen: () => this.#isOpen, masked: true });
    });
    socket.on('unexpected-response', (_request, response) => void this.#onRefused(response));
    socket.on('open', () => listener.opened());
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    socket.on('error', (error) => {
      this.#fault ??= networkFault(error, url);
    });
    socket.on('close', (code, reason) => this.#onClose(code, reason.toString()));
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Stops the timeout of opening. From now on heartbeats detect a dead connection. */
  settled(): void {
    clearTimeout(this.#timer);
  }

  send(frame: string): void {
    if (!this.#isOpen) return;
    if (this.#frames) this.#frames.send(frame);
    else this.#socket.send(frame);
  }

  /** `settle` is called once, in the order of frames: frames that follow the answer are handled after it. */
  request(method: string, paramsJson: string, settle: (answer: Answer) => void): void {
    const id = ++this.#lastRequestId;
    this.#requests.set(id, settle);
    this.send(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${paramsJson}}`);
  }

  close(code: number = CLOSE_CODES.normal): void {
    this.#frames?.flush();
    this.#socket.close(code);
    const cut = setTimeout(() => this.#socket.terminate(), CLOSE_MS);
    this.#socket.once('close', () => clearTimeout(cut));
  }

  /** Closes the connection after a move. Later frames on this connection are ignored. */
  retire(): void {
    this.close();
    this.#loseRequests();
  }

  /** Closes because of an error answer, which `closed` reports. */
  leave(error: SvcError): void {
    this.#fault ??= { error };
    this.close();
  }

  /** Closes because the service violates the protocol. */
  breakOff(why: string): void {
    this.#fault ??= { error: new SvcError('CONNECTION_CLOSED', `Closed the connection to ${this.#url}: ${why}`) };
    this.close(CLOSE_CODES.protocolError);
  }

  /** Closes without a closing handshake, because the service is silent. */
  cutOff(why: string): void {
    this.#fault ??= { error: new SvcError('CONNECTION_CLOSED', `Cut the connection to ${this.#url}: ${why}`) };
    this.#socket.terminate();
  }

  async #onRefused(response: IncomingMessage): Promise<void> {
    let body = '';
    response.setEncoding('utf8');
    try {
      for await (const chunk of response) {
        body += chunk;
        if (body.length > MAX_BODY_CHARS) break;
      }
    } catch {
      // An incomplete response still has its status.
    }
    this.#fault ??= refusedUpgrade(response.statusCode ?? 0, body, this.#url);
    this.#socket.terminate();
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    // Frames that arrive after `close` are ignored.
    if (!this.#isOpen) return;
    const frame = isBinary ? undefined : readFrame(data.toString());
    if (frame) this.#onFrame(frame);
    else if (++this.#malformedFrames === MAX_MALFORMED_FRAMES) this.breakOff('received frames that are not JSON-RPC');
  }

  #onFrame(frame: FrameIn): void {
    switch (frame.kind) {
      case 'request':
        if (frame.method === METHODS.invoke && typeof frame.id === 'string') this.#listener.invoke(frame.id, frame.params);
        else this.#answerUnknown(frame.id, frame.method);
        return;
      case 'notification':
        if (frame.method === METHODS.cancel) this.#listener.cancel(frame.params);
        else if (frame.method === METHODS.warning) this.#listener.warning(frame.params);
        else if (frame.method === METHODS.reconnect) this.#listener.reconnect(frame.params);
        return;
      case 'result':
        this.#settle(frame.id, { kind: 'result', result: frame.result });
        return;
      case 'error':
        this.#settle(frame.id, { kind: 'refused', error: fromFrameError(frame.error) });
    }
  }

  #answerUnknown(id: string | number, method: string): void {
    const error = { code: FRAME_ERRORS.methodNotFound, message: `A toolkit has no method ${JSON.stringify(method)} with such an id` };
    this.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }

  /** Ignores an answer with an unknown id. */
  #settle(id: unknown, answer: Answer): void {
    const settle = this.#requests.get(id as number);
    this.#requests.delete(id as number);
    settle?.(answer);
  }

  #onClose(code: number, reason: string): void {
    clearTimeout(this.#timer);
    const fault = this.#fault ?? closedWith(code, reason);
    this.#loseRequests();
    this.#listener.closed(fault);
  }

  #loseRequests(): void {
    for (const settle of this.#requests.values()) settle({ kind: 'lost' });
    this.#requests.clear();
  }
}
