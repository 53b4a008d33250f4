import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { sendJson, sendResult, toolCall, wireServer } from './wire-server';

test('the plain loop with the openai client: the model searches, invokes and answers', async () => {
  const service = await wireServer((response, { path }) =>
    path === '/v1/search'
      ? sendJson(response, { actions: [{ action: 'weather__get', description: 'Weather', payloadSchema: { type: 'object' } }] })
      : sendResult(response, { celsius: 21 }),
  );
  const script = [
    { role: 'assistant', content: null, tool_calls: [toolCall('call_9fKq2LmZ7xTb', 'search_services', { query: 'weather' })] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [toolCall('call_7dPw3XnB5vRk', 'invoke_service', { action: 'weather__get', payload: { city: 'Rome' } })],
    },
    { role: 'assistant', content: 'It is 21 degrees in Rome.' },
  ];
  const model = await wireServer((response, _request, count) =>
    sendJson(response, { id: 'c', object: 'chat.completion', created: 0, model: 'm', choices: [{ index: 0, message: script[count - 1] }] }),
  );

  const openai = new OpenAI({ apiKey: 'none', baseURL: `${model.baseUrl}/v1` });
  const tools = service.tools();
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How warm is it in Rome?' }];
  for (let answered = false; !answered; ) {
    const completion = await openai.chat.completions.create({ model: 'm', messages, tools: await tools.getTools() });
    const message = completion.choices[0]?.message;
    if (!message) throw new Error('The model sent no choice');
    const results = await tools.callTools(message.tool_calls);
    messages.push(message, ...results);
    answered = results.length === 0;
  }

  expect(messages.at(-1)).toMatchObject({ content: 'It is 21 degrees in Rome.' });
  expect(messages[2]).toMatchObject({ role: 'tool', tool_call_id: 'call_9fKq2LmZ7xTb', content: expect.stringContaining('weather__get') });
  expect(messages[4]).toEqual({ role: 'tool', tool_call_id: 'call_7dPw3XnB5vRk', content: '{"celsius":21}' });
  expect(model.requests[0]?.body).toMatchObject({
    tools: [{ function: { name: 'search_services' } }, { function: { name: 'invoke_service' } }],
  });
  expect(service.requests[1]?.body).toEqual({ action: 'weather__get', payload: { city: 'Rome' } });
});
