import OpenAI from 'openai';
import { loadSvcResponsesTools, svcResponsesTools } from 'svc-sdk/openai';
import { PNG } from '../../support/vectors';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

describeAdapter({
  entry: 'svc-sdk/openai, the Responses API',
  framework: installed('openai'),
  converse,
  image: { as: { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' } },
  can: {
    failToLoad: true,
    progress: true,
    payments: true,
    // The user writes the loop and its approvals: docs/adapters/openai.md.
    approval: false,
    unknownTools: true,
    brokenArguments: true,
    parallel: true,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, onProgress, onPayment }: Conversing): Promise<string> {
  const openai = new OpenAI({ baseURL: model.baseURL, apiKey: 'any', maxRetries: 0 });
  const tools = isStatic(options) ? await loadSvcResponsesTools(options) : svcResponsesTools(options);
  const request = { model: 'scripted-model', tools };
  let response = await openai.responses.create({ ...request, input: question }, { signal });
  for (;;) {
    const input = await tools.callTools(response.output, { signal, onProgress, onPayment });
    if (input.length === 0) return response.output_text;
    response = await openai.responses.create({ ...request, previous_response_id: response.id, input }, { signal });
  }
}
