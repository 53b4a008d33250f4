/**
 * The states of a call, and the events that lead from one to another.
 *
 *   received ── claiming ── claimed ── dispatched ── ended
 *
 * A call may wait in the queue of its toolkit before it is claimed, or after. It may be forwarded to another node, or follow an earlier call
 * with the same idempotency key, and then comes back to `received` where neither ran it. Whether anyone waits for a call is no part of its
 * state: `Waiters` knows that.
 */
import type { SvcError } from '../../protocol/errors';
import type { Ended, PendingCall } from './pending-call';

/** Asks the handler of a dispatched call to stop: the last caller has left, with this error. */
export type StopHandler = (call: PendingCall, error: SvcError) => void;

export type CallState =
  /** No handler has it, and its idempotency key is free as far as this node knows. */
  | { name: 'received' }
  /** It waits for a replica of this node that has room. */
  | { name: 'queued'; isClaimed: boolean }
  /** The store was asked for the claim, and may already show it to other nodes. */
  | { name: 'claiming' }
  /** The store has it as this node's call. No handler has it. */
  | { name: 'claimed' }
  /** Another node may run it. */
  | { name: 'forwarded' }
  /** It waits for the outcome of an earlier call with its key, or for another node that has claimed it. */
  | { name: 'following' }
  /** Only the handler's process can say whether it ran. */
  | { name: 'dispatched'; stop: StopHandler }
  /** Dispatched, and the handler was asked to stop: `told` is what the last caller was told. */
  | { name: 'cancelled'; stop: StopHandler; told: SvcError }
  | { name: 'ended'; ended: Ended; mayHaveRun: boolean };

export type CallStateName = CallState['name'];

interface Transition {
  from: readonly CallStateName[];
  /** The first one that fits: a queued call goes back to where it was. */
  to: readonly CallStateName[];
}

const LIVE = ['received', 'queued', 'claiming', 'claimed', 'forwarded', 'following', 'dispatched', 'cancelled'] as const;

export const TRANSITIONS = {
  queue: { from: ['received', 'claimed'], to: ['queued'] },
  leaveQueue: { from: ['queued'], to: ['received', 'claimed'] },
  askForClaim: { from: ['received'], to: ['claiming'] },
  loseClaim: { from: ['claiming'], to: ['received'] },
  // A forwarded call is claimed here when no node answers: a late message then finds it taken.
  winClaim: { from: ['claiming', 'forwarded'], to: ['claimed'] },
  dispatch: { from: ['claimed'], to: ['dispatched'] },
  // A call that the store had without an outcome: a former process of the service, or another node, has sent it.
  adopt: { from: ['received'], to: ['dispatched'] },
  // Once for each time that the last caller leaves.
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

/** Whether a handler may have run the call: then nobody may be told that it did not run. */
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

/** Whether the store has the call as this node's, or may have it as that. */
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
