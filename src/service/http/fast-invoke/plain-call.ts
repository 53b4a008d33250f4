/** A plain call that was read on its socket, and the way back to it. */
import type { LastKey } from '../agent-gate';
import type { RequestHead } from './request-head';

export interface PlainCall {
  readonly head: RequestHead;
  /** The request body, decoded from UTF-8. */
  readonly body: string;
  /** The key that this connection sent last. */
  readonly lastKey: LastKey;
  /** Calls back when the caller has closed the connection; at once when it has already. */
  whenGone(listener: () => void): void;
  /** Call it exactly once. After the caller has gone it does nothing. */
  answer(status: number, headers: Record<string, string>, body: string): void;
}

export interface PlainCallHandler {
  /** Whether a body may be read that is not there yet: the key is known, valid and without a rate limit. */
  mayReadBody(head: RequestHead, lastKey: LastKey): boolean;
  /** Answers the call; never throws or rejects. */
  handlePlain(call: PlainCall): void;
}
