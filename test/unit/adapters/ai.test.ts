import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type ModelMessage, stepCountIs } from 'ai';
import { svcTools } from 'svc-sdk/ai';
import { expect, test } from 'vitest';
import { startStage } from '../../contract/stage';

test('two calls with one id: what was shown to a human is not what would run, so neither runs', async () => {
  const stage = await startStage();
  const calls = ['hidden', 'shown'].map((name) => ({
    id: 'call_1',
    name: 'invoke_service',
    arguments: { action: 'probe__erase', payload: { name } },
  }));
  const model = await stage.model(({ turns }) => (turns.length === 0 ? { calls } : { content: 'Done.' }));
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.baseURL, apiKey: 'any' });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Erase it.' }];
  const say = () =>
    generateText({ model: provider('scripted-model'), tools: svcTools(stage.tools), messages, stopWhen: stepCountIs(5), maxRetries: 0 });

  const { content, response } = await say();
  const requests = content.filter((part) => part.type === 'tool-approval-request');
  expect(requests.map(({ toolCall }) => toolCall.input)).toMatchObject([{ payload: { name: 'shown' } }]);
  const approvals = requests.map(({ approvalId }) => ({ type: 'tool-approval-response' as const, approvalId, approved: true }));
  messages.push(...response.messages, { role: 'tool', content: approvals });
  await say();
  expect(stage.erased).toEqual([]);
});
