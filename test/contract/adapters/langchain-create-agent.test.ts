import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { loadSvcTools, svcTools } from 'svc-sdk/langchain';
import { describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';
import { chatModel, converseInGraph } from '../langgraph';

describeAdapter({
  entry: 'svc-sdk/langchain',
  framework: installed('langchain', '@langchain/core'),
  async converse(conversing) {
    const { options, model } = conversing;
    const tools = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
    return converseInGraph(createAgent({ model: chatModel(model), tools, checkpointer: new MemorySaver() }), conversing);
  },
  can: {
    failToLoad: true,
    progress: true,
    payments: true,
    approval: true,
    unknownTools: true,
    // Such a call is put among `invalid_tool_calls`, where no agent looks.
    brokenArguments: (text) => text !== 'null',
    parallel: true,
    callIds: true,
  },
});
