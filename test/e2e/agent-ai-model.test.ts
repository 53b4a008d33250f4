/** `aiModel` in a whole agent on a real service, with models that only a test can have. */
import { APICallError } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { imageDataUrl, replyImages } from 'svc-sdk/agent';
import { aiModel } from 'svc-sdk/agent/ai';
import { expect, test, vi } from 'vitest';
import { PipeClient } from '../support/agent';
import { runAgent, storePath } from '../support/run-agent';
import { startService } from '../support/service';
import { PNG } from '../support/vectors';

type Answer = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const PICTURE = imageDataUrl(Buffer.from(PNG, 'base64')) ?? '';

function saying(...content: Answer['content']): Answer {
  const [inputTokens, outputTokens] = [
    { total: 7, noCache: 7, cacheRead: undefined, cacheWrite: undefined },
    { total: 3, text: 3, reasoning: undefined },
  ];
  return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens, outputTokens }, warnings: [] };
}

/** Plays answers and errors in order. */
function playing(...answers: (Answer | Error)[]): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'anthropic.messages',
    modelId: 'claude-test',
    doGenerate: async () => {
      const answer = answers.shift() ?? saying({ type: 'text', text: 'Nothing is left to say' });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
}

function calling(action: string): Answer['content'][number] {
  return { type: 'tool-call', toolCallId: 'call_1', toolName: 'invoke_service', input: JSON.stringify({ action, payload: {} }) };
}

/** The roles and parts of each request, as they would be written in JSON. */
function promptsOf(model: MockLanguageModelV4): { role: string; content: unknown }[][] {
  return model.doGenerateCalls.map(({ prompt }) => JSON.parse(JSON.stringify(prompt)));
}

test('pictures of a person reach the model, and pictures of a result reach the chat', async () => {
  const service = await startService();
  await service.toolkit('charts', (toolkit) =>
    toolkit.action({ action: 'draw', actionDescription: 'Draws' }, (ctx) => {
      ctx.image(Buffer.from(PNG, 'base64'), 'image/png');
      return { drawn: true };
    }),
  );
  const model = playing(saying(calling('charts__draw')), saying({ type: 'text', text: 'Here it is' }));
  const client = new PipeClient();
  await runAgent(service, { clients: [client], model: aiModel(model) });
  client.say('like this', { images: [PICTURE] });
  await vi.waitFor(() => expect(client.texts()).toEqual(['Here it is']));
  expect(replyImages(client.sent[0]?.replyMessages ?? [])).toEqual([PICTURE]);
  const [, person, , results] = model.doGenerateCalls[1]?.prompt ?? [];
  expect(person?.content).toMatchObject([
    { type: 'text', text: 'like this' },
    { type: 'file', mediaType: 'image/png', data: { data: Buffer.from(PNG, 'base64') } },
  ]);
  expect(results?.content).toMatchObject([{ output: { type: 'text', value: expect.stringContaining('[image image/png') } }]);
});

test('reasoning and signatures go back after a restart', async () => {
  const service = await startService();
  await service.toolkit('notes', (toolkit) => toolkit.action({ action: 'count', actionDescription: 'Counts' }, () => 3));
  const thought = { type: 'reasoning' as const, text: 'I count them' };
  const providerOptions = { anthropic: { signature: 'signed' } };
  const first = playing(
    saying({ ...thought, providerMetadata: providerOptions }, calling('notes__count')),
    saying({ type: 'text', text: 'Three' }),
  );
  const store = storePath();
  const client = new PipeClient();
  const before = await runAgent(service, { clients: [client], model: aiModel(first), store });
  client.say('How many?');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Three']));
  await before.stop();

  const second = playing(saying({ type: 'text', text: 'Still three' }));
  await runAgent(service, { clients: [client], model: aiModel(second), store });
  client.say('And now?');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Three', 'Still three']));
  const [inTurn, afterRestart] = [promptsOf(first)[1], promptsOf(second)[0]];
  expect(inTurn?.[2]?.content).toMatchObject([
    { ...thought, providerOptions },
    { type: 'tool-call', toolCallId: 'call_1' },
  ]);
  expect(afterRestart?.[2]).toEqual(inTurn?.[2]);
  expect(afterRestart?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
});

test('a function gives a model for each id, also for the fallback', async () => {
  const busy = new APICallError({
    message: 'busy',
    url: 'u',
    requestBodyValues: {},
    statusCode: 429,
    responseHeaders: { 'retry-after': '60' },
  });
  const models: Record<string, MockLanguageModelV4> = {
    'anthropic/large': playing(busy),
    'openai/small': playing(saying({ type: 'text', text: 'Hi' })),
  };
  const client = new PipeClient();
  const store = storePath();
  const model = aiModel((id) => models[id] ?? playing());
  const { agent, events } = await runAgent(await startService(), { clients: [client], model, store });
  agent.setModel('default', 'anthropic/large');
  agent.setModel('fallback', 'openai/small');
  client.say('Hello');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Hi']));
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'model-error',
      model: 'anthropic/large',
      willRetry: true,
      error: expect.objectContaining({ status: 429 }),
    }),
  );
});
