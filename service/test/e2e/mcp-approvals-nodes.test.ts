// @module-tag postgres
// @module-tag nats
/** A call at `/mcp` that waits for a person, whose rounds and decision reach different nodes. */
import { expect, test, vi } from 'vitest';
import { offeredAt, startNodes } from '../../../test/support/nodes';
import type { TestService } from '../../../test/support/service';
import { startApprover } from '../support/approver';
import { McpDoor, shortWaits } from '../support/mcp-door';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const ORDER = { name: 'invoke_service', arguments: { action: 'shop__order', payload: {} } };
const ORDERED = { content: [{ type: 'text', text: 'ordered' }] };

test('a round, the decision and a look at the task are good at every node, and the call runs once', async () => {
  shortWaits();
  const [near, far] = (await startNodes(2)) as [TestService, TestService];
  let runs = 0;
  await far.toolkit('shop', (toolkit) => {
    toolkit.action({ action: 'order', actionDescription: 'Orders' }, () => {
      runs++;
      return 'ordered';
    });
  });
  await offeredAt([near, far], 'shop__order');
  const { key } = await near.keys.create({ kind: 'agent', name: 'client', rules: [{ match: {}, do: 'ask' }] });
  const { requestState } = await new McpDoor(near, key).call(ORDER);
  const { taskId } = await new McpDoor(near, key, {}, TASKS).call(ORDER);
  await (await startApprover(far)).decideNext('approve');

  expect(await new McpDoor(far, key).call(ORDER, { requestState })).toMatchObject(ORDERED);
  const look = async () => (await new McpDoor(far, key, {}, TASKS).request('tasks/get', { taskId: String(taskId) })).result;
  await vi.waitFor(async () => expect(await look()).toMatchObject({ status: 'completed', result: ORDERED }), { timeout: 20_000 });
  expect(runs).toBe(1);
});
