/** `aiModel` in a whole agent on a real service, with each major of the AI SDK, against the scripted model. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { MessageContext } from 'svc-sdk/agent';
import { aiModel } from 'svc-sdk/agent/ai';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Conversation } from '../../../service/scripted-model/conversation.ts';
import { type Speaker, startScriptedModel } from '../../../service/scripted-model/server.ts';
import type { Speech, SpokenCall } from '../../../service/scripted-model/speech.ts';
import { PipeClient } from '../../support/agent';
import { runAgent, storePath } from '../../support/run-agent';
import { startService } from '../../support/service';

class EditingClient extends PipeClient {
  readonly partial: string[] = [];

  override async showPartial(_ctx: MessageContext, text: string): Promise<unknown> {
    this.partial.push(text);
    return {};
  }
}

const WEATHER: SpokenCall = { name: 'invoke_service', arguments: { action: 'weather__today', payload: { city: 'Rome' } } };

/** Calls once, then answers with the result. */
function callOnce(...calls: SpokenCall[]) {
  return ({ turns }: Conversation): Speech => {
    const [results] = turns;
    return results ? { content: `Got ${results.map(({ output }) => JSON.stringify(output)).join(' and ')}` } : { calls };
  };
}

interface SentBody {
  stream?: boolean;
  messages: { role: string }[];
  tools?: { function: { name: string } }[];
}

/** A service with the weather, and a model. */
async function startWorld(speak: Speaker) {
  const service = await startService();
  await service.toolkit('weather', (toolkit) =>
    toolkit.action({ action: 'today', actionDescription: "Today's weather in a city" }, (_ctx, { city }) => ({ city, celsius: 21 })),
  );
  const bodies: SentBody[] = [];
  const { baseURL, close } = await startScriptedModel({ speak, onRequest: (body) => bodies.push(JSON.parse(body)) });
  onTestFinished(close);
  const provider = createOpenAICompatible({ name: 'scripted', baseURL, apiKey: 'any', includeUsage: true });
  return { service, bodies, baseURL, model: aiModel(provider('scripted-model')) };
}

test.each([
  ['whole', false],
  ['streamed', true],
])('calls, results and a reply, %s', async (_way, edit) => {
  const oslo = { ...WEATHER, arguments: { action: 'weather__today', payload: { city: 'Oslo' } } };
  const { service, bodies, model } = await startWorld(callOnce(WEATHER, oslo));
  const client = new EditingClient();
  const { events } = await runAgent(service, { clients: [client], model, edit });
  client.say('How is the weather?');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Got {"city":"Rome","celsius":21} and {"city":"Oslo","celsius":21}']));
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ type: 'turn-end', code: 'answered' }));
  expect(events.at(-1)).toMatchObject({ tokens: { input: expect.any(Number), output: expect.any(Number) } });
  expect(events.at(-1)).not.toMatchObject({ tokens: { input: 0 } });
  expect(bodies.map(({ stream = false }) => stream)).toEqual([edit, edit]);
  expect(bodies[0]?.tools?.map(({ function: { name } }) => name)).toEqual(['search_services', 'invoke_service']);
  expect(bodies[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
});

test.each([
  ['an action as a tool of its own', { name: 'weather__today', arguments: { city: 'Rome' } }, 'There is no tool'],
  ['a tool that does not exist', { name: 'get_weather', arguments: {} }, 'get_weather'],
  ['arguments that are not JSON', { name: 'invoke_service', arguments: '{"action":' }, 'not valid JSON'],
])('%s: the model gets the outputs of the tools', async (_case, call, said) => {
  const { service, model } = await startWorld(callOnce(call));
  const client = new PipeClient();
  await runAgent(service, { clients: [client], model });
  client.say('How is the weather?');
  await vi.waitFor(() => expect(client.texts()).toEqual([expect.stringContaining(said)]));
});

test.each([
  ['whole', false],
  ['streamed', true],
])('a request that fails is retried, and nothing is printed, %s', async (_way, edit) => {
  const printed = [vi.spyOn(process, 'emitWarning'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'error'), vi.spyOn(console, 'info')];
  onTestFinished(() => void vi.restoreAllMocks());
  let requests = 0;
  const { service, model } = await startWorld(() => {
    requests += 1;
    if (requests === 1) throw new Error('overloaded');
    return { content: 'Hi' };
  });
  const client = new EditingClient();
  const { events } = await runAgent(service, { clients: [client], model, edit });
  client.say('Hello');
  await vi.waitFor(() => expect(client.texts()).toEqual(['Hi']));
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'model-error', willRetry: true, error: expect.objectContaining({ status: 500 }) }),
  );
  expect(requests).toBe(2);
  expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('a history of chat completions continues with the AI SDK, and the reverse', async () => {
  const { service, bodies, baseURL, model } = await startWorld(callOnce(WEATHER));
  vi.stubEnv('OPENAI_BASE_URL', baseURL);
  vi.stubEnv('OPENAI_API_KEY', 'any');
  vi.stubEnv('SVC_MODEL', 'openai/scripted-model');
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = storePath();
  const client = new PipeClient();
  for (const [index, way] of [{}, { model }, {}].entries()) {
    const agent = await runAgent(service, { store, clients: [client], ...way });
    client.say('How is the weather?');
    await vi.waitFor(() => expect(client.texts()).toEqual(Array(index + 1).fill('Got {"city":"Rome","celsius":21}')));
    await vi.waitFor(() => expect(agent.events.at(-1)).toMatchObject({ type: 'turn-end', code: 'answered' }));
    await agent.stop();
  }
  const turn = ['user', 'assistant', 'tool', 'assistant'];
  const expected = ['system', ...turn, ...turn, ...turn.slice(0, 3)];
  expect(bodies.map(({ messages }) => messages.map(({ role }) => role))).toEqual(
    [2, 4, 6, 8, 10, 12].map((length) => expected.slice(0, length)),
  );
});
