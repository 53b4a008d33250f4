/** A toolkit's result, error or report arrives complete, without text that is hidden from people. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableJson } from '#sdk/protocol/invisible-text';
import { readEvents } from '#sdk/protocol/sse';
import { looseJson } from '../../../test/support/loose-json';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';

const HIDDEN = '\u001b[8mhide\u001b[0m\u001b]0;title\u0007\u009b31m\u202e\u200b\u{e0041}\u{e0100}';

async function rawToolkit() {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([{ action: 'ask', actionDescription: 'Answers a question' }]);
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  let calls = 0;
  /** Answers the next call with the frame's members as they are. */
  const answer = async (members: string, before: (id: string) => void = () => {}) => {
    const { id } = await raw.invoked(calls++);
    before(id);
    raw.send(`{"jsonrpc":"2.0","id":"${id}",${members}}`);
  };
  const post = (path: string, body: object, accept = 'application/json') =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    });
  return { service, raw, answer, post, tools: await service.tools() };
}

test('a result with any line ends in its JSON arrives by every way', async () => {
  const { answer, post, tools } = await rawToolkit();
  const body = { action: 'raw__ask', payload: {} };
  const message = (meta?: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'invoke_service', arguments: body, ...(meta && { _meta: meta }) },
  });
  const mcp = async (meta?: object) => {
    const response = await post('/mcp', message(meta), 'application/json, text/event-stream');
    const text = await response.text();
    if (!response.headers.get('content-type')?.includes('event-stream')) return JSON.parse(text);
    // Splits lines like a client with more line ends than the standard.
    const data = text.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => line.startsWith('data: {'));
    return JSON.parse(String(data.at(-1)?.slice('data: '.length)));
  };
  await fc.assert(
    fc.asyncProperty(looseJson, async ({ value, json }) => {
      const [plain] = await Promise.all([post('/v1/invoke', body).then((response) => response.json()), answer(`"result":${json}`)]);
      expect(plain.result).toEqual(value);

      const [stream] = await Promise.all([post('/v1/invoke', body, 'text/event-stream'), answer(`"result":${json}`)]);
      const text = await stream.text();
      expect(text.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(4);
      for await (const { data } of readEvents(new Response(text).body as ReadableStream<Uint8Array>))
        expect(JSON.parse(data).result).toEqual(value);

      const read = readableJson(value, JSON.stringify(value));
      const shown = typeof read === 'string' ? read : JSON.stringify(read);
      for (const meta of [undefined, { progressToken: 1 }]) {
        const [called] = await Promise.all([mcp(meta), answer(`"result":${json}`)]);
        expect(called.result.content).toEqual([{ type: 'text', text: shown }]);
      }
      const [seen] = await Promise.all([tools.answerTool('raw__ask', {}, { onProgress() {} }), answer(`"result":${json}`)]);
      expect(seen.content).toBe(shown);
    }),
    { numRuns: 12 },
  );
});

test('errors, their data and reports of progress have no hidden text', async () => {
  const { raw, answer, tools } = await rawToolkit();
  const reports: unknown[] = [];
  const data = { code: `NO${HIDDEN}PE`, message: 'x', data: { [`a${HIDDEN}`]: [`b${HIDDEN}c`, 'می‌خواهم 👩🏽‍💻'] } };
  const [{ content, error }] = await Promise.all([
    tools.answerTool('raw__ask', {}, { onProgress: (report) => reports.push(report) }),
    answer(`"error":${JSON.stringify({ code: -32000, message: `first${HIDDEN}\nsecond`, data })}`, (id) =>
      raw.send({ jsonrpc: '2.0', method: 'progress', params: { invocationId: id, progress: 1, message: `half${HIDDEN}way` } }),
    ),
  ]);
  expect(reports).toEqual([{ progress: 1, message: 'halfhideway' }]);
  expect(error?.details.cause).toEqual({
    code: 'NOhidePE',
    message: 'firsthide\nsecond',
    data: { ahide: ['bhidec', 'می‌خواهم 👩🏽‍💻'] },
  });
  expect(content).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}|\u200b|[\u{e0000}-\u{e01ef}]|\\u00/u);
});

test('a result is complete for a program, and has no hidden text for a model', async () => {
  const { answer, tools } = await rawToolkit();
  const result = { [`a${HIDDEN}`]: `b${HIDDEN}` };
  const content = [
    { type: 'text', text: `c${HIDDEN}` },
    { type: 'resource_link', uri: 'https://example.com/a', name: `d${HIDDEN}` },
    { type: 'resource', resource: { uri: 'file:///e', text: `e${HIDDEN}` } },
  ];
  const members = `"result":${JSON.stringify(result)},"content":${JSON.stringify(content)}`;
  const [response] = await Promise.all([tools.invoke('raw__ask'), answer(members)]);
  expect(response).toMatchObject({ result, content });
  const [answered] = await Promise.all([tools.answerTool('raw__ask', {}), answer(members)]);
  expect(answered.value).toEqual({
    result: { ahide: 'bhide' },
    content: ['chide', '[link dhide: https://example.com/a]', '[file e]\nehide'],
  });
  expect(JSON.stringify(answered.blocks)).not.toMatch(/\\u00|\p{Bidi_Control}|\u200b|[\u{e0000}-\u{e01ef}]/u);
});
