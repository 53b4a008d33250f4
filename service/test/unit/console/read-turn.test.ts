import { expect, test } from 'vitest';
import { readTurn } from '../../../console/src/pages/playground/model/read-turn';

const streamed = (...chunks: unknown[]) => {
  const lines = chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
};
const delta = (content: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta: content, finish_reason }] });
const read = async (response: Response) => {
  let text = '';
  const turn = await readTurn(response, 'model.example', (piece) => {
    text += piece;
  });
  expect(text).toBe(turn.text);
  return turn;
};

test('a text arrives in pieces, with the tokens of the last chunk', async () => {
  const usage = { prompt_tokens: 20, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 16 } };
  const turn = await read(
    streamed(delta({ role: 'assistant', content: 'Good ' }), delta({ content: 'morning' }, 'stop'), { choices: [], usage }, '[DONE]'),
  );
  expect(turn).toEqual({ text: 'Good morning', calls: [], usage: { input: 20, cached: 16, output: 3 } });
});

test('calls are put together by index, and by id where a server sends no index', async () => {
  const piece = (index: number | undefined, id: string | undefined, name: string | undefined, args: string) => ({
    tool_calls: [{ ...(index !== undefined && { index }), ...(id !== undefined && { id }), function: { name, arguments: args } }],
  });
  const byIndex = [piece(0, 'a', 'one', '{"x"'), piece(1, 'b', 'two', '{}'), piece(0, undefined, undefined, ':1}')];
  const byId = [piece(undefined, 'a', 'one', '{"x"'), piece(undefined, '', undefined, ':1}'), piece(undefined, 'b', 'two', '{}')];
  for (const pieces of [byIndex, byId]) {
    const { calls } = await read(streamed(...pieces.map((part) => delta(part)), delta({}, 'tool_calls')));
    expect(calls.map(({ id, function: { name, arguments: args } }) => [id, name, args])).toEqual([
      ['a', 'one', '{"x":1}'],
      ['b', 'two', '{}'],
    ]);
  }
});

test('calls may have any numbers, which take no memory', async () => {
  const piece = (index: number) => delta({ tool_calls: [{ index, function: { name: `call${index}`, arguments: '{}' } }] });
  const { calls } = await read(streamed(piece(4_294_967_295), piece(2.5), piece(-1), delta({}, 'tool_calls')));
  expect(calls.map(({ function: { name } }) => name)).toEqual(['call-1', 'call2.5', 'call4294967295']);
});

test('a server that does not stream is read as well', async () => {
  const completion = { choices: [{ message: { content: 'whole' } }], usage: { prompt_tokens: 2, completion_tokens: 1 } };
  expect(await read(Response.json(completion))).toMatchObject({ text: 'whole', usage: { input: 2, cached: 0, output: 1 } });
});

test.each<[string, Response, RegExp]>([
  ['a web page', new Response('<p>', { headers: { 'content-type': 'text/html' } }), /answered with a web page .* ends in \/v1/],
  ['no chat completion', Response.json({ ok: true }), /JSON that is not a chat completion/],
  ['gibberish', streamed('gibberish'), /stream that is not JSON: "gibberish"/],
  ['a stream that is cut off', streamed(delta({ content: 'I was' })), /stopped in the middle/],
  ['an error in the stream', streamed({ error: { message: 'overloaded' } }), /model\.example says: overloaded/],
  ['a refused key', Response.json({ error: { message: 'bad key' } }, { status: 401 }), /refuses the key \(401\).*It says: bad key/],
  ['a wrong path', new Response('not found', { status: 404 }), /\(404\)\. The address usually ends in \/v1/],
  ['a problem of the service', Response.json({ detail: 'Too many turns' }, { status: 429 }), /status 429\. It says: Too many turns/],
])('%s is said in a line', async (_name, response, words) => {
  await expect(readTurn(response, 'model.example', () => {})).rejects.toMatchObject({
    name: 'ModelFailure',
    message: expect.stringMatching(words),
  });
});
