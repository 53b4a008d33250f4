/** A call of the action `shop__buy` with the idempotency key `order-1`. */
import { CallDirectory } from '../../../src/calls/call-directory';
import { type CallOrigin, PendingCall } from '../../../src/calls/pending-call';
import type { InvocationRecord } from '../../../src/store/store';

export const record: InvocationRecord = {
  id: 'inv_1',
  agentKeyId: 'key_a',
  idempotencyKey: 'order-1',
  requestHash: 'hash',
  action: 'shop__buy',
  startedAt: 0,
  node: 'node_here',
  outcome: null,
};

export function newCall(directory = new CallDirectory(), id = 'inv_1', origin: CallOrigin = { from: 'caller' }): PendingCall {
  const { node: _, outcome: __, ...start } = record;
  const request = {
    id,
    toolkitId: 'shop',
    actionName: 'buy',
    agentId: 'key_a',
    idempotencyKey: 'order-1',
    attempt: 1,
    payloadJson: '{}',
    deadline: Date.now() + 60_000,
  };
  return new PendingCall(directory, { ...start, id }, request, origin);
}
