import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallToolOptions, Tools } from '../../../src/index';
import { KEY, type ReceivedRequest, sendJson, sendProblem, sendResult, toolCall, wireServer } from './wire-server';

const echo = (request: ReceivedRequest) => (request.path === '/v1/search' ? { actions: [], hint: 'other words' } : undefined);

/** Searches find nothing; an invocation gives back its body. */
const echoService = () =>
  wireServer((response, request) => (echo(request) ? sendJson(response, echo(request)) : sendResult(response, request.body)));

test('promise 4, every tool call gets its message: [] for null, undefined and []', async () => {
  const tools = new Tools({ fetch: () => Promise.reject(new Error('no network call is allowed')) });
  expect(await Promise.all([tools.callTools(null), tools.callTools(undefined), tools.callTools([])])).toEqual([[], [], []]);
});

test('promise 4: each call is answered once and in order, for any model output', async () => {
  const service = await echoService();
  const calls = [
    toolCall('1', 'search_services', { query: 'weather' }),
    toolCall('2', 'invoke_service', { action: 'weather__get', payload: { city: 'Rome' } }),
    toolCall('3', 'weather__get', { city: 'Oslo' }),
    toolCall('4', 'weather__get', ''),
    toolCall('5', 'weather__get', '{"city": "Ro'),
    toolCall('6', 'get_weather', {}),
    toolCall('7', 'search_services', {}),
    { id: '8', type: 'custom', custom: { name: 'x', input: 'y' } },
    { id: '9', type: 'function' },
    toolCall('2', 'weather__get', { city: 'Bari' }),
    toolCall('10', 'weather__get', '['.repeat(20_000) + ']'.repeat(20_000)),
    null as never,
  ];
  const messages = await service.tools().callTools(calls);

  expect(messages.map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual(
    ['1', '2', '3', '4', '5', '6', '7', '8', '9', '2', '10', ''].map((id) => ['tool', id]),
  );
  expect(messages.map(({ content }) => (content.startsWith('{') ? JSON.parse(content) : content))).toEqual([
    { actions: [], hint: 'other words' },
    { action: 'weather__get', payload: { city: 'Rome' } },
    { action: 'weather__get', payload: { city: 'Oslo' } },
    { action: 'weather__get', payload: {} },
    {
      error: {
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/^The arguments of weather__get are not valid JSON/),
        retryable: false,
      },
    },
    {
      error: {
        code: 'UNKNOWN_TOOL',
        message: expect.stringContaining('"get_weather". Find actions with search_services'),
        retryable: false,
      },
    },
    { error: { code: 'INVALID_REQUEST', message: expect.stringContaining('{"query": "…"}'), retryable: false } },
    { error: { code: 'UNKNOWN_TOOL', message: expect.stringContaining('There is no tool'), retryable: false } },
    { error: { code: 'UNKNOWN_TOOL', message: expect.stringContaining('There is no tool'), retryable: false } },
    { action: 'weather__get', payload: { city: 'Bari' } },
    { error: { code: 'INVALID_REQUEST', message: expect.stringContaining('cannot be written as JSON'), retryable: false } },
    { error: { code: 'UNKNOWN_TOOL', message: expect.any(String), retryable: false } },
  ]);
});

test('promise 4: a list of any values gets as many messages, each a text', async () => {
  const service = await echoService();
  const tools = service.tools();
  const call = fc.oneof(
    fc.anything({ maxDepth: 1 }),
    fc.record({ id: fc.string(), type: fc.constant('function'), function: fc.record({ name: fc.string(), arguments: fc.string() }) }),
    fc.record({
      id: fc.string(),
      function: fc.record({ name: fc.constantFrom('search_services', 'invoke_service', 'a__b'), arguments: fc.json() }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 5 }), async (calls) => {
      const messages = await tools.callTools(calls as never);
      expect(messages).toHaveLength(calls.length);
      expect(messages.every(({ role, content }) => role === 'tool' && typeof content === 'string')).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('promise 5, an error names the correction for the model: every detail of the service is in the content', async () => {
  const service = await wireServer((response) =>
    sendProblem(response, 'ACTION_NOT_FOUND', 'There is no a__b', { didYouMean: ['a__c', 'a__d'] }),
  );
  const [message] = await service.tools().callTools([toolCall('1', 'invoke_service', { action: 'a__b', payload: {} })]);
  expect(message?.content).toBe(
    '{"error":{"code":"ACTION_NOT_FOUND","message":"There is no a__b","didYouMean":["a__c","a__d"],"retryable":false}}',
  );
});

test('promise 5: a refused key, a missing key and an absent service are named in the message as well', async () => {
  const service = await wireServer((response) => sendProblem(response, 'KEY_REVOKED', 'The key was revoked'));
  const call = [toolCall('1', 'a__b', {})];
  const contents = await Promise.all([
    service.tools().callTools(call),
    service.tools({ apiKey: '' }).callTools(call),
    new Tools({ apiKey: KEY, timeoutMs: 1, fetch: () => Promise.reject(new Error('offline')) }).callTools(call),
  ]);
  expect(contents.map(([message]) => JSON.parse(message?.content ?? '').error.code)).toEqual([
    'KEY_REVOKED',
    'INVALID_KEY',
    'SERVICE_UNREACHABLE',
  ]);
});

test('the arguments of invoke_service are sent unchanged, and the service parses them', async () => {
  const service = await echoService();
  const slips = [
    { action: 'a__b', city: 'Rome' },
    { invoke_service: { action: 'a__b', payload: {} } },
    [1],
    null,
    { action: 'a__b', payload: '{"x":1}' },
  ];
  await service.tools({ concurrency: 1 }).callTools(slips.map((slip, index) => toolCall(String(index), 'invoke_service', slip)));
  expect(service.requests.map(({ body }) => body)).toEqual(slips);
});

test('arguments that were encoded twice are read', async () => {
  const service = await echoService();
  await service.tools().callTools([toolCall('1', 'search_services', JSON.stringify(JSON.stringify({ query: 'weather' })))]);
  expect(service.requests[0]?.body).toEqual({ query: 'weather' });
});

test.each([
  ['3', { limit: 3 }],
  [1_000, { limit: 50 }],
  [0, {}],
  [null, {}],
  ['many', {}],
])('a model’s limit %j is read as %j', async (limit, expected) => {
  const service = await echoService();
  await service.tools().callTool('search_services', { query: 'weather', limit });
  expect(service.requests[0]?.body).toEqual({ query: 'weather', ...expected });
});

test('a result is the unchanged content: a text as text, nothing as null, a corrected call with a note', async () => {
  const service = await wireServer((response, { body }) => {
    const { action } = body as { action: string };
    if (action === 'a__text') return sendResult(response, 'plain "text"');
    if (action === 'a__mended') return sendResult(response, 1, { repaired: ['Read "1" as 1.'] });
    sendResult(response, undefined);
  });
  const messages = await service
    .tools()
    .callTools([toolCall('1', 'a__text', {}), toolCall('2', 'a__mended', {}), toolCall('3', 'a__nothing', {})]);
  expect(messages.map(({ content }) => content)).toEqual(['plain "text"', '{"result":1,"note":"Read \\"1\\" as 1."}', 'null']);
});

test('a long result is cut for the model, with a note', async () => {
  const service = await wireServer((response) => sendResult(response, { text: 'x'.repeat(1_000) }));
  const [message] = await service.tools({ maxResultChars: 50 }).callTools([toolCall('1', 'a__b', {})]);
  expect(message?.content).toMatch(/^\{"text":"x{41}\n\[Cut: 1011 characters, these are the first 50\./);
});

test('at most `concurrency` calls run at a time', async () => {
  let open = 0;
  let most = 0;
  const service = await wireServer(async (response) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 5));
    open--;
    sendResult(response, null);
  });
  await service.tools({ concurrency: 3 }).callTools(Array.from({ length: 9 }, (_, index) => toolCall(String(index), 'a__b', {})));
  expect(most).toBe(3);
});

test('an abort of the caller rejects with its reason, and calls that wait are not made', async () => {
  const controller = new AbortController();
  const service = await wireServer(() => controller.abort());
  const calls = ['1', '2', '3'].map((id) => toolCall(id, 'a__b', {}));
  await expect(service.tools({ concurrency: 1 }).callTools(calls, { signal: controller.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(service.requests).toHaveLength(1);
});

test('progress has the id of its tool call', async () => {
  const service = await wireServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('event: progress\ndata: {"progress":1}\n\nevent: result\ndata: {"invocationId":"inv_1","result":2}\n\n');
  });
  const seen: unknown[] = [];
  const messages = await service
    .tools()
    .callTools([toolCall('7', 'a__b', {})], { onProgress: (progress, id) => seen.push([id, progress]) });
  expect(seen).toEqual([['7', { progress: 1 }]]);
  expect(messages[0]?.content).toBe('2');
});

test('promise 7, one call runs once: a unique id identifies the call after a restart, a numbered id never', async () => {
  const service = await echoService();
  const callAgain = (id: string) => service.tools().callTools([toolCall(id, 'a__b', { city: 'Rome' })]);
  for (const id of ['call_9fKq2LmZ7xTb', 'call_9fKq2LmZ7xTb', 'call_0', 'call_0']) await callAgain(id);
  const [first, second, third, fourth] = service.requests.map(({ headers }) => headers['idempotency-key']);
  expect(second).toBe(first);
  expect(fourth).not.toBe(third);
});

test('a message in place of its tool calls is an error that names the caller’s mistake', async () => {
  await expect(new Tools().callTools({ tool_calls: [] } as never)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

test('callTool returns the JSON value to adapters and throws errors', async () => {
  const service = await wireServer((response, _request, count) =>
    count === 1 ? sendResult(response, { a: [1] }) : sendProblem(response, 'ACTION_FAILED', 'broken'),
  );
  expect(await service.tools().callTool('a__b', { x: 1 }, { toolCallId: undefined, signal: undefined })).toEqual({ a: [1] });
  await expect(service.tools().callTool('a__b', '{}')).rejects.toMatchObject({ code: 'ACTION_FAILED' });
  await expect(service.tools().callTool('nonsense', {})).rejects.toMatchObject({ code: 'UNKNOWN_TOOL' });
});

test('a callTool that a subclass overrides answers every way of calling, and may take images away', async () => {
  const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
  const service = await wireServer((response) => sendJson(response, { invocationId: 'inv-1', result: { secret: 1 }, content: [image] }));
  class ChangingTools extends Tools {
    override async callTool(name: string, input: unknown, options: CallToolOptions = {}): Promise<unknown> {
      if (name === 'a__refused') return 'The user said no.';
      const value = await super.callTool(name, input, options);
      return name === 'a__changed' ? { changed: true } : value;
    }
  }
  const tools = new ChangingTools({ apiKey: KEY, baseUrl: service.baseUrl });

  expect(await tools.answerTool('a__refused', {})).toEqual({ value: 'The user said no.', content: 'The user said no.' });
  expect(service.requests).toEqual([]);
  expect(await tools.answerTool('a__changed', {})).toEqual({ value: { changed: true }, content: '{"changed":true}' });
  expect(await tools.answerTool('a__kept', {})).toMatchObject({ media: [{ mediaType: 'image/png' }], blocks: [{ type: 'text' }, image] });
});
