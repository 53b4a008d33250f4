import { expect, test } from 'vitest';
import { graphTask } from '../../../adapters/approval/langgraph-task';

const question = { id: 'i', value: 'Erase it?' };

test.each([
  ['an interrupt', question],
  ['a list of interrupts', [question]],
])('the question to a human is found in a checkpoint that keeps %s for a task', async (_shape, kept) => {
  const pendingWrites = [
    ['other', '__interrupt__', { value: 'Something else?' }],
    ['task', '__interrupt__', kept],
  ];
  const task = graphTask({
    configurable: {
      checkpoint_map: { '': 'c' },
      __pregel_resuming: true,
      __pregel_task_id: 'task',
      __pregel_checkpointer: { getTuple: async () => ({ pendingWrites }) },
      __pregel_scratchpad: { currentTaskInput: {} },
    },
  });
  expect(await task?.answered()).toEqual({ value: 'Erase it?', isAmbiguous: false });
});
