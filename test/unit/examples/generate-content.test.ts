/** The scripted model on the wire of Gemini, with the official client. */
import { type Content, createModelContent, createUserContent, type FunctionDeclaration, GoogleGenAI, type Part } from '@google/genai';
import { expect, onTestFinished, test } from 'vitest';
import type { Conversation } from '../../../service/scripted-model/conversation.ts';
import { type ScriptedModel, startScriptedModel } from '../../../service/scripted-model/server.ts';
import type { Speech } from '../../../service/scripted-model/speech.ts';

const LOOK: FunctionDeclaration = { name: 'look', description: 'Looks', parametersJsonSchema: { type: 'object' } };
const LOOKED = { functionResponse: { name: 'look', response: { output: 1 } } };

interface Stage extends ScriptedModel {
  ai: GoogleGenAI;
  conversations: Conversation[];
}

async function start(speech: Speech = { content: 'Hello there.' }): Promise<Stage> {
  const conversations: Conversation[] = [];
  const model = await startScriptedModel({
    speak(conversation) {
      conversations.push(conversation);
      return speech;
    },
  });
  onTestFinished(model.close);
  return { ...model, conversations, ai: new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: model.origin } }) };
}

const ask = ({ ai }: Stage, contents: Content[] | string, functionDeclarations = [LOOK]) =>
  ai.models.generateContent({ model: 'any', contents, config: { tools: [{ functionDeclarations }] } });

const ASKED = createUserContent('What is there?');
const call = (name: string, id?: string): Part => ({
  functionCall: { name, args: {}, ...(id !== undefined && { id }) },
  thoughtSignature: btoa('thoughts'),
});

test('a text, with its usage', async () => {
  const stage = await start();
  const response = await ask(stage, 'What is there?');
  expect(response.text).toBe('Hello there.');
  expect(response.candidates?.[0]?.finishReason).toBe('STOP');
  const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount } = response.usageMetadata ?? {};
  expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount);
  const offered = [{ name: 'look', description: 'Looks', parameters: { type: 'object' } }];
  expect(stage.conversations).toEqual([{ question: 'What is there?', turns: [], offered }]);
});

test('calls, with the id that the script has or none, and a signature of its thoughts', async () => {
  const stage = await start({
    calls: [
      { name: 'look', arguments: { at: 1 }, id: 'c1' },
      { name: 'look', arguments: '' },
    ],
  });
  const { functionCalls, candidates } = await ask(stage, 'What is there?');
  expect(functionCalls).toEqual([{ id: 'c1', name: 'look', args: { at: 1 } }, { name: 'look' }]);
  expect(candidates?.[0]?.content?.parts?.map((part) => typeof part.thoughtSignature)).toEqual(['string', 'undefined']);
});

test('arguments that are not a JSON object do not arrive as a call', async () => {
  const stage = await start({ calls: [{ name: 'look', arguments: '{"at": ' }] });
  const response = await ask(stage, 'What is there?');
  expect(response.functionCalls).toBeUndefined();
  expect(response.candidates?.[0]?.finishReason).toBe('MALFORMED_FUNCTION_CALL');
});

test('streamed pieces add up to the same', async () => {
  const text = await start();
  const stream = await text.ai.models.generateContentStream({ model: 'any', contents: 'What is there?' });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.map((chunk) => chunk.text).join('')).toBe('Hello there.');
  expect(chunks.map((chunk) => chunk.candidates?.[0]?.finishReason).filter(Boolean)).toEqual(['STOP']);

  const calls = await start({ calls: ['a', 'b'].map((at) => ({ name: 'look', arguments: { at } })) });
  const called = [];
  for await (const chunk of await calls.ai.models.generateContentStream({ model: 'any', contents: 'What is there?' }))
    called.push(...(chunk.functionCalls ?? []));
  expect(called.map(({ args }) => args)).toEqual([{ at: 'a' }, { at: 'b' }]);
});

test('the script gets its calls with their results: by id, or in order', async () => {
  const stage = await start();
  const error = { code: 'NOTHING_THERE', message: 'There is nothing' };
  await ask(stage, [
    createUserContent('Earlier'),
    createModelContent('Well'),
    ASKED,
    // Two contents of one turn, as after a stream.
    createModelContent([call('look')]),
    createModelContent([call('look'), { text: '' }]),
    createUserContent([LOOKED, { functionResponse: { name: 'look', response: { error } } }]),
    createModelContent([call('look', 'x'), call('look', 'y')]),
    createUserContent(['y', 'x'].map((id) => ({ functionResponse: { id, name: 'look', response: { whole: id } } }))),
  ]);
  const [conversation] = stage.conversations;
  expect(conversation?.question).toBe('What is there?');
  expect(conversation?.turns.map((turn) => turn.map(({ output }) => output))).toEqual([
    [1, { error }],
    [{ whole: 'x' }, { whole: 'y' }],
  ]);
});

test.each<[string, Content[]]>([
  ['a call without its response', [ASKED, createModelContent([call('look')])]],
  ['fewer responses than calls', [ASKED, createModelContent([call('look'), call('look')]), createUserContent([LOOKED])]],
  ['more responses than calls', [ASKED, createModelContent([call('look')]), createUserContent([LOOKED, LOOKED])]],
  ['a response without its call', [ASKED, createModelContent('Well'), createUserContent([LOOKED])]],
  ['a response to another function', [ASKED, createModelContent([call('listen')]), createUserContent([LOOKED])]],
  ['a response without the id of its call', [ASKED, createModelContent([call('look', 'x')]), createUserContent([LOOKED])]],
  [
    'a response that is no object',
    [ASKED, createModelContent([call('look')]), createUserContent([{ functionResponse: { name: 'look' } }])],
  ],
  ['a call without its thoughts', [ASKED, createModelContent([{ functionCall: { name: 'look', args: {} } }]), createUserContent([LOOKED])]],
])('it rejects %s, like the real API', async (_what, contents) => {
  const stage = await start();
  await expect(ask(stage, contents)).rejects.toMatchObject({ status: 400 });
  expect(stage.conversations).toEqual([]);
});

test.each<[string, FunctionDeclaration[], RegExp]>([
  ['without description', [{ name: 'look' }], /description/],
  ['that begins with a digit', [{ ...LOOK, name: '3d__look' }], /tools\.0\.functionDeclarations\.0\.name/],
  ['declared twice', [LOOK, LOOK], /look is declared twice/],
  ['with two schemas', [{ ...LOOK, parameters: {} }], /exclude each other/],
])('it rejects a function %s', async (_what, functionDeclarations, message) => {
  await expect(ask(await start(), 'What is there?', functionDeclarations)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(message),
  });
});

test("errors have the API's own shape", async () => {
  const { origin } = await start();
  const post = async (path: string, init: RequestInit) => {
    const response = await fetch(origin + path, init);
    return [response.status, await response.json()];
  };
  const headers = { 'x-goog-api-key': 'any' };
  const path = '/v1beta/models/any:generateContent';
  const error = (code: number, status: string) => [code, { error: { code, message: expect.any(String), status } }];
  expect(await post(path, { method: 'POST', body: '{}' })).toEqual(error(401, 'UNAUTHENTICATED'));
  expect(await post(path, { method: 'POST', body: '{', headers })).toEqual(error(400, 'INVALID_ARGUMENT'));
  expect(await post(path, { headers })).toEqual(error(405, 'UNIMPLEMENTED'));
});
