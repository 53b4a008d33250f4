import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#sdk/protocol/limits';
import { Attempt } from '../../../src/hub/attempt';
import { Replica } from '../../../src/hub/replica';
import type { ToolkitConnection } from '../../../src/hub/toolkit-connection';
import { type Slot, ToolkitReplicas } from '../../../src/hub/toolkit-replicas';
import type { ActionRecord } from '../../../src/store/store';

const ORDER: ActionRecord = { toolkitId: 'shop', name: 'order', description: 'Orders', payloadSchema: { type: 'object' }, annotations: {} };

function oneReplica() {
  const sent: string[] = [];
  const connection = { isOpen: true, send: (text: string) => void sent.push(text), userOf: () => undefined };
  const replica = new Replica('shop', 'instance-1');
  replica.attach(connection as unknown as ToolkitConnection, { sdk: 'test', concurrency: 1 }, new Map([['order', ORDER]]));
  const replicas = new ToolkitReplicas('shop', DEFAULT_LIMITS);
  replicas.byInstance.set(replica.instance, replica);
  const slot = replicas.reserve({ actionName: 'order', agentId: 'key_1' }, { abandoned: undefined, whenAbandoned: () => () => {} }) as Slot;
  return { sent, connection, replica, replicas, slot };
}

const order = () =>
  new Attempt({
    id: 'inv_1',
    toolkitId: 'shop',
    actionName: 'order',
    agentId: 'key_1',
    idempotencyKey: 'inv_1',
    attempt: 1,
    payloadJson: '{}',
    deadline: Date.now() + 1_000,
  });

test('a slot is used once', () => {
  const { sent, replica, slot } = oneReplica();
  expect([slot.send(order()), slot.send(order())]).toEqual([true, false]);
  expect(sent).toHaveLength(1);
  expect([replica.running.size, replica.reserved]).toEqual([1, 0]);
});

test.each<[string, (parts: ReturnType<typeof oneReplica>) => unknown]>([
  ['drains', ({ replica }) => Object.assign(replica, { draining: true })],
  [
    'drops the action',
    ({ replica, connection }) => replica.attach(connection as unknown as ToolkitConnection, { sdk: 'test', concurrency: 1 }, new Map()),
  ],
  ['begins to close its socket', ({ connection }) => Object.assign(connection, { isOpen: false })],
])('a slot does not send to a replica that %s after the reservation', (_what, change) => {
  const parts = oneReplica();
  change(parts);
  expect(parts.slot.send(order())).toBe(false);
  expect(parts.sent).toEqual([]);
  expect([parts.replica.running.size, parts.replica.reserved, parts.replicas.isFree('order')]).toEqual([0, 0, false]);
});
