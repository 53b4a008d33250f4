/** Special behaviour of Google Gen AI; the common behaviour of adapters is in test/contract/adapters. */
import { type CallableTool, createUserContent, GoogleGenAI } from '@google/genai';
import type { Tools } from 'svc-sdk';
import { loadSvcTools, svcTools } from 'svc-sdk/google';
import { expect, test } from 'vitest';
import { stagesOfFile } from '../../contract/stage';

const startStage = stagesOfFile();

const invoke = (action: string, payload: object) => ({ name: 'invoke_service', args: { action, payload } });
const rome = invoke('weather__today', { city: 'Rome' });

test('every call gets its part, in order, with its id when it has one', async () => {
  const { tools } = await startStage();
  const parts = await svcTools(tools).callTools([
    { id: 'b', ...rome },
    { id: 'a', name: 'search_services' },
    invoke('weather__today', { city: 'Atlantis' }),
    { name: 'no_such_tool', args: {} },
    { name: 'weather__today', args: { city: 'Rome' } },
    {},
  ]);
  const error = (code: string) => ({ error: expect.objectContaining({ code }) });
  expect(parts.map(({ functionResponse }) => functionResponse)).toEqual([
    { id: 'b', name: 'invoke_service', response: { output: { city: 'Rome', celsius: 21 } } },
    { id: 'a', name: 'search_services', response: error('INVALID_REQUEST') },
    { name: 'invoke_service', response: error('ACTION_FAILED') },
    { name: 'no_such_tool', response: error('UNKNOWN_TOOL') },
    // It exists, but was not offered.
    { name: 'weather__today', response: error('UNKNOWN_TOOL') },
    { name: '', response: error('UNKNOWN_TOOL') },
  ]);
  expect(await svcTools(tools).callTools(undefined)).toEqual([]);
});

test('a signal that is aborted ends the calls with its reason', async () => {
  const { tools } = await startStage();
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(svcTools(tools).callTools([rome], { signal })).rejects.toThrow('gone');
  await expect(svcTools(tools, { signal }).callTool([rome])).rejects.toThrow('gone');
});

test('beside another callable tool, each answers its own calls', async () => {
  const stage = await startStage();
  const calls = [
    { name: rome.name, arguments: rome.args },
    { name: 'mine', arguments: {} },
  ];
  const model = await stage.model(({ turns }) => (turns.length > 0 ? { content: 'Done.' } : { calls }));
  const mine: CallableTool = {
    tool: async () => ({ functionDeclarations: [{ name: 'mine', description: 'Mine' }] }),
    callTool: async (functionCalls) =>
      functionCalls.flatMap(({ name = '' }) => (name === 'mine' ? [{ functionResponse: { name, response: { output: 1 } } }] : [])),
  };
  const ai = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: model.origin } });
  const { text } = await ai.models.generateContent({
    model: 'any',
    contents: createUserContent('Both, please'),
    config: { tools: [svcTools(stage.tools), mine] },
  });
  expect(text).toBe('Done.');
  expect(
    model.conversations
      .at(-1)
      ?.turns.flat()
      .map(({ output }) => output),
  ).toEqual([{ city: 'Rome', celsius: 21 }, 1]);
});

test('a promise in place of the tool is an error before the first model request', async () => {
  const stage = await startStage();
  const model = await stage.model(() => ({ content: 'Done.' }));
  const ai = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: model.origin } });
  const tools = [loadSvcTools(stage.tools) as unknown as CallableTool];
  await expect(ai.models.generateContent({ model: 'any', contents: 'Hello', config: { tools } })).rejects.toThrow(/await loadSvcTools/);
  expect(model.conversations).toEqual([]);
});

test('a rule for approval is refused, because functions have no approval', () => {
  expect(() => svcTools({ needsApproval: true } as object)).toThrow(/Google Gen AI has no approval/);
  expect(() => svcTools({ tools: {} as Tools })).toThrow(/new Tools/);
});
