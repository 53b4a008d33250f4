/** Reads the frames of one toolkit socket with backpressure. */
import type { RawData, WebSocket } from 'ws';
import { FRAME_ERRORS, METHODS } from '#sdk/protocol/frames';
import { TokenBucket } from '../lib/token-bucket';
import { judgeLargeFrame, LARGE_FRAME_CHARS, type LargeFrameFate, type LargeFrameRules } from './large-frame';
import { BadFrame, type IncomingFrame, parseFrame } from './parse-frame';
import type { ReadShare } from './read-share';

const MAX_BAD_FRAMES = 3;
/**
 * Frames that belong to no running call, such as progress of an unknown call. An honest toolkit sends few of them; after a reconnect it sends at
 * most as many late outcomes as its concurrency. A frame costs one token, and one more per 1,024 characters.
 */
const UNEXPECTED_FRAMES = { burst: 10_000, perSecond: 1_000 };
const CHARS_PER_TOKEN = 1_024;
/** Unanswered requests of one socket. At the limit the socket is not read. */
const MAX_REQUESTS = 100;
/** A registration counts as so many requests. While a single registration waits, the socket is still read, so that its close is noticed. */
const REGISTRATION_WEIGHT = 50;
const REGISTERING: ReadonlySet<string> = new Set([METHODS.register, METHODS.actions, METHODS.update]);

export class SocketReader {
  readonly #webSocket: WebSocket;
  readonly #share: ReadShare;
  readonly #rules: LargeFrameRules;
  readonly #unexpected = new TokenBucket(UNEXPECTED_FRAMES);
  #badFrames = 0;
  #requests = 0;

  constructor(webSocket: WebSocket, share: ReadShare, rules: LargeFrameRules) {
    this.#webSocket = webSocket;
    this.#share = share;
    this.#rules = rules;
    share.add(webSocket);
    webSocket.once('close', () => share.remove(webSocket));
  }

  /** @param work returns whether the frame is a request */
  handle(work: () => boolean): void {
    this.#share.handle(work);
  }

  /**
   * Throws BadFrame.
   *
   * @returns `flood` when the socket has sent too many frames that belong to no running call
   */
  read(data: RawData, isBinary: boolean): Exclude<LargeFrameFate, 'parse'> | 'flood' {
    if (isBinary) throw new BadFrame(FRAME_ERRORS.invalidRequest, 'Frames are text');
    const text = data.toString();
    const fate = text.length > LARGE_FRAME_CHARS ? judgeLargeFrame(text, this.#rules) : 'parse';
    const read = fate === 'parse' ? { frame: parseFrame(text) } : fate;
    const isExpected = read !== 'ignore' && 'frame' in read && this.#isExpected(read.frame);
    return isExpected || this.#unexpected.take(1 + Math.min(text.length, LARGE_FRAME_CHARS) / CHARS_PER_TOKEN) ? read : 'flood';
  }

  stop(): void {
    this.#share.hold(this.#webSocket);
  }

  /** Stops reading until the next turn of the event loop. */
  pauseForTurn(): void {
    this.#share.hold(this.#webSocket);
    setImmediate(() => this.#share.release(this.#webSocket));
  }

  /** See `ReadShare.caughtUp`. */
  caughtUp(): Promise<void> {
    return this.#share.caughtUp();
  }

  /** Returns whether the socket has to close. */
  countBadFrame(): boolean {
    return ++this.#badFrames === MAX_BAD_FRAMES;
  }

  /** Runs the work. The socket is not read while two registrations or 100 other requests wait. */
  async whileAnswering<T>(method: string, work: () => Promise<T>): Promise<T> {
    const weight = REGISTERING.has(method) ? REGISTRATION_WEIGHT : 1;
    if (this.#requests < MAX_REQUESTS && this.#requests + weight >= MAX_REQUESTS) this.#share.hold(this.#webSocket);
    this.#requests += weight;
    try {
      return await work();
    } finally {
      const before = this.#requests;
      this.#requests -= weight;
      if (before >= MAX_REQUESTS && this.#requests < MAX_REQUESTS) this.#share.release(this.#webSocket);
    }
  }

  /** Registrations have their own limits. */
  #isExpected(frame: IncomingFrame): boolean {
    if ('method' in frame && REGISTERING.has(frame.method)) return true;
    const invocationId = invocationOf(frame);
    return invocationId !== undefined && this.#rules.isAwaited(invocationId);
  }
}

/** The id of the invocation whose progress or outcome the frame reports. */
function invocationOf(frame: IncomingFrame): string | undefined {
  if (!('method' in frame)) return frame.id === null ? undefined : String(frame.id);
  if (frame.method !== METHODS.progress && frame.method !== METHODS.result) return undefined;
  const { params } = frame;
  const id = typeof params === 'object' && params !== null && 'invocationId' in params ? params.invocationId : undefined;
  return typeof id === 'string' ? id : undefined;
}
