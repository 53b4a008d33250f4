/** Special behaviour of LlamaIndex; the common behaviour of adapters is in test/contract/adapters. */
import { OpenAI } from '@llamaindex/openai';
import { agent, agentToolCallResultEvent } from '@llamaindex/workflow';
import { Tools } from 'svc-sdk';
import { loadSvcTools, svcTools } from 'svc-sdk/llamaindex';
import { expect, test } from 'vitest';
import { type Stage, stagesOfFile } from '../../contract/stage';
import { understandLlamaIndex } from '../../support/llamaindex';
import { startService } from '../../support/service';

const startStage = stagesOfFile();

const ODD = {
  text: 'He said "it\'s 5\\" wide"\nand left',
  'a "key"': [null, true, -1.5e3, '', '\\"', '\u3000', '\\u0022'],
  nested: { csv: '"a, b",c', empty: {} },
};

async function callOnce(stage: Pick<Stage, 'model' | 'tools'>, action: string, payload: Record<string, unknown>) {
  const model = await stage.model(({ turns }) =>
    turns.length > 0 ? { content: 'Done.' } : { calls: [{ name: 'invoke_service', arguments: { action, payload } }] },
  );
  const llm = new OpenAI({ model: 'gpt-5-mini', apiKey: 'any', baseURL: model.baseURL, maxRetries: 0 });
  const failed: boolean[] = [];
  for await (const event of agent({ llm, tools: svcTools(stage.tools) }).runStream('Please'))
    if (agentToolCallResultEvent.include(event)) failed.push(event.data.toolOutput.isError);
  return { told: model.conversations.at(-1)?.turns[0]?.[0]?.output, failed };
}

test('the model can read a result to the letter, quotes, nulls and all', async () => {
  const stage = await startStage();
  const service = await startService();
  await service.toolkit('odd', (toolkit) => toolkit.action({ action: 'give', actionDescription: 'Gives something odd' }, () => ODD));
  const { told, failed } = await callOnce({ ...stage, tools: await service.tools() }, 'odd__give', {});
  expect(told).toMatch(/^\{'text':'He said \\u0022it\\u0027s 5\\\\\\u0022 wide\\u0022\\nand left',/);
  expect(understandLlamaIndex(told)).toEqual(ODD);
  expect(failed).toEqual([false]);
});

test('a failure is marked as one, and the model reads its code and what to do', async () => {
  const { told, failed } = await callOnce(await startStage(), 'weather__tody', { city: 'Rome' });
  expect(told).toMatch(/^Error: .*\{'error':\{'code':'ACTION_NOT_FOUND',.*'didYouMean':\['weather__today'\]/);
  expect(failed).toEqual([true]);
});

test('the same in a loop of your own around llm.exec', async () => {
  const stage = await startStage();
  const [, invokeService] = svcTools(stage.tools);
  const model = await stage.model(() => ({
    calls: ['Rome', 'Atlantis'].map((city) => ({
      name: 'invoke_service',
      arguments: { action: 'weather__today', payload: { city } },
    })),
  }));
  const llm = new OpenAI({ model: 'gpt-5-mini', apiKey: 'any', baseURL: model.baseURL, maxRetries: 0 });
  const { newMessages } = await llm.exec({ messages: [{ role: 'user', content: 'Please' }], tools: [invokeService!] });
  expect(newMessages.slice(1).map(({ content }) => content)).toEqual([
    "{'city':'Rome','celsius':21}",
    expect.stringMatching(/^Error\(SvcError\): \{'error':\{'code':'ACTION_FAILED'/),
  ]);
});

test('a rule for approval is refused, because plain tools have no approval', () => {
  expect(() => svcTools({ needsApproval: true } as object)).toThrow(/LlamaIndex has no approval/);
});

test('tools that were not awaited throw the reason, where LlamaIndex would find no list', async () => {
  const llm = new OpenAI({ model: 'gpt-5-mini', apiKey: 'any', baseURL: 'http://127.0.0.1:9/v1' });
  const messages = [{ role: 'user' as const, content: 'Please' }];
  await expect(llm.chat({ messages, tools: loadSvcTools(new Tools()) as never })).rejects.toThrow(/await loadSvcTools/);
});
