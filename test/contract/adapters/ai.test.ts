import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type ModelMessage, stepCountIs, streamText, wrapLanguageModel } from 'ai';
import { loadSvcTools, svcTools } from 'svc-sdk/ai';
import { expect, test } from 'vitest';
import { PNG } from '../../support/vectors';
import { type Conversing, describeAdapter } from '../adapter';
import { installed } from '../installed';
import { isStatic } from '../is-static';
import { startStage } from '../stage';

const framework = installed('ai');

describeAdapter({
  entry: 'svc-sdk/ai',
  framework,
  converse,
  can: {
    failToLoad: true,
    progress: true,
    payments: true,
    approval: !framework.startsWith('ai 5'),
    unknownTools: true,
    brokenArguments: true,
    parallel: true,
    callIds: true,
  },
});

async function converse({ question, options, model, signal, onProgress, onPayment, approve }: Conversing): Promise<string> {
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.baseURL, apiKey: 'any' });
  const tools = isStatic(options) ? await loadSvcTools(options) : svcTools(options);
  const messages: ModelMessage[] = [{ role: 'user', content: question }];
  for (;;) {
    const run = streamText({
      model: provider('scripted-model'),
      tools,
      messages,
      stopWhen: stepCountIs(10),
      abortSignal: signal,
      maxRetries: 0,
      onError: () => {},
    });
    const responses: { type: 'tool-approval-response'; approvalId: string; approved: boolean }[] = [];
    for await (const part of run.fullStream) {
      if (part.type === 'error') throw part.error;
      const shown = part.type === 'tool-result' && part.preliminary ? Object(part.output) : {};
      if ('progress' in shown) onProgress(shown.progress);
      if ('payment' in shown) onPayment(shown.payment);
      if (part.type === 'tool-approval-request') {
        const approved = await approve({ tool: part.toolCall.toolName, input: part.toolCall.input });
        responses.push({ type: 'tool-approval-response', approvalId: part.approvalId, approved });
      }
    }
    if (responses.length === 0) return await run.text;
    // `response` has the messages of all steps before AI SDK 7.
    const answered = (await run.responseMessages) ?? (await run.response).messages;
    messages.push(...answered, { role: 'tool', content: responses });
  }
}

test('an image is sent to the provider as content, in the format of this version; stored as JSON too', async () => {
  const stage = await startStage();
  const tools = svcTools({ tools: stage.tools, images: true });
  const { toModelOutput } = tools.invoke_service;
  const run = tools.invoke_service.execute?.({ action: 'probe__show', payload: {} }, { toolCallId: 'call_1', messages: [] } as never);
  let output: unknown;
  for await (const shown of run as AsyncIterable<unknown>) output = shown;
  const given = (value: unknown) => (framework.startsWith('ai 5') ? value : { toolCallId: 'call_1', input: {}, output: value });
  const text = { type: 'text', text: expect.stringContaining('[image image/png, 70 bytes]') };
  const image = framework.startsWith('ai 5')
    ? { type: 'media', mediaType: 'image/png', data: PNG }
    : framework.startsWith('ai 6')
      ? { type: 'image-data', mediaType: 'image/png', data: PNG }
      : { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG }, filename: 'image-2' };
  for (const kept of [output, JSON.parse(JSON.stringify(output))])
    expect(await toModelOutput?.(given(kept) as never)).toEqual({ type: 'content', value: [text, image] });
  expect(await toModelOutput?.(given({ a: 1 }) as never)).toEqual({ type: 'json', value: { a: 1 } });
  expect(await toModelOutput?.(given('sunny') as never)).toEqual({ type: 'text', value: 'sunny' });

  const prompts: unknown[] = [];
  const model = await stage.model(({ turns }) =>
    turns.length === 0 ? { calls: [{ name: 'invoke_service', arguments: { action: 'probe__show', payload: {} } }] } : { content: 'Done.' },
  );
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.baseURL, apiKey: 'any' });
  const transformParams = async ({ params }: { params: { prompt: unknown } }) => {
    prompts.push(params.prompt);
    return params;
  };
  const watched = wrapLanguageModel({ model: provider('scripted-model'), middleware: { transformParams } as never });
  await generateText({ model: watched, tools, prompt: 'Show it.', stopWhen: stepCountIs(5), maxRetries: 0 });
  expect(JSON.stringify(prompts.at(-1))).toContain(`"mediaType":"image/png"`);
});
