/** The programs of `examples/<framework>/`, each in a separate process. */
import { describe, expect, test } from 'vitest';
import { CANCELLING, startExampleStage } from '../support/example';
import { understandLlamaIndex } from '../support/llamaindex';

const ASKING = [
  'ai-sdk/ask.ts',
  'anthropic/loop.ts',
  'anthropic/runner.ts',
  'anthropic/tool-search.ts',
  'google/ask.ts',
  'google-adk/ask.ts',
  'langchain/ask.ts',
  'llamaindex/ask.ts',
  'mastra/ask.ts',
  'openai-agents/ask.ts',
  'openai/chat-completions.ts',
  'openai/responses.ts',
  'openai/run-tools.ts',
  'openai/tool-search.ts',
  'strands/ask.ts',
];
const APPROVING = [
  'ai-sdk/approval.ts',
  'google/approval.ts',
  'google-adk/approval.ts',
  'langchain/approval.ts',
  'mastra/approval.ts',
  'openai-agents/approval.ts',
  'openai/approval.ts',
  'strands/approval.ts',
];

test.each(ASKING)('%s finds an action, uses it, and prints the answer', async (path) => {
  const stage = await startExampleStage(path.startsWith('llamaindex') ? understandLlamaIndex : undefined);
  expect(await stage.run(path, ['What is the weather in Rome?']).ended).toEqual({ code: 0, stdout: 'Rome: 21 degrees\n', stderr: '' });
});

describe.each(APPROVING)('%s', (path) => {
  test('cancels the order after a human approves', async () => {
    const stage = await startExampleStage();
    const { code, stdout } = await stage.run(path, ['Cancel order 17'], { input: 'y\n' }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Order 17 is cancelled\.\n$/) });
    expect(stdout).toMatch(CANCELLING);
    expect(stage.cancelled).toEqual([17]);
  });

  test('does not cancel the order after a human declines', async () => {
    const stage = await startExampleStage();
    const { code, stdout } = await stage.run(path, ['Cancel order 17'], { input: 'n\n' }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/was not cancelled/) });
    expect(stage.cancelled).toEqual([]);
  });
});
