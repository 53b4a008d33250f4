/**
 * The state machine of a call.
 *
 *   received ── claiming ── claimed ── dispatched ── ended
 *
 * A call may wait in its toolkit's queue before or after it is claimed. It may be forwarded to another node, or follow an earlier call with the
 * same idempotency key; if neither runs it, it returns to `received`. The callers that wait are not part of the state: `Waiters` holds them.
 */
import type { SvcError } from '#sdk/protocol/errors';
import type { Attempt } from '../hub/attempt';

/** JSON text of an `InvokeResponse`, or the error of the call. */
export type Ended = { responseJson: string } | { error: SvcError };

export interface DispatchedCall {
  readonly attempt: Attempt;
  /** The error of the last caller that left; undefined while a caller waits. */
  readonly abandoned: SvcError | undefined;
}

/** Cancels a dispatched call at its handler. The last caller has left, with this error. */
export type StopHandler = (call: DispatchedCall, error: SvcError) => void;

export type CallState =
  /** No handler has the call, and this node has no other call with its key. */
  | { name: 'received' }
  /** Waits for a replica of this node with a free slot. */
  | { name: 'queued'; isClaimed: boolean }
  /** The claim was sent to the store, where other nodes may already see it. */
  | { name: 'claiming' }
  /** The store records the call as this node's. No handler has it. */
  | { name: 'claimed' }
  /** Sent to another node, which may run the call. */
  | { name: 'forwarded' }
  /** Waits for the outcome of an earlier call with its key, or of this call at the node that claimed it. */
  | { name: 'following' }
  /** Sent to a handler. Only the handler's process has the outcome. */
  | { name: 'dispatched'; stop: StopHandler }
  /** Dispatched, and cancelled at the handler. `error` is the one with which the last caller left. */
  | { name: 'cancelled'; stop: StopHandler; error: SvcError }
  | { name: 'ended'; ended: Ended; mayHaveRun: boolean };

export type CallStateName = CallState['name'];

interface Transition {
  from: readonly CallStateName[];
  /** More than one: a queued call returns to the state that it had. */
  to: readonly CallStateName[];
}

const LIVE = ['received', 'queued', 'claiming', 'claimed', 'forwarded', 'following', 'dispatched', 'cancelled'] as const;

export const TRANSITIONS = {
  queue: { from: ['received', 'claimed'], to: ['queued'] },
  leaveQueue: { from: ['queued'], to: ['received', 'claimed'] },
  askForClaim: { from: ['received'], to: ['claiming'] },
  loseClaim: { from: ['claiming'], to: ['received'] },
  // This node claims a forwarded call that no node answers. A node that receives the message late then finds the call taken.
  winClaim: { from: ['claiming', 'forwarded'], to: ['claimed'] },
  dispatch: { from: ['claimed'], to: ['dispatched'] },
  // The call was dispatched by another node, or by this node before a restart, and has no outcome in the store.
  adopt: { from: ['received'], to: ['dispatched'] },
  // Happens each time the last caller leaves: a retry may have joined since.
  cancel: { from: ['dispatched', 'cancelled'], to: ['cancelled'] },
  sendAgain: { from: ['dispatched', 'cancelled'], to: ['claimed'] },
  release: { from: ['dispatched', 'cancelled'], to: ['received'] },
  forward: { from: ['received', 'forwarded'], to: ['forwarded'] },
  takeBack: { from: ['forwarded'], to: ['received'] },
  follow: { from: ['received', 'forwarded', 'dispatched', 'cancelled', 'following'], to: ['following'] },
  stopFollowing: { from: ['following'], to: ['received'] },
  startOver: { from: ['received', 'claimed', 'forwarded', 'following', 'dispatched', 'cancelled'], to: ['received'] },
  end: { from: LIVE, to: ['ended'] },
} as const satisfies Record<string, Transition>;

export type CallEvent = keyof typeof TRANSITIONS;

export function isPossible(event: CallEvent, from: CallStateName, to: CallStateName): boolean {
  const transition: Transition = TRANSITIONS[event];
  return transition.from.includes(from) && transition.to.includes(to);
}

/** Whether a handler may have run the call. If so, no answer may say that it did not run. */
export function mayHaveRun(state: CallState): boolean {
  switch (state.name) {
    case 'forwarded':
    case 'following':
    case 'dispatched':
    case 'cancelled':
      return true;
    case 'ended':
      return state.mayHaveRun;
    default:
      return false;
  }
}

/** Whether the store records the call as this node's, or may do so. */
export function isClaimed(state: CallState): boolean {
  switch (state.name) {
    case 'claiming':
    case 'claimed':
    case 'dispatched':
    case 'cancelled':
      return true;
    case 'queued':
      return state.isClaimed;
    default:
      return false;
  }
}
