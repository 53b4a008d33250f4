import type { ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import type { LoadSvcToolsOptions } from 'svc-sdk/agent-tool';
import { loadSvcTools, svcTools } from 'svc-sdk/langchain';
import { expect, test } from 'vitest';
import { PNG } from '../../support/vectors';
import { describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';
import { chatModel, converseInGraph } from '../langgraph';
import { describeLangGraphApproval } from '../langgraph-approval';
import { startStage } from '../stage';

const framework = installed('@langchain/core', '@langchain/langgraph');

describeAdapter({
  entry: 'svc-sdk/langchain',
  framework,
  async converse(conversing) {
    const { options, model } = conversing;
    const tools = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
    return converseInGraph(createReactAgent({ llm: chatModel(model), tools, checkpointer: new MemorySaver() }), conversing);
  },
  can: {
    failToLoad: true,
    progress: true,
    payments: true,
    approval: true,
    unknownTools: true,
    // Such a call is put among `invalid_tool_calls`, where no agent looks: 1.x mends cut JSON first, 0.3 does not.
    brokenArguments: (text) => text !== 'null' && (!text.startsWith('{"') || !framework.includes('core 0.')),
    parallel: true,
    callIds: true,
  },
});

describeLangGraphApproval();

test('the blocks of a result are the artifact of the message; images are content if the options request them', async () => {
  const stage = await startStage();
  const show = async (options: LoadSvcToolsOptions) => {
    const [, invoke] = svcTools(options);
    const args = { action: 'probe__show', payload: {} };
    return (await invoke?.invoke({ type: 'tool_call', id: 'call_1', name: 'invoke_service', args })) as ToolMessage;
  };
  const words = expect.stringContaining('[image image/png, 70 bytes]');
  const artifact = [
    { type: 'text', text: '{"width":1}' },
    { type: 'image', data: PNG, mimeType: 'image/png' },
    { type: 'image' },
    { type: 'resource' },
    { type: 'resource_link', uri: 'https://example.com/a.png' },
  ];
  expect(await show({ tools: stage.tools })).toMatchObject({ content: words, artifact, tool_call_id: 'call_1', name: 'invoke_service' });
  const image = { type: 'image', source_type: 'base64', mime_type: 'image/png', data: PNG };
  expect(await show({ tools: stage.tools, images: true })).toMatchObject({ content: [{ type: 'text', text: words }, image], artifact });
});

test.skipIf(framework.includes('core 0.'))('a LangChain model gets the image through the Responses API', async () => {
  const stage = await startStage();
  const call = { name: 'invoke_service', arguments: { action: 'probe__show', payload: {} } };
  const model = await stage.model(({ turns }) => (turns.length === 0 ? { calls: [call] } : { content: 'Done.' }));
  const llm = new ChatOpenAI({
    model: 'scripted-model',
    apiKey: 'any',
    maxRetries: 0,
    useResponsesApi: true,
    configuration: { baseURL: model.baseURL },
  });
  const agent = createReactAgent({ llm, tools: svcTools({ tools: stage.tools, images: true }) });
  await agent.invoke({ messages: [{ role: 'user', content: 'Show it.' }] });
  expect(model.requests.at(-1)).toContain(`"image_url":"data:image/png;base64,${PNG}"`);
});
