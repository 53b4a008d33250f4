import { expect, test, vi } from 'vitest';
import { approvals } from '../../../adapters/approval/langgraph';
import type { ApprovalDecision } from '../../../adapters/approval/langgraph-request';

let decision: ApprovalDecision = { type: 'approve' };
vi.mock('@langchain/langgraph', () => ({ interrupt: () => ({ decisions: [decision] }) }));

/** Resumes the task after the answer, like another process. */
async function approvedIn(task: string, made: ApprovalDecision = { type: 'approve' }): Promise<string | undefined> {
  decision = made;
  const request = { name: 'box__erase', args: { name: 'a' }, toolCallId: 'a' };
  const pendingWrites = [[task, '__interrupt__', { value: { actionRequests: [request] } }]];
  const configurable = {
    checkpoint_map: { '': 'c' },
    __pregel_resuming: true,
    __pregel_task_id: task,
    __pregel_checkpointer: { getTuple: async () => ({ pendingWrites }) },
    __pregel_scratchpad: { currentTaskInput: { lg_tool_call: {} } },
  };
  const call = { id: 'a', name: 'invoke_service', args: { action: 'box__erase', payload: { name: 'a' } } };
  return (await approvals([])(call, { configurable })).idempotencyKey;
}

test.each([
  'b3d1f7a0-4c62-5e19-8f04-d7a9e2c5061b',
  // One UUID in a hundred fails the randomness check: four equal characters in a row, or five in order.
  '00000000-8a1b-5c9d-9e3f-0a6b4c2d8e7f',
  '12345678-8a1b-5c9d-9e3f-0a6b4c2d8e7f',
])('an approved call has one key in every run of the task %s', async (task) => {
  const key = await approvedIn(task);
  expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(await approvedIn(task)).toBe(key);
});

test('in another task, and with another payload for the same task, it has another key', async () => {
  const task = '00000000-8a1b-5c9d-9e3f-0a6b4c2d8e7f';
  const edit: ApprovalDecision = { type: 'edit', editedAction: { name: 'box__erase', args: { name: 'z' } } };
  const keys = [await approvedIn(task), await approvedIn(task, edit), await approvedIn(task.replace('8a', '8b'))];
  expect(new Set(keys).size).toBe(3);
});
