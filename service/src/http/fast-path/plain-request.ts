/** A plain request that was read from its socket, and the handlers that answer it. */
import type { LastKey } from '../agent-gate';
import type { PlainPath, RequestHead } from './request-head';

export interface PlainRequest {
  readonly head: RequestHead;
  /** The last key of the connection. */
  readonly lastKey: LastKey;
  /** Calls `listener` when the caller disconnects; immediately when it already has. */
  onDisconnect(listener: () => void): void;
  /** Call this exactly once. Does nothing after the caller has disconnected. */
  answer(status: number, headers: Record<string, string>, body: string): void;
}

export interface PlainRequestHandler {
  /** True to wait for the rest of a body: the key is cached, valid and has no rate limit. */
  mayReadBody(head: RequestHead, lastKey: LastKey): boolean;
  /**
   * Answers the request. Never throws.
   *
   * @param body decoded from UTF-8; no part of `request`, which stays in memory until its answer
   */
  handlePlain(request: PlainRequest, body: string): void;
}

export type PlainRequestHandlers = Readonly<Record<PlainPath, PlainRequestHandler>>;
