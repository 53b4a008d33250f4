import { expect, test } from 'vitest';
import { SvcError } from '#sdk/protocol/errors';
import { CallDirectory } from '../../../src/calls/call-directory';
import { type CallEvent, type CallStateName, isPossible, TRANSITIONS } from '../../../src/calls/call-state';
import type { PendingCall } from '../../../src/calls/pending-call';
import { newCall } from './new-call';

const stop = () => {};
const gone = new SvcError('INVOCATION_CANCELLED', 'gone');

/** Ways to bring a call into each state. */
const WAYS: Record<CallStateName, (call: PendingCall) => void> = {
  received: () => {},
  queued: (call) => call.queue(),
  claiming: (call) => call.askForClaim(),
  claimed: (call) => {
    call.askForClaim();
    call.winClaim('node_here');
  },
  forwarded: (call) => call.forward('node_there'),
  following: (call) => call.follow(),
  dispatched: (call) => {
    WAYS.claimed(call);
    call.dispatch(stop);
  },
  cancelled: (call) => {
    WAYS.dispatched(call);
    call.abandon(gone);
  },
  ended: (call) => call.end({ responseJson: '{}' }),
};

const EVENTS: Record<CallEvent, (call: PendingCall) => void> = {
  queue: (call) => call.queue(),
  leaveQueue: (call) => call.leaveQueue(),
  askForClaim: (call) => call.askForClaim(),
  loseClaim: (call) => call.loseClaim(),
  winClaim: (call) => call.winClaim('node_here'),
  dispatch: (call) => call.dispatch(stop),
  adopt: (call) => call.adopt(stop),
  cancel: (call) => call.abandon(gone),
  sendAgain: (call) => call.sendAgain(2),
  release: (call) => call.release(),
  forward: (call) => call.forward('node_there'),
  takeBack: (call) => call.takeBack(),
  follow: (call) => call.follow(),
  stopFollowing: (call) => call.stopFollowing(),
  startOver: (call) => call.startOver(2),
  end: (call) => call.end({ responseJson: '{}' }),
};

const STATES = Object.keys(WAYS) as CallStateName[];

test.each(Object.keys(TRANSITIONS) as CallEvent[])(
  'the event "%s" leads to its state from each state that allows it, and is an error in all others',
  (event) => {
    for (const from of STATES) {
      const call = newCall();
      WAYS[from](call);
      expect(call.state.name).toBe(from);
      const { from: allowed, to } = TRANSITIONS[event];
      // A call that no handler has is abandoned without a change of its state.
      if (event === 'cancel' && !(allowed as readonly string[]).includes(from)) {
        EVENTS[event](call);
        expect(call.state.name).toBe(from);
      } else if ((allowed as readonly string[]).includes(from)) {
        EVENTS[event](call);
        expect(to).toContain(call.state.name);
      } else {
        expect(() => EVENTS[event](call), `${event} in ${from}`).toThrow('is impossible in state');
      }
    }
  },
);

test('a claimed call returns from the queue to its former place', () => {
  const call = newCall();
  WAYS.claimed(call);
  call.queue();
  expect(call.isClaimed).toBe(true);
  call.leaveQueue();
  expect(call.state.name).toBe('claimed');
  expect(isPossible('leaveQueue', 'queued', 'dispatched')).toBe(false);
});

test('outside of tests an impossible event is reported, and the call can still end', () => {
  const messages: string[] = [];
  const call = newCall(new CallDirectory((message) => messages.push(message)));
  call.dispatch(stop);
  expect(messages).toEqual(['Call inv_1: "dispatch" is impossible in state "received"']);
  call.end({ responseJson: '{}' });
  expect(call.state.name).toBe('ended');
});

test('whether a handler may have run a call follows from its state, and stays after its end', () => {
  const mayHaveRun = STATES.filter((state) => {
    const call = newCall();
    WAYS[state](call);
    return call.mayHaveRun;
  });
  expect(mayHaveRun).toEqual(['forwarded', 'following', 'dispatched', 'cancelled']);
  const call = newCall();
  WAYS.cancelled(call);
  call.end({ error: gone });
  expect(call.mayHaveRun).toBe(true);
});

test('the directory finds a call by id while this node has claimed it, under the id that it has now', () => {
  const directory = new CallDirectory();
  const call = newCall(directory);
  directory.add(call);
  expect(directory.claimed('inv_1')).toBeUndefined();
  call.askForClaim();
  expect(directory.claimed('inv_1')).toBe(call);
  call.winClaim('node_here');
  call.startOver(2);
  expect(directory.claimed('inv_1')).toBeUndefined();
  call.askForClaim();
  expect(directory.claimed(call.id)).toBe(call);
  directory.delete(call);
  expect(directory.claimed(call.id)).toBeUndefined();
});
