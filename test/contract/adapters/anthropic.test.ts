import Anthropic from '@anthropic-ai/sdk';
import { callTools, loadSvcTools, svcTools } from 'svc-sdk/anthropic';
import { PNG } from '../../support/vectors';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';

const framework = installed('@anthropic-ai/sdk');

const image = { always: true, as: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } } } as const;

const can = {
  failToLoad: true,
  // The adapter has no approval; a loop can call `tools.resolve()`.
  approval: false,
  unknownTools: true,
  // `input` of a `tool_use` block is an object, so invalid JSON is refused earlier.
  brokenArguments: false,
  parallel: true,
  callIds: true,
};

describeAdapter({
  entry: 'svc-sdk/anthropic',
  image,
  framework: `${framework}, tool runner`,
  // The runner shows nothing of a tool while it runs.
  can: { ...can, progress: false, payments: false },
  async converse(conversing) {
    const runner = clientOf(conversing).beta.messages.toolRunner(
      { ...requestOf(conversing), tools: await toolsOf(conversing), thread: false, max_iterations: 10 },
      { signal: conversing.signal },
    );
    return textOf((await runner).content);
  },
});

describeAdapter({
  entry: 'svc-sdk/anthropic',
  image,
  framework: `${framework}, streaming tool runner`,
  can: { ...can, progress: false, payments: false },
  async converse(conversing) {
    const runner = clientOf(conversing).beta.messages.toolRunner(
      {
        ...requestOf(conversing),
        tools: await toolsOf(conversing),
        thread: false,
        max_iterations: 10,
        stream: true,
        runToolsEagerly: true,
      },
      { signal: conversing.signal },
    );
    let text = '';
    for await (const stream of runner) text = textOf((await stream.finalMessage()).content);
    return text;
  },
});

describeAdapter({
  entry: 'svc-sdk/anthropic',
  image,
  framework: `${framework}, loop`,
  can: { ...can, progress: true, payments: true },
  async converse(conversing) {
    const client = clientOf(conversing);
    const { signal, onProgress, onPayment } = conversing;
    const request = { ...requestOf(conversing), tools: await toolsOf(conversing) };
    for (;;) {
      const { content } = await client.messages.create(request, { signal });
      const results = await callTools(request.tools, content, { signal, onProgress, onPayment });
      if (results.length === 0) return textOf(content);
      request.messages.push({ role: 'assistant', content }, { role: 'user', content: results });
    }
  },
});

function clientOf({ model }: Conversing): Anthropic {
  return new Anthropic({ baseURL: model.origin, apiKey: 'any', maxRetries: 0 });
}

function requestOf({ question }: Conversing) {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
  return { model: 'scripted-model', max_tokens: 1_000, messages };
}

function toolsOf({ options }: Conversing) {
  return isStatic(options) ? loadSvcTools(options) : svcTools(options);
}

function textOf(content: { type: string; text?: string }[]): string {
  return content.map(({ text = '' }) => text).join('');
}
