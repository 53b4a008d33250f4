import { expect, test } from 'vitest';
import { aiModel } from '../../../src/agent/ai/ai-model';
import type { Message } from '../../../src/agent/chat/message';
import { answering, asked } from './ai-models';
import { request } from './model-server';

async function promptOf(...messages: Message[]) {
  const model = answering([{ type: 'text', text: 'Hi' }]);
  await aiModel(model)(request({ messages }));
  return JSON.parse(JSON.stringify(asked(model).prompt));
}

const toolCall = (id: string, name: string, args: string) => ({ id, type: 'function', function: { name, arguments: args } });

test('system prompt, pictures, calls and their results', async () => {
  const png = Buffer.from('a picture').toString('base64');
  const prompt = await promptOf(
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      ],
    },
    { role: 'assistant', content: 'I look', tool_calls: [toolCall('a', 'f', '{"n":1}'), toolCall('b', 'g', '{}')] },
    { role: 'tool', tool_call_id: 'a', content: '1', svc_images: ['data:image/png;base64,AA=='] },
    { role: 'tool', tool_call_id: 'b', content: '2' },
    { role: 'assistant', content: 'Done' },
    { role: 'user', content: 'Thanks' },
  );
  expect(prompt).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: expect.objectContaining({}) } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: { n: 1 } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'g', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: '1' } },
        { type: 'tool-result', toolCallId: 'b', toolName: 'g', output: { type: 'text', value: '2' } },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
    { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
  ]);
});

test('pictures are sent as bytes, and URLs are never fetched', async () => {
  const model = answering([{ type: 'text', text: 'Hi' }]);
  const urls = [`data:image/png;base64,${Buffer.from('a picture').toString('base64')}`, 'http://127.0.0.1:9/secret.png'];
  const content = urls.map((url) => ({ type: 'image_url' as const, image_url: { url } }));
  await aiModel(model)(request({ messages: [{ role: 'user', content }] }));
  expect(asked(model).prompt).toMatchObject([
    {
      content: [
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: Buffer.from('a picture') } },
        { type: 'text', text: '[an image that cannot be read]' },
      ],
    },
  ]);
});

test('members that a chat-completions server added are not passed to the AI SDK', async () => {
  const prompt = await promptOf(
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'Let me see',
      svc_model: 'google/gemini-test',
      tool_calls: [{ ...toolCall('a', 'f', '{}'), extra_content: { google: { thought_signature: 's' } } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '1' },
  );
  expect(prompt.slice(1)).toEqual([
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'f', output: { type: 'text', value: '1' } }] },
  ]);
});

test.each(['{"action":', '"words"', '[1]', 'null'])('arguments %s go back as an object, which all providers take', async (args) => {
  const prompt = await promptOf(
    { role: 'assistant', content: null, tool_calls: [toolCall('a', 'f', args)] },
    { role: 'tool', tool_call_id: 'a', content: 'wrong' },
  );
  expect(prompt[0].content).toEqual([{ type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }]);
});

test('a call of another type has the type as name of its tool', async () => {
  const prompt = await promptOf(
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'browser' }] },
    { role: 'tool', tool_call_id: 'a', content: 'unknown' },
  );
  expect(prompt[1].content).toMatchObject([{ toolName: 'browser' }]);
});
