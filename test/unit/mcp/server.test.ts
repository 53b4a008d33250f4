/** `svc-sdk/mcp` against a real service, with the official client. */
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { Tools } from 'svc-sdk';
import { svcMcpServer } from 'svc-sdk/mcp';
import { describe, expect, test, vi } from 'vitest';
import { stagesOfFile } from '../../contract/stage';
import { connect } from '../../support/mcp-client';
import { expectPrompt } from '../../support/prompt';

const startStage = stagesOfFile();

const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

describe('tools/list', () => {
  test('gives the two tools as they are defined, the search as one that only reads, in the same bytes every time', async () => {
    const { tools } = await startStage();
    const lists = await Promise.all(
      [connect(svcMcpServer(tools)), connect(svcMcpServer({ tools }))].map(async (client) => (await client).listTools()),
    );
    const [search, invoke] = tools
      .definitions()
      .map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters }));
    expect(lists[0]?.tools).toEqual([
      { ...search, title: 'Find actions', annotations: { readOnlyHint: true, openWorldHint: false }, outputSchema: expect.any(Object) },
      {
        ...invoke,
        title: 'Run an action',
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      },
    ]);
    expect(JSON.stringify(lists[1])).toBe(JSON.stringify(lists[0]));
  });

  test('makes no network call for them', async () => {
    const fetch = vi.fn();
    const client = await connect(svcMcpServer({ apiKey: 'svc_agent_any', fetch }));
    await client.listTools();
    expect(fetch).not.toHaveBeenCalled();
  });

  test('instructs the client how to use them, and only if they are offered', async () => {
    const { tools } = await startStage();
    expect((await connect(svcMcpServer(tools))).getInstructions()).toMatch(/search_services.*invoke_service/);
    expect((await connect(svcMcpServer({ tools, dynamicTools: false, staticToolkits: ['weather'] }))).getInstructions()).toBeUndefined();
  });

  test('gives static actions with their JSON Schemas untouched', async () => {
    const { tools } = await startStage();
    const options = { dynamicTools: false, staticToolkits: ['schemas'], staticActions: ['weather__today'] };
    const listed = (await (await connect(svcMcpServer({ ...options, tools }))).listTools()).tools;
    const definitions = (await tools.getTools(options)).map((tool) => tool.function);
    expect(listed).toEqual(
      definitions.map(({ name, description, parameters }) => expect.objectContaining({ name, description, inputSchema: parameters })),
    );
  });

  test('passes on the declared annotations of static actions, and no others', async () => {
    const { tools } = await startStage();
    const client = await connect(svcMcpServer({ tools, dynamicTools: false, staticToolkits: ['probe', 'weather'] }));
    const listed = (await client.listTools()).tools;
    const annotationsOf = (id: string) => listed.find(({ name }) => name === id)?.annotations;
    expect(annotationsOf('weather__today')).toEqual({ readOnlyHint: true });
    expect(annotationsOf('probe__erase')).toEqual({ destructiveHint: true });
    expect(annotationsOf('probe__count')).toBeUndefined();
  });

  test('lists the property schemas true and false as objects: a client would reject the whole list', async () => {
    const stage = await startStage();
    const properties = { any: true, none: false, text: { type: 'string' } };
    const payloadDescription = { type: 'object', properties, required: ['any'] };
    stage.weather.action({ action: 'odd', actionDescription: 'Takes anything', payloadDescription }, () => null);
    const client = await connect(svcMcpServer({ tools: stage.tools, staticActions: ['weather__odd'] }));
    const listed = await vi.waitFor(async () => {
      const found = (await client.listTools()).tools.find(({ name }) => name === 'weather__odd');
      if (!found) throw new Error('not registered yet');
      return found;
    });
    expect(listed.inputSchema).toEqual({ ...payloadDescription, properties: { ...properties, any: {}, none: { not: {} } } });
  });

  test('shows unavailable static tools as a tool that gives the reason, and notifies when they are available', async () => {
    const { tools, weather } = await startStage();
    const client = await connect(svcMcpServer({ tools, staticActions: ['weather__tomorrow'] }));
    const changed = new Promise((resolve) => client.setNotificationHandler('notifications/tools/list_changed', resolve));
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(['search_services', 'invoke_service', 'missing_tools']);
    expect(listed[2]?.description).toMatch(/^Tools are missing here \(ACTION_NOT_FOUND: .*weather__tomorrow.*\)\. Tell the user/);
    expect(await client.callTool({ name: 'missing_tools' })).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'ACTION_NOT_FOUND' } },
    });

    weather.action({ action: 'tomorrow', actionDescription: "Tomorrow's weather" }, () => 'rain');
    await vi.waitFor(async () => expect((await client.callTool({ name: 'missing_tools' })).isError).toBeUndefined());
    await changed;
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search_services', 'invoke_service', 'weather__tomorrow']);
  });

  test('reports an empty selection', async () => {
    const { tools } = await startStage();
    const { tools: listed } = await (await connect(svcMcpServer({ tools, dynamicTools: false }))).listTools();
    expect(listed).toEqual([expect.objectContaining({ name: 'missing_tools', description: expect.stringContaining('INVALID_REQUEST') })]);
  });
});

describe('tools/call', () => {
  test.each([
    ['an object', 'weather__today', { city: 'Rome' }, '{"city":"Rome","celsius":21}', { city: 'Rome', celsius: 21 }],
    ['a list', 'probe__give', { kind: 'blocks' }, '[{"type":"text","text":"not content"}]', undefined],
    ['a number', 'probe__give', { kind: 'number' }, '7', undefined],
    ['a text', 'probe__report', {}, 'reported', undefined],
    ['null', 'probe__give', { kind: 'nothing' }, 'null', undefined],
  ])('%s is a text, and structured only when it is an object, in every revision', async (_what, action, payload, text, structured) => {
    const { tools } = await startStage();
    for (const options of [{}, MODERN]) {
      const client = await connect(svcMcpServer(tools), options);
      const answer = await client.callTool({ name: 'invoke_service', arguments: { action, payload } });
      expect(answer.content).toEqual([{ type: 'text', text }]);
      expect(answer.structuredContent).toEqual(structured);
      expect(answer.isError).toBeUndefined();
    }
  });

  test("slips that the service understands are understood: a schema's own validation would refuse them", async () => {
    const { tools } = await startStage();
    const client = await connect(svcMcpServer(tools));
    const answer = await client.callTool({ name: 'invoke_service', arguments: { action: 'weather__today', payload: '{"city": "Rome"}' } });
    expect(answer.structuredContent).toMatchObject({ result: { city: 'Rome', celsius: 21 }, note: expect.any(String) });
  });

  test('an error is a result with isError, the same JSON as text and structured', async () => {
    const { tools } = await startStage();
    const client = await connect(svcMcpServer(tools));
    const answer = await client.callTool({ name: 'invoke_service', arguments: { action: 'weather__today', payload: { town: 'Rome' } } });
    expect(answer).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_PAYLOAD', message: expect.any(String), retryable: false, received: ['town'] } },
    });
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
  });

  test('a static action runs, before the client has listed the tools too', async () => {
    const { tools } = await startStage();
    const client = await connect(svcMcpServer({ tools, dynamicTools: false, staticToolkits: ['weather'] }));
    const answer = await client.callTool({ name: 'weather__today', arguments: { city: 'Lima' } });
    expect(answer.structuredContent).toEqual({ city: 'Lima', celsius: 21 });
  });

  test.each([
    ['an unknown name', {}, 'weather', /There is no tool "weather" here\. Find actions with search_services/],
    ['an action that is not offered as a tool', {}, 'weather__today', /There is no tool "weather__today" here\..*invoke_service/],
    ['a dynamic tool without dynamic tools', { dynamicTools: false, staticToolkits: ['schemas'] }, 'invoke_service', /List the tools/],
  ])('%s is -32602 with what to do instead', async (_what, options, name, message) => {
    const { tools } = await startStage();
    const client = await connect(svcMcpServer({ ...options, tools }));
    const data = { code: 'UNKNOWN_TOOL', message: expect.stringMatching(message), retryable: false };
    await expect(client.callTool({ name })).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(message), data });
  });

  test('dynamic tools work while static ones cannot be had', async () => {
    const { tools } = await startStage();
    const client = await connect(svcMcpServer({ tools, staticToolkits: ['nowhere'] }));
    const answer = await client.callTool({ name: 'invoke_service', arguments: { action: 'weather__today', payload: { city: 'Rome' } } });
    expect(answer.structuredContent).toEqual({ city: 'Rome', celsius: 21 });
  });

  test.each([{}, MODERN])(
    "a cancelled request aborts the handler's signal within 100 ms, and is recorded as cancelled, with %j",
    async (options) => {
      const stage = await startStage();
      const client = await connect(svcMcpServer(stage.tools), options);
      await expectPrompt(async () => {
        const controller = new AbortController();
        const call = client.callTool(
          { name: 'invoke_service', arguments: { action: 'probe__hang', payload: {} } },
          { signal: controller.signal },
        );
        const cancelled = expect(call).rejects.toThrow();
        const handler = await stage.hanging();
        const abortedAt = performance.now();
        controller.abort();
        await handler.aborted;
        const ms = performance.now() - abortedAt;
        await cancelled;
        return ms;
      });
      await vi.waitFor(() => expect(new Set(stage.records().map(({ code }) => code))).toEqual(new Set(['INVOCATION_CANCELLED'])));
    },
  );

  test('progress arrives in order, before the result', async () => {
    const { tools } = await startStage();
    for (const options of [{}, MODERN]) {
      const client = await connect(svcMcpServer(tools), options);
      const shown: unknown[] = [];
      const request = { name: 'invoke_service', arguments: { action: 'probe__report', payload: {} } };
      await client.callTool(request, { onprogress: (report) => shown.push(report) });
      expect(shown).toEqual([
        { progress: 1, total: 2, message: 'half' },
        { progress: 2, total: 2 },
      ]);
    }
  });

  test('progress that does not grow is not shown: the specification forbids it', async () => {
    const tools = new Tools({ apiKey: 'svc_agent_any' });
    const answer: Tools['answerTool'] = async (_name, _input, { onProgress } = {}) => {
      for (const progress of [1, 1, 0.5, 2]) onProgress?.({ progress });
      return { value: 'done', content: 'done' };
    };
    vi.spyOn(tools, 'answerTool').mockImplementation(answer);
    const client = await connect(svcMcpServer(tools));
    const shown: number[] = [];
    await client.callTool({ name: 'invoke_service', arguments: {} }, { onprogress: ({ progress }) => shown.push(progress) });
    expect(shown).toEqual([1, 2]);
  });

  test('two calls under one small number are two calls: every client counts its requests', async () => {
    const { tools } = await startStage();
    const counts = [];
    for (const _client of [1, 2]) {
      const client = await connect(svcMcpServer(tools));
      const answer = await client.callTool({ name: 'invoke_service', arguments: { action: 'probe__count', payload: {} } });
      counts.push(answer.structuredContent);
    }
    expect(counts).toEqual([{ count: 1 }, { count: 2 }]);
  });
});

test('the service is reached in every revision that the SDK supports', async () => {
  const { tools } = await startStage();
  expect(SUPPORTED_PROTOCOL_VERSIONS).toContain('2024-11-05');
  for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
    const client = await connect(svcMcpServer(tools), { supportedProtocolVersions: [version] });
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect((await client.callTool({ name: 'search_services', arguments: { query: 'weather' } })).isError).toBeUndefined();
  }
  expect(LATEST_PROTOCOL_VERSION).toBe('2025-11-25');
});

test('a promise in place of options is rejected with the line to write', () => {
  const promise = Promise.resolve(new Tools()) as unknown as Tools;
  expect(() => svcMcpServer(promise)).toThrow(/await/);
});

const PRICE = { amount: '0.05', currency: 'USD' };

test('a paid static action has its price in its description and in _meta; others have no _meta', async () => {
  const stage = await startStage();
  const { tools } = await stage.shop();
  const client = await connect(svcMcpServer({ tools, staticActions: ['shop__buy', 'weather__today'] }));
  const listed = (await client.listTools()).tools;
  expect(listed.find(({ name }) => name === 'shop__buy')).toMatchObject({
    description: 'Buys a thing in the shop. Costs up to 0.05 USD a call.',
    _meta: { 'svc-sdk/payment': PRICE },
  });
  expect(listed.filter((tool) => '_meta' in tool).map(({ name }) => name)).toEqual(['shop__buy']);
});

test('the payment of a call is in _meta of its result, and nowhere else', async () => {
  const stage = await startStage();
  const { tools } = await stage.shop();
  const client = await connect(svcMcpServer(tools));
  const call = (action: string, payload: object) => client.callTool({ name: 'invoke_service', arguments: { action, payload } });
  const { _meta, ...paid } = await call('shop__buy', { thing: 'hat' });
  expect(_meta).toEqual({ 'svc-sdk/payment': { authorised: '0.05', charged: '0.03', currency: 'USD' } });
  expect(JSON.stringify(paid)).not.toContain('charged');
  expect(await call('weather__today', { city: 'Rome' })).not.toHaveProperty('_meta');
});
