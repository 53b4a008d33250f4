/**
 * Reads and writes the frames of one toolkit socket; routing is elsewhere. docs/protocol.md section 6.
 *
 * Errors: an invalid or too large frame gets an error answer; the third closes the socket (4400). A frame before `register` that is longer
 *         than any registration, and a flood of frames for no call, close the socket with 4400 too. Silence closes the socket (4408 before
 *         `register`, 4410 after). Too many incomplete frames close the socket of the oldest (1013).
 */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { SvcError } from '#sdk/protocol/errors';
import { FrameWriter } from '#sdk/protocol/frame-writer';
import { CLOSE_CODES, FRAME_ERRORS, type FrameError, METHODS, type ReconnectParams } from '#sdk/protocol/frames';
import { PATHS } from '#sdk/protocol/http';
import type { Limits } from '#sdk/protocol/limits';
import { currentWork } from '../lib/current-work';
import type { Logger } from '../lib/logger';
import type { UnfinishedMessages } from '../lib/unfinished-messages';
import type { AnsweredResult, AttemptRequest } from './attempt';
import type { HandlerUsers, ToolkitOwner } from './handler-users';
import { maxRegistrationBytes } from './large-frame';
import { BadFrame, type IncomingFrame } from './parse-frame';
import type { ReadShare } from './read-share';
import type { RefusedSockets } from './refused-sockets';
import { SocketReader } from './socket-reader';
import { UnfinishedFrame } from './unfinished-frame';

/** The answer to a `request`, and a callback that runs after the answer is sent. */
export interface Answered {
  result: unknown;
  afterwards?: () => void;
}

export interface ToolkitConnectionHandler {
  /** Throws SvcError, or `MethodNotFound`. */
  request(connection: ToolkitConnection, method: string, params: unknown): Promise<Answered>;
  notification(connection: ToolkitConnection, method: string, params: unknown): void;
  answer(connection: ToolkitConnection, invocationId: string, answer: AnsweredResult | { error: FrameError }): void;
  /** Whether the connection's instance runs the invocation. */
  awaits(connection: ToolkitConnection, invocationId: string): boolean;
  closed(connection: ToolkitConnection): void;
}

type ConnectionLimits = Pick<Limits, 'handshakeTimeoutMs' | 'heartbeatMs' | 'toolkitTextBytes'>;

export interface ToolkitConnectionDeps {
  /** Shared by all sockets of the key. */
  share: ReadShare;
  /** Shared by all sockets, as is `refused`. */
  unfinished: UnfinishedMessages;
  refused: RefusedSockets;
  users: HandlerUsers;
  limits: ConnectionLimits;
  logger: Logger;
}

export class MethodNotFound extends Error {}

/** RFC 6455 section 7.4.1: the connection closed without a close frame. */
const ABNORMAL_CLOSURE = 1006;
/** A socket is dead after this many heartbeats of silence. */
const SILENT_HEARTBEATS = 2.5;
const MAX_QUOTED_CHARS = 40;

export class ToolkitConnection {
  readonly keyId: string;
  /** That of the secret with which the socket was opened. */
  readonly keyHash: string | undefined;
  readonly toolkitId: string;
  /** The user of a call as its handler gets it; undefined for a call without one. */
  readonly userOf: (request: AttemptRequest) => string | undefined;
  readonly #webSocket: WebSocket;
  readonly #stream: Duplex;
  readonly #handler: ToolkitConnectionHandler;
  readonly #limits: ConnectionLimits;
  readonly #logger: Logger;
  readonly #frames: FrameWriter;
  readonly #reader: SocketReader;
  readonly #refused: RefusedSockets;
  #isRefused = false;
  #registered = false;
  #peerEnded = false;
  #wasReset = false;
  #silence: NodeJS.Timeout | undefined;

  constructor(
    socket: { webSocket: WebSocket; stream: Duplex },
    owner: ToolkitOwner,
    handler: ToolkitConnectionHandler,
    { share, unfinished, refused, users, limits, logger }: ToolkitConnectionDeps,
  ) {
    this.keyId = owner.keyId;
    this.keyHash = owner.keyHash;
    this.toolkitId = owner.toolkitId;
    this.userOf = (request) => users.idOf(request, owner);
    this.#webSocket = socket.webSocket;
    this.#stream = socket.stream;
    this.#frames = new FrameWriter(socket.stream, { isOpen: () => this.isOpen, masked: false });
    this.#handler = handler;
    this.#limits = limits;
    this.#logger = logger;
    this.#refused = refused;
    this.#startHandshakeTimer();
    const { toolkitTextBytes } = limits;
    this.#reader = new SocketReader(socket.webSocket, share, { isAwaited: (id) => handler.awaits(this, id), toolkitTextBytes });
    socket.webSocket.on('message', (data, isBinary) => this.#reader.handle(() => this.#onMessage(data, isBinary)));
    // `ws` answers pings; the time for this counts for the share.
    for (const control of ['ping', 'pong'] as const) socket.webSocket.on(control, () => this.#reader.handle(() => false));
    new UnfinishedFrame(socket, unfinished, {
      // After the registration, `ws` enforces the limit of a frame.
      maxBytes: () => (this.#registered ? Number.POSITIVE_INFINITY : maxRegistrationBytes(toolkitTextBytes)),
      tooLarge: (maxBytes) => this.#refuse(CLOSE_CODES.protocolError, `a frame before "register" has at most ${maxBytes} bytes`),
      readMuch: () => this.#reader.pauseForTurn(),
      refused: () => this.#refuse(CLOSE_CODES.tryAgainLater, 'too many frames are unfinished at this moment'),
    });
    socket.webSocket.on('close', (code) => this.#onClose(code));
    socket.stream.once('end', () => {
      this.#peerEnded = true;
    });
    // A faulty frame or a broken pipe. `close` follows, and the instance reconnects.
    socket.webSocket.on('error', (error) => logger.info({ toolkit: this.toolkitId, error: error.message }, 'toolkit socket failed'));
  }

  #startHandshakeTimer(): void {
    // Parts of a list that arrive together end one after the other, and each starts the timer again.
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.close(CLOSE_CODES.handshakeTimeout, 'no register in time'), this.#limits.handshakeTimeoutMs);
  }

  /** Counts silence in heartbeats from now on. */
  registered(): void {
    if (!this.#registered) this.#logger.info({ toolkit: this.toolkitId, key: this.keyId }, 'toolkit connected');
    this.#registered = true;
    clearTimeout(this.#silence);
    const silentMs = this.#limits.heartbeatMs * SILENT_HEARTBEATS;
    this.#silence = setTimeout(() => this.close(CLOSE_CODES.silent, 'no heartbeat'), silentMs);
  }

  /** False from the start of the closing handshake, when frames do not arrive any more. */
  get isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /**
   * Valid after the close: true if neither a close frame nor the end of the stream arrived. An operating system ends the streams of a dead
   * process, so the network failed or the peer is suspended, and its process most likely still runs.
   */
  get wasReset(): boolean {
    return this.#wasReset;
  }

  /** Resolves when a close that has already arrived is noticed. */
  caughtUp(): Promise<void> {
    return this.#reader.caughtUp();
  }

  send(text: string): void {
    if (this.isOpen) this.#frames.send(text);
  }

  notify(method: string, params: unknown): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /**
   * Asks the toolkit to reconnect, to another node if one exists, at a random time within `withinMs`. This connection serves calls until
   * then.
   */
  askToReconnect(withinMs: number): void {
    const params: ReconnectParams = { withinMs };
    this.notify(METHODS.reconnect, params);
  }

  /** Terminates a peer that does not answer the closing handshake: the sockets of a refused key must close within a second. */
  close(code: number, reason: string): void {
    this.#frames.flush();
    this.#webSocket.close(code, reason);
    const cut = setTimeout(() => this.#webSocket.terminate(), 500);
    this.#webSocket.once('close', () => clearTimeout(cut));
  }

  /** Closes the socket and stops reading it, so the answer to the closing handshake is not read either. */
  #refuse(code: number, reason: string): void {
    if (this.#isRefused || !this.isOpen) return;
    this.#isRefused = true;
    this.#logger.warn({ toolkit: this.toolkitId, key: this.keyId, code, reason }, 'toolkit socket refused');
    this.#reader.stop();
    this.close(code, reason);
    this.#stream.end();
    this.#refused.add(this.#webSocket);
  }

  /** The close reason is not logged: the peer wrote it. */
  #onClose(code: number): void {
    this.#wasReset = code === ABNORMAL_CLOSURE && !this.#peerEnded;
    if (this.#registered) this.#logger.info({ toolkit: this.toolkitId, key: this.keyId, code }, 'toolkit disconnected');
    clearTimeout(this.#silence);
    this.#handler.closed(this);
  }

  /** Returns whether the frame is a request. */
  #onMessage(data: RawData, isBinary: boolean): boolean {
    // The frame was in the same chunk as the frame that was refused.
    if (this.#isRefused) return false;
    // Frames before `register` do not extend the handshake timeout.
    if (this.#registered) this.#silence?.refresh();
    currentWork.mark(PATHS.toolkitSocket, this.keyId);
    try {
      const read = this.#reader.read(data, isBinary);
      if (read === 'ignore') return false;
      if (read === 'flood') {
        this.#refuse(CLOSE_CODES.protocolError, 'too many frames that belong to no running call');
        return false;
      }
      if ('error' in read) this.#answerError(read.id, read.error);
      else this.#onFrame(read.frame);
      return 'error' in read || read.frame.kind === 'request';
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.#onBadFrame(error);
      return true;
    }
  }

  #onBadFrame({ code, message }: BadFrame): void {
    this.#answerError(null, { code, message });
    if (this.#reader.countBadFrame()) this.#refuse(CLOSE_CODES.protocolError, message);
  }

  #onFrame(frame: IncomingFrame): void {
    switch (frame.kind) {
      case 'request':
        void this.#onRequest(frame.id, frame.method, frame.params);
        return;
      case 'notification':
        return this.#handler.notification(this, frame.method, frame.params);
      case 'result':
        return this.#handler.answer(this, String(frame.id), frame);
      case 'error':
        if (frame.id !== null) this.#handler.answer(this, String(frame.id), { error: frame.error });
    }
  }

  async #onRequest(id: string | number, method: string, params: unknown): Promise<void> {
    // The handshake timeout stops here: the registration may wait for thousands of others that arrived at the same time.
    if (isRegistering(method) && !this.#registered) clearTimeout(this.#silence);
    try {
      const { result, afterwards } = await this.#reader.whileAnswering(method, () => this.#handler.request(this, method, params));
      this.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
      afterwards?.();
    } catch (error) {
      this.#answerError(id, this.#frameError(error, method));
    }
    if (isRegistering(method) && !this.#registered && this.isOpen) this.#startHandshakeTimer();
  }

  #frameError(error: unknown, method: string): FrameError {
    if (error instanceof MethodNotFound)
      return { code: FRAME_ERRORS.methodNotFound, message: `There is no method "${method.slice(0, MAX_QUOTED_CHARS)}"` };
    if (SvcError.is(error)) {
      const code = error.code === 'INVALID_REQUEST' ? FRAME_ERRORS.invalidParams : FRAME_ERRORS.failed;
      return { code, message: error.message, data: error.toJSON() };
    }
    this.#logger.error({ error, toolkit: this.toolkitId, method }, 'toolkit request failed');
    const internal = new SvcError('INTERNAL', 'The service failed; its log has the reason');
    return { code: FRAME_ERRORS.failed, message: internal.message, data: internal.toJSON() };
  }

  #answerError(id: string | number | null, error: FrameError): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }
}

function isRegistering(method: string): boolean {
  return method === METHODS.register || method === METHODS.actions;
}
