import { Agent, type InvokeArgs } from '@strands-agents/sdk';
import { AnthropicModel } from '@strands-agents/sdk/models/anthropic';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { loadSvcTools, type StrandsQuestion, svcTools } from 'svc-sdk/strands';
import { understandStrands } from '../../support/strands';
import { PNG } from '../../support/vectors';
import { type AdapterUnderTest, type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

const can: AdapterUnderTest['can'] = {
  failToLoad: true,
  progress: true,
  payments: true,
  approval: true,
  unknownTools: true,
  // Strands ends the run with the error of the parser.
  brokenArguments: (text) => !text.startsWith('{"'),
  parallel: true,
  callIds: true,
};

describeAdapter({
  entry: 'svc-sdk/strands',
  framework: installed('@strands-agents/sdk'),
  understand: understandStrands,
  can,
  converse: (conversing) => {
    const { baseURL } = conversing.model;
    return converse(conversing, new OpenAIModel({ modelId: 'm', apiKey: 'any', clientConfig: { baseURL, maxRetries: 0 } }));
  },
});

describeAdapter({
  entry: 'svc-sdk/strands, Anthropic',
  framework: installed('@strands-agents/sdk'),
  image: { as: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } } },
  can,
  converse: (conversing) => {
    const { origin } = conversing.model;
    return converse(conversing, new AnthropicModel({ modelId: 'm', apiKey: 'any', clientConfig: { baseURL: origin, maxRetries: 0 } }));
  },
});

async function converse(
  { question, options, signal, onProgress, onPayment, approve }: Conversing,
  model: OpenAIModel | AnthropicModel,
): Promise<string> {
  const tools = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
  const agent = new Agent({ model, tools, printer: false, retryStrategy: null });
  let said: InvokeArgs = question;
  for (;;) {
    const run = agent.stream(said, { cancelSignal: signal });
    let next = await run.next();
    for (; !next.done; next = await run.next()) {
      if (next.value.type !== 'toolStreamUpdateEvent') continue;
      const shown = Object(next.value.event.data);
      if ('progress' in shown) onProgress(shown.progress);
      if ('payment' in shown) onPayment(shown.payment);
    }
    const { interrupts = [] } = next.value;
    if (interrupts.length === 0) return String(next.value);
    said = [];
    for (const { id: interruptId, reason } of interrupts) {
      const { tool, input } = reason as unknown as StrandsQuestion;
      said.push({ interruptResponse: { interruptId, response: await approve({ tool, input }) } } as never);
    }
  }
}
