/** Whole numbers beyond ±(2^53 − 1) between agents and the APIs and MCP servers that are imported. */
import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { exactStdin } from '#sdk/mcp/exact-stdin';
import { listening } from '../../../../test/support/listening';
import { HttpTransport } from '../../../import/mcp/http-transport';
import { ProcessTransport } from '../../../import/mcp/process-transport';
import { readToolResult } from '../../../import/mcp/tool-result';
import { Redactor } from '../../../import/redactor';
import { PayloadChecker } from '../../../src/payload/payload-checker';
import { recordedApi } from '../../support/recorded-api';
import { context } from './context';
import { actionsOf, documentOf } from './documents';

const ID = '2512292042121000001';
const int64 = { type: 'integer', format: 'int64' };

test('an API gets the digits of a 64-bit integer in the path, in the query and as a number of the body, and gives them back', async () => {
  const api = await recordedApi((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"id":${ID},"ids":[1,9007199254740993],"round":2512292042121000000,"big":1e30}`),
  );
  const properties = {
    owner: int64,
    name: { type: 'string' },
    list: { type: 'array', items: { $ref: '#/components/schemas/Id' } },
    age: { type: 'integer' },
  };
  const post = {
    parameters: [
      { name: 'id', in: 'path', required: true, schema: int64 },
      { name: 'after', in: 'query', schema: int64 },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object', properties } } } },
  };
  const document = documentOf({ '/pets/{id}': { post } }, { components: { schemas: { Id: { allOf: [int64], nullable: true } } } });
  const [action] = Object.values(actionsOf(document, { baseUrl: api.url }));
  const payload = { id: ID, after: `-${ID}`, owner: ID, name: ID, list: [ID, 3, '4'], age: 3 };
  const checker = new PayloadChecker();
  const schema = action?.payloadDescription as never;
  expect(checker.check(schema, payload)).toEqual({ payload, repaired: [] });
  expect(() => checker.check(schema, { id: 'one' })).toThrow('/id');

  expect(await action?.handler(context(), payload)).toEqual({
    id: ID,
    ids: [1, '9007199254740993'],
    round: '2512292042121000000',
    big: 1e30,
  });
  const [request] = api.requests;
  expect(request?.url).toBe(`/pets/${ID}?after=-${ID}`);
  expect(request?.body.toString()).toBe(`{"owner":${ID},"name":"${ID}","list":[${ID},3,4],"age":3}`);
});

test('only an integer that may need more digits takes them as a text', () => {
  const properties = {
    wide: int64,
    narrow: { type: 'integer', format: 'int32' },
    small: { ...int64, maximum: 100 },
    some: { ...int64, enum: [1, 2] },
  };
  const post = { requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } } };
  const [action] = Object.values(actionsOf(documentOf({ '/pets': { post } })));
  expect(action?.payloadDescription).toMatchObject({
    properties: {
      wide: { type: ['integer', 'string'], pattern: '^-?[0-9]+$' },
      narrow: { type: 'integer' },
      small: { type: 'integer' },
      some: { type: 'integer' },
    },
  });
});

const answer = `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"id":${ID}},"content":[]}}`;
const read = { jsonrpc: '2.0', id: 1, result: { structuredContent: { id: ID }, content: [] } };

test.each([
  ['application/json', answer.replaceAll(',', ',\n')],
  ['text/event-stream', `id: ${ID}\nevent: message\ndata: ${answer}\n\n`],
])('an MCP server over HTTP gives all digits as %s', async (type, text) => {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': type }).end(text));
  onTestFinished(() => void server.close());
  const transport = new HttpTransport({ url: await listening(server) }, { redactor: new Redactor([]), credential: undefined });
  onTestFinished(() => transport.close());
  const onmessage = vi.fn<(message: JSONRPCMessage) => void>();
  transport.onmessage = onmessage;
  await transport.start();
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
  await expect.poll(() => onmessage.mock.calls[0]?.[0]).toEqual(read);
});

test('an MCP server that is a process gives all digits', async () => {
  const transport = new ProcessTransport(
    { command: process.execPath, args: ['-e', `console.log(${JSON.stringify(answer)})`] },
    { log: () => {}, redactor: new Redactor([]) },
  );
  const onmessage = vi.fn<(message: JSONRPCMessage) => void>();
  transport.onmessage = onmessage;
  await transport.start();
  onTestFinished(() => transport.close());
  await expect.poll(() => onmessage.mock.calls[0]?.[0]).toEqual(read);
});

test('JSON within a text of an MCP server has all digits', () => {
  expect(readToolResult({} as never, { content: [{ type: 'text', text: `{"id": ${ID}}` }] })).toEqual({ id: ID });
});

test('a line on stdin with such a number bypasses the parser of the MCP server, in order, and others pass it', async () => {
  const stdin = new PassThrough();
  const delivered: unknown[] = [];
  const through: string[] = [];
  exactStdin(stdin, (message) => delivered.push(message)).on('data', (chunk) => through.push(String(chunk)));
  const lines = ['{"id":1}\n', `{"id":2,"params":{"id":${ID},"ß":"ß"}}\n`, `{"id":"${ID}"}\n`, `{${ID}\n`, 'no end'];
  const bytes = Buffer.from(lines.join(''));
  for (let at = 0; at < bytes.length; at += 7) stdin.write(bytes.subarray(at, at + 7));
  stdin.end();
  await expect.poll(() => through.join('')).toBe([lines[0], lines[2], lines[3], lines[4]].join(''));
  await expect.poll(() => JSON.stringify(delivered)).toBe(`[${lines[1]?.trim()}]`);
});
