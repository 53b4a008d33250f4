import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { loadSvcTools, svcTools } from 'svc-sdk/langchain';
import { describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';
import { chatModel, converseInGraph } from '../langgraph';
import { describeLangGraphApproval } from '../langgraph-approval';

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
    approval: true,
    unknownTools: true,
    // Such a call is put among `invalid_tool_calls`, where no agent looks: 1.x mends cut JSON first, 0.3 does not.
    brokenArguments: (text) => text !== 'null' && (!text.startsWith('{"') || !framework.includes('core 0.')),
    parallel: true,
    callIds: true,
  },
});

describeLangGraphApproval();
