import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { InvocationContext } from '#sdk/toolkit/context';
import { readToolResult } from '../../../import/mcp/tool-result';

const PNG = 'iVBORw0KGgo=';

function read(answer: Partial<CallToolResult>) {
  const context = new InvocationContext({ id: 'inv_1' } as ConstructorParameters<typeof InvocationContext>[0]);
  return context.outcome(readToolResult(context, { content: [], ...answer }));
}

function texts(...all: string[]): CallToolResult['content'] {
  return all.map((text) => ({ type: 'text', text }));
}

test.each([
  ['no content', [], null],
  ['one text', ['Sunny'], 'Sunny'],
  ['one text that is JSON', ['{"city":"Berlin"}'], { city: 'Berlin' }],
  ['a number, which may be words', ['42'], '42'],
  ['broken JSON', ['{"city":'], '{"city":'],
  ['two texts', ['Sunny', 'Warm'], ['Sunny', 'Warm']],
  ['JSON behind a byte order mark', ['\ufeff{"city":"Berlin"}'], { city: 'Berlin' }],
  ['a text behind a byte order mark', ['\ufeffSunny'], 'Sunny'],
])('%s is the result', (_, content, result) => {
  expect(read({ content: texts(...content) })).toMatchObject({ result, content: undefined });
});

test.each([
  ['in another charset', { mimeType: 'text/csv; charset=windows-1252', blob: Buffer.from('caf\xe9', 'latin1').toString('base64') }, 'café'],
  ['behind a byte order mark', { mimeType: 'text/csv', text: '\ufeffcafé' }, 'café'],
  ['as bytes behind a mark', { mimeType: 'text/csv', blob: Buffer.from('\ufeffcafé').toString('base64') }, 'café'],
])('the text of a resource %s is attached as it reads', (_, resource, text) => {
  const { content } = read({ content: [{ type: 'resource', resource: { uri: 'file:///a.csv', ...resource } }] });
  expect(content).toMatchObject([{ resource: { mimeType: 'text/csv', text } }]);
});

test('structured content is the result; a text that repeats it is removed, and another is kept', () => {
  const structuredContent = { content: 'Sail on Tuesday' };
  const content = texts('Sail on Tuesday', '{"content":"Sail on Tuesday"}', 'Read 15 characters');
  expect(read({ structuredContent, content })).toMatchObject({
    result: structuredContent,
    content: [{ type: 'text', text: 'Read 15 characters' }],
  });
});

test('more blocks than a result may have become words', () => {
  const { content = [] } = read({ content: Array.from({ length: 40 }, () => ({ type: 'image', data: PNG, mimeType: 'image/png' })) });
  expect(content).toHaveLength(32);
  expect(content.at(-1)).toMatchObject({ type: 'text', text: expect.stringContaining('[image image/png, 8 bytes]') });
});

test('an image of 2 MB, and one without bytes or a media type of images, become words', () => {
  const { content } = read({
    content: [
      { type: 'image', data: 'A'.repeat(2 * 1024 * 1024), mimeType: 'image/png' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'audio', data: PNG, mimeType: 'sound' },
      { type: 'resource_link', uri: 'no address', name: 'plan' },
    ],
  });
  const words =
    'Left out of the result: [image image/png, 1.5 MB] [image image/png, 0 bytes] [audio sound, 8 bytes] [link plan: no address]';
  expect(content).toEqual([{ type: 'text', text: words }]);
});

test('a failure without a text gets a default text, and keeps its data', () => {
  expect(() => read({ isError: true })).toThrow('The tool failed and gave no reason');
  expect(() => read({ isError: true, content: texts('Full'), structuredContent: { free: 0 } })).toThrow(
    expect.objectContaining({ code: 'TOOL_ERROR', message: 'Full', options: { data: { free: 0 } } }),
  );
});

test('annotations, _meta and URIs of blocks arrive, within what a result may have', () => {
  const annotations = { audience: ['user' as const], priority: 0.5, lastModified: '2026-01-02T03:04:05Z' };
  const about = { annotations, _meta: { 'x/y': { n: 1 } } };
  const { result, content } = read({
    structuredContent: { n: 1 },
    content: [
      { type: 'text', text: 'Beside', ...about },
      { type: 'image', data: PNG, mimeType: 'image/png', ...about },
      { type: 'resource', resource: { uri: 'x://a', text: 'hello', mimeType: 'text/plain' }, ...about },
      { type: 'resource_link', uri: 'x://c', name: 'c', ...about },
      { type: 'resource', resource: { uri: `x://${'a'.repeat(3_000)}`, text: 'hello', mimeType: 'text/plain' } },
      { type: 'resource_link', uri: `x://${'a'.repeat(3_000)}`, name: 'long' },
      { type: 'text', text: 'Twice', annotations: { audience: ['user', 'user', 'user'], lastModified: 'x'.repeat(200) } },
    ],
  });

  expect(result).toEqual({ n: 1 });
  expect(content).toEqual([
    { type: 'text', text: 'Beside', ...about },
    { type: 'text', text: 'Twice', annotations: { audience: ['user'] } },
    { type: 'image', data: PNG, mimeType: 'image/png', ...about },
    { type: 'resource', resource: { uri: 'x://a', text: 'hello', mimeType: 'text/plain' }, ...about },
    { type: 'resource_link', uri: 'x://c', name: 'c', ...about },
    { type: 'resource', resource: { uri: expect.stringMatching(/^svc:/), text: 'hello', mimeType: 'text/plain' } },
    { type: 'text', text: expect.stringContaining('[link long: x://aaa') },
  ]);
});

test('a result nested deeper than the stack is a failure with that reason', () => {
  let deep: object = {};
  for (let level = 0; level < 100_000; level++) deep = { deep };
  expect(() => read({ structuredContent: { deep } })).toThrow(
    expect.objectContaining({ code: 'TOOL_ERROR', message: expect.stringContaining('nested too deep') }),
  );
});
