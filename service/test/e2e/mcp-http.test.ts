/** The service's `/mcp` over real sockets: MCP clients, and attacks. */
import { request as httpRequest } from 'node:http';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as StreamableHTTPClientTransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createService } from 'svc-service';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATHS } from '#sdk/protocol/http';
import packageJson from '../../../package.json' with { type: 'json' };
import { type Stage, stagesOfFile } from '../../../test/contract/stage';
import { makeFolder } from '../../../test/support/folder';
import { codeBlocks } from '../../../test/support/markdown';
import { expectAiSdkToolsToWork, expectToolsToWork, invoke, ROME } from '../../../test/support/mcp-calls';
import { startProcess } from '../../../test/support/processes';
import { expectPrompt } from '../../../test/support/prompt';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';

const startStage = stagesOfFile();

interface Door {
  url: string;
  key: string;
}

const doorOf = ({ connection }: Stage, query = ''): Door => ({ url: `${connection.baseUrl}/mcp${query}`, key: connection.apiKey });
const authorization = (key: string) => ({ Authorization: `Bearer ${key}` });
const headersOf = ({ key }: Door) => ({ requestInit: { headers: authorization(key) } });

async function connect(door: Door, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(door.url), headersOf(door)));
  return client;
}

/** Sends a raw message; a text is sent unchanged. */
function post({ url, key }: Door, message: object | string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(Array.isArray(message) ? message : { jsonrpc: '2.0', ...message }),
    ...(signal && { signal }),
  });
}

const call = (params: object, id: number | string = 1) => ({ id, method: 'tools/call', params });

/** The messages of an answer in either of its two forms. */
async function messagesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  const events = response.headers.get('content-type')?.includes('event-stream');
  return (events ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => String(data)) : [text]).map((json) => JSON.parse(json));
}

describe('clients', () => {
  test('the official SDK v1', async () => {
    const door = doorOf(await startStage());
    const client = new ClientV1({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(new StreamableHTTPClientTransportV1(new URL(door.url), headersOf(door)));
    await expectToolsToWork(client);
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  test.each<[string, ClientOptions]>([
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
    ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ])('the official SDK v2 negotiates %s with %j', async (version, options) => {
    const client = await connect(doorOf(await startStage()), options);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'svc-sdk', version: packageJson.version });
    await expectToolsToWork(client);
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  test('the AI SDK', async () => {
    const { url, key } = doorOf(await startStage());
    const client = await createMCPClient({ transport: { type: 'http', url, headers: authorization(key) } });
    onTestFinished(() => client.close());
    await expectAiSdkToolsToWork(client);
  });

  test('the Inspector, whose exit code is 5 for a call that failed', async () => {
    const { url, key } = doorOf(await startStage());
    const folder = makeFolder();
    onTestFinished(folder.remove);
    const inspect = async (...options: string[]) => {
      const program = new URL('../../../node_modules/.bin/mcp-inspector', import.meta.url).pathname;
      const args = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, '--format', 'json', ...options];
      const { code, stdout, stderr } = await startProcess(program, args, { env: { HOME: folder.path } }).ended;
      return { code, said: stdout || stderr };
    };
    const run = (payload: object) =>
      inspect(
        '--method',
        'tools/call',
        '--tool-name',
        'invoke_service',
        '--tool-args-json',
        JSON.stringify({ action: 'weather__today', payload }),
      );

    expect(await inspect('--method', 'tools/list', '--strict')).toEqual({ code: 0, said: expect.stringContaining('"invoke_service"') });
    expect(await run({ city: 'Rome' })).toEqual({ code: 0, said: expect.stringMatching(/"celsius": ?21/) });
    expect(await run({})).toEqual({ code: 5, said: expect.stringContaining('INVALID_PAYLOAD') });
  });
});

describe('calls', () => {
  test.each([{}, { versionNegotiation: { mode: 'auto' } } as const])(
    'progress reaches a client that requests it, with %j',
    async (options) => {
      const client = await connect(doorOf(await startStage()), options);
      const seen: unknown[] = [];
      const result = await client.callTool(invoke('probe__report'), { onprogress: (progress) => void seen.push(progress) });
      expect(result.content).toEqual([{ type: 'text', text: 'reported' }]);
      expect(seen).toEqual([
        { progress: 1, total: 2, message: 'half' },
        { progress: 2, total: 2 },
      ]);
    },
  );

  test('calls at once run at once', async () => {
    const client = await connect(doorOf(await startStage()));
    const names = ['a', 'b', 'c', 'd', 'e'];
    const results = await Promise.all(names.map((name) => client.callTool(invoke('probe__meet', { name, of: names.length }))));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(names.map((name) => ({ name, met: names.length })));
  });

  const modern = (id: string) => ({
    ...call(
      {
        ...invoke('probe__hang'),
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
      },
      id,
    ),
  });
  const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'invoke_service' };

  test.each([
    ['2025-11-25', call(invoke('probe__hang')), {}],
    ['2026-07-28', modern('hanging'), modernHeaders],
  ])(
    'a client of %s that disconnects during a call cancels the handler within 100 ms, and the record shows it',
    async (_revision, message, headers) => {
      const stage = await startStage();
      await expectPrompt(async () => {
        const client = new AbortController();
        const answer = post(doorOf(stage), message, headers, client.signal).then((response) => response.text());
        answer.catch(() => {});
        const { aborted } = await stage.hanging();
        const leftAt = performance.now();
        client.abort();
        await aborted;
        const ms = performance.now() - leftAt;
        await expect(answer).rejects.toThrow();
        return ms;
      });
      await vi.waitFor(() => expect(stage.records()).toContainEqual({ action: 'probe__hang', code: 'INVOCATION_CANCELLED' }));
    },
  );

  test.each([{}, { versionNegotiation: { mode: 'auto' } } as const])(
    'a request that a client cancels is cancelled at the handler, with %j',
    async (options) => {
      const stage = await startStage();
      const client = await connect(doorOf(stage), options);
      const cancel = new AbortController();
      const answer = client.callTool(invoke('probe__hang'), { signal: cancel.signal });
      answer.catch(() => {});
      const { aborted } = await stage.hanging();
      cancel.abort();
      await expect(answer).rejects.toThrow();
      await aborted;
    },
  );

  test('a service that closes answers the calls that run, and ends', async () => {
    const service = await startService();
    const { key } = await service.keys.create({ kind: 'agent', name: 'test' });
    const toolkit = await RawToolkit.connect(service);
    await toolkit.register([{ action: 'hang', actionDescription: 'Waits' }]);
    const answer = post({ url: `${service.url}/mcp`, key }, call(invoke('raw__hang'))).then(messagesOf);
    await toolkit.invoked();
    await service.close();
    expect(await answer).toMatchObject([{ result: { isError: true, structuredContent: { error: { code: 'SERVICE_STOPPING' } } } }]);
  });

  test('two clients that count their requests alike cancel each their own', async () => {
    const stage = await startStage();
    const clients = await Promise.all([connect(doorOf(stage)), connect(doorOf(stage))]);
    const cancel = new AbortController();
    const start = async (client: Client, signal?: AbortSignal) => {
      const answer = client.callTool(invoke('probe__hang'), { ...(signal && { signal }) });
      answer.catch(() => {});
      return { answer, ...(await stage.hanging()) };
    };
    const other = await start(clients[0]);
    const cancelled = await start(clients[1], cancel.signal);
    let otherAborted = false;
    void other.aborted.then(() => {
      otherAborted = true;
    });
    cancel.abort();
    await cancelled.aborted;
    await vi.waitFor(() => expect(stage.records().filter(({ code }) => code === 'INVOCATION_CANCELLED')).toHaveLength(1));
    expect(otherAborted).toBe(false);
  });
});

describe('keys', () => {
  test('without one: 401, with the address of the metadata and the next step', async () => {
    const { connection } = await startStage();
    const response = await post({ url: `${connection.baseUrl}/mcp`, key: '' }, { id: 1, method: 'ping' });
    expect(response.status).toBe(401);
    const metadata = `${connection.baseUrl}/.well-known/oauth-protected-resource/mcp`;
    expect(response.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ code: 'INVALID_KEY', detail: expect.stringContaining('Authorization') });
    for (const method of ['GET', 'DELETE']) expect((await fetch(`${connection.baseUrl}/mcp`, { method })).status).toBe(401);

    for (const url of [metadata, `${connection.baseUrl}${PATHS.protectedResource}`]) {
      expect(await (await fetch(url)).json()).toEqual({
        resource: `${connection.baseUrl}/mcp`,
        bearer_methods_supported: ['header'],
        resource_name: 'svc-sdk',
        resource_documentation: `${connection.baseUrl}/v1/openapi.json`,
      });
    }
    const behindTls = await fetch(metadata, { headers: { 'x-forwarded-proto': 'https, http' } });
    expect(await behindTls.json()).toMatchObject({ resource: expect.stringMatching(/^https:.*\/mcp$/) });
  });

  test('rejected ones are distinguished, and clients show the reason', async () => {
    const stage = await startStage();
    const door = doorOf(stage);
    const client = await connect(door);
    await stage.revokeKey();
    await expect(client.listTools()).rejects.toThrow();
    const response = await post(door, { id: 1, method: 'ping' });
    // Not 401, for which clients begin to sign in by OAuth.
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(await response.json()).toMatchObject({ status: 403, code: 'KEY_REVOKED', detail: expect.stringContaining('ask for a new one') });

    const unknown = await post({ ...door, key: 'svc_agent_nonsense' }, { id: 1, method: 'ping' });
    expect([unknown.status, await unknown.json()]).toMatchObject([403, { code: 'INVALID_KEY' }]);
  });

  test('a wrong one starts no sign-in: both official clients report a wrong key', async () => {
    const { connection } = await startStage();
    const url = new URL(`${connection.baseUrl}/mcp`);
    const asked: string[] = [];
    const unused = async () => {
      throw new Error('a sign-in began');
    };
    const authProvider = {
      redirectUrl: 'http://127.0.0.1/callback',
      clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
      clientInformation: unused,
      saveClientInformation: unused,
      tokens: async () => ({ access_token: 'svc_agent_nonsense', token_type: 'Bearer' }),
      saveTokens: unused,
      redirectToAuthorization: unused,
      saveCodeVerifier: unused,
      codeVerifier: unused,
    };
    const watched = async (input: string | URL, init?: RequestInit) => {
      asked.push(new URL(input).pathname);
      return fetch(input, init);
    };
    const options = { authProvider, fetch: watched, requestInit: { headers: authorization('svc_agent_nonsense') } } as never;
    const v2 = new Client({ name: 'test', version: '1' });
    await expect(v2.connect(new StreamableHTTPClientTransport(url, options))).rejects.toThrow(/INVALID_KEY/);
    const v1 = new ClientV1({ name: 'test', version: '1' });
    await expect(v1.connect(new StreamableHTTPClientTransportV1(url, options) as never)).rejects.toThrow(/INVALID_KEY/);
    expect(new Set(asked)).toEqual(new Set(['/mcp']));
  });

  test('of another kind: 403', async () => {
    const service = await startService();
    const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
    const response = await post({ url: `${service.url}/mcp`, key }, { id: 1, method: 'ping' });
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'WRONG_KEY_KIND' }]);
  });

  test('revoked in mid-call: the call gets the error', async () => {
    const stage = await startStage();
    const answer = post(doorOf(stage), call(invoke('probe__hang'))).then(messagesOf);
    await stage.hanging();
    await stage.revokeKey();
    expect(await answer).toMatchObject([{ result: { isError: true, structuredContent: { error: { code: 'KEY_REVOKED' } } } }]);
  });

  test('an allow list holds in searches, calls and lists', async () => {
    const stage = await startLimited({ allow: { toolkits: ['weather'] } });
    const client = await connect(stage);
    const found = await client.callTool({ name: 'search_services', arguments: { query: 'count' } });
    expect(JSON.stringify(found)).not.toContain('shop__count');
    expect(await client.callTool(invoke('shop__count'))).toMatchObject({ structuredContent: { error: { code: 'ACTION_NOT_ALLOWED' } } });
    const listed = await (await connect({ ...stage, url: `${stage.url}?staticToolkits=shop` })).listTools();
    expect(listed.tools.at(-1)).toMatchObject({
      name: 'missing_tools',
      description: expect.stringMatching(/TOOLKIT_NOT_FOUND.* the part before "__"/),
    });
  });

  test('a tool call counts once against the calls per minute, a static one too, and the next one is refused at once', async () => {
    const door = await startLimited({ callsPerMinute: 3 });
    const client = await connect({ ...door, url: `${door.url}?staticActions=shop__count` });
    for (const params of [
      invoke('weather__count'),
      { name: 'search_services', arguments: { query: 'count' } },
      { name: 'shop__count', arguments: {} },
    ])
      expect((await client.callTool(params)).isError).toBeUndefined();
    const refused = await client.callTool(invoke('weather__count'));
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'RATE_LIMITED', message: expect.stringMatching(/wait \d+ s/) } },
    });
  });

  async function startLimited(key: object): Promise<Door> {
    const service = await startService();
    for (const name of ['weather', 'shop'])
      await service.toolkit(name, (toolkit) => toolkit.action({ action: 'count', actionDescription: 'Counts' }, () => ({ count: 1 })));
    const created = await service.keys.create({ kind: 'agent', name: 'limited', ...key });
    return { url: `${service.url}/mcp`, key: created.key };
  }
});

test('the payment of a call is in _meta of its result', async () => {
  const { connection } = await (await startStage()).shop();
  const client = await connect(doorOf({ connection } as Stage));
  expect(await client.callTool(invoke('shop__buy', { thing: 'hat' }))).toMatchObject({
    _meta: { 'svc-sdk/payment': { authorised: '0.05', charged: '0.03', currency: 'USD' } },
    structuredContent: { bought: 'hat' },
  });
});

describe('the query', () => {
  const names = async (stage: Stage, query: string) =>
    (await (await connect(doorOf(stage, query))).listTools()).tools.map(({ name }) => name);

  test('chooses tools', async () => {
    const stage = await startStage();
    expect(await names(stage, '?dynamicTools=Off&staticToolkits=weather,,schemas&staticActions=,probe__count')).toEqual([
      'probe__count',
      'schemas__nested',
      'weather__today',
    ]);
    expect(await names(stage, '?dynamicTools=&staticActions=probe__count&staticActions=weather__today')).toEqual([
      'search_services',
      'invoke_service',
      'probe__count',
      'weather__today',
    ]);
    expect(await names(stage, '?staticToolkits=wether')).toEqual(['search_services', 'invoke_service', 'missing_tools']);
    const client = await connect(doorOf(stage, '?staticToolkits=weather'));
    expect(await client.callTool({ name: 'weather__today', arguments: { city: 'Rome' } })).toMatchObject({ structuredContent: ROME });
  });

  test.each([
    ['?dynamicTools=perhaps', 'dynamicTools is "perhaps": write true or false'],
    ['?dynamicTools=true&dynamicTools=false', 'dynamicTools is "true,false": write true or false'],
    [
      '?staticToolkit=weather',
      'There is no "staticToolkit" in the URL of MCP: its query may hold dynamicTools, staticToolkits, staticActions',
    ],
    ['?key=svc_agent_secret', 'the key goes into the header Authorization'],
  ])('%s is rejected with the allowed values', async (query, message) => {
    const stage = await startStage();
    const response = await post(doorOf(stage, query), { id: 1, method: 'ping' });
    const problem = await response.json();
    expect([response.status, problem]).toMatchObject([400, { code: 'INVALID_REQUEST', detail: expect.stringContaining(message) }]);
    expect(JSON.stringify(problem)).not.toContain('svc_agent_secret');
    await expect(connect(doorOf(stage, query))).rejects.toThrow(/INVALID_REQUEST/);
  });
});

test('the configuration with a key in docs/mcp.md connects', async () => {
  const stage = await startStage();
  const configuration = codeBlocks('docs/mcp.md').find(
    ({ language, text }) => language === 'json' && /"http".*"Authorization"/s.test(text),
  );
  const { type, url, headers } = JSON.parse(configuration?.text ?? '').mcpServers.svc;
  expect(type).toBe('http');
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const key = { Authorization: headers.Authorization.replace('svc_agent_…', stage.connection.apiKey) };
  const real = new URL(new URL(url).pathname, stage.connection.baseUrl);
  await client.connect(new StreamableHTTPClientTransport(real, { requestInit: { headers: key } }));
  await expectToolsToWork(client);
});

describe('bad input', () => {
  const clientInfo = { name: 'raw', version: '1' };

  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['2999-01-01', '2025-11-25'],
  ])('a client of revision %s is offered %s', async (asked, spoken) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo };
    const response = await post(doorOf(await startStage()), { id: 1, method: 'initialize', params });
    expect(await messagesOf(response)).toMatchObject([{ id: 1, result: { protocolVersion: spoken, capabilities: { tools: {} } } }]);
  });

  test('an unknown revision without handshake is refused with those that there are', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2999-01-01', 'io.modelcontextprotocol/clientCapabilities': {} };
    const headers = { 'mcp-protocol-version': '2999-01-01', 'mcp-method': 'server/discover' };
    const response = await post(doorOf(await startStage()), { id: 1, method: 'server/discover', params: { _meta } }, headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 1, error: { data: { supported: ['2026-07-28'], requested: '2999-01-01' } } });
  });

  test.each([
    ['1999-01-01', /2025-11-25/],
    ['2999-01-01', /header names protocol revision 2999-01-01/],
  ])('revision %s in the header alone is refused', async (revision, message) => {
    const response = await post(doorOf(await startStage()), { id: 1, method: 'tools/list' }, { 'mcp-protocol-version': revision });
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(message)]);
  });

  test.each(['hello', '', '{"a":', '\u0000'])('%j is refused as what is not JSON', async (body) => {
    const response = await post(doorOf(await startStage()), body);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'INVALID_REQUEST', detail: expect.stringMatching(/JSON/) },
    ]);
  });

  test.each(['null', '7', '"text"', '{}', '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":{},"method":"ping"}', '[]'])(
    '%s is refused because it is not a message, and the service continues',
    async (body) => {
      const door = doorOf(await startStage());
      const response = await post(door, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: expect.any(Number), message: expect.any(String) } });
      expect(await messagesOf(await post(door, { id: 1, method: 'ping' }))).toMatchObject([{ id: 1, result: {} }]);
    },
  );

  test.each([
    ['null', null, 'INVALID_REQUEST'],
    ['a list', [], 'INVALID_REQUEST'],
    ['a number', 7, 'INVALID_REQUEST'],
    ['broken JSON', '{"action":', 'INVALID_REQUEST'],
    ['nothing', undefined, 'INVALID_REQUEST'],
  ])('arguments that are %s are answered in words for the model', async (_, input, code) => {
    const door = doorOf(await startStage());
    const params = { name: 'invoke_service', arguments: input };
    const [answer] = await messagesOf(await post(door, { id: 1, method: 'tools/call', params }));
    expect(answer).toMatchObject({ id: 1, result: { isError: true, content: [{ type: 'text', text: expect.stringContaining(code) }] } });
  });

  test('arguments that are JSON in a text are read', async () => {
    const params = { name: 'invoke_service', arguments: JSON.stringify({ action: 'weather__today', payload: { city: 'Rome' } }) };
    const [answer] = await messagesOf(await post(doorOf(await startStage()), { id: 1, method: 'tools/call', params }));
    expect(answer).toMatchObject({ result: { structuredContent: { city: 'Rome' } } });
  });

  test('a batch is answered whole', async () => {
    const batch = ['Rome', 'Oslo'].map((city, id) => ({ jsonrpc: '2.0', ...call(invoke('weather__today', { city }), id) }));
    const answers = await messagesOf(await post(doorOf(await startStage()), batch));
    expect(answers.sort((a, b) => Number(a.id) - Number(b.id))).toMatchObject([
      { id: 0, result: { structuredContent: { city: 'Rome' } } },
      { id: 1, result: { structuredContent: { city: 'Oslo' } } },
    ]);
  });

  test('another content type is 415, another method 405', async () => {
    const door = doorOf(await startStage());
    expect((await post(door, { id: 1, method: 'ping' }, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(door, { id: 1, method: 'ping' }, { accept: 'text/html' })).status).toBe(406);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(door.url, { method, headers: { ...authorization(door.key), accept: 'text/event-stream' } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('1 MB of arguments arrives; what is over the limit of a request is refused', async () => {
    const door = doorOf(await startStage());
    const measure = (characters: number) => post(door, call(invoke('probe__measure', { text: 'x'.repeat(characters) })));
    expect(await messagesOf(await measure(1_000_000))).toMatchObject([{ result: { structuredContent: { characters: 1_000_000 } } }]);
    const response = await measure(3_000_000);
    expect([response.status, await response.json()]).toMatchObject([413, { code: 'REQUEST_TOO_LARGE' }]);
  });

  test('the capabilities announce no changes of lists', async () => {
    const client = await connect(doorOf(await startStage()), { versionNegotiation: { mode: 'auto' } });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } });
  });
});

describe('Host and Origin', () => {
  /** `fetch` sets Host. */
  function statusFor({ url, key }: Door, headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const all = {
        ...(key && authorization(key)),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      };
      const message = httpRequest(url, { method: 'POST', headers: all }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      message.on('error', reject);
      message.end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    });
  }

  async function startFor(options: {
    host?: string;
    allowedHosts?: string[];
  }): Promise<(headers: Record<string, string>) => Promise<number | undefined>> {
    const service = await startService(options);
    const { key } = await service.keys.create({ kind: 'agent', name: 'test' });
    return (headers) => statusFor({ url: `${service.url}/mcp`, key }, headers);
  }

  test('on loopback only: its own names', async () => {
    const status = await startFor({});
    for (const host of ['localhost', 'localhost:1', '127.0.0.1', '[::1]:8787']) expect(await status({ host })).toBe(200);
    for (const host of ['evil.example.com', '10.0.0.5', 'localhost.evil.example.com']) expect(await status({ host })).toBe(403);
    expect(await status({ origin: 'http://localhost:3000' })).toBe(200);
    for (const origin of ['http://evil.example.com', 'null', 'http://10.0.0.5']) expect(await status({ origin })).toBe(403);
  });

  test('a request under another name gets neither a key nor an address', async () => {
    const { url } = await startService();
    const headers = { host: 'evil.example.com' };
    expect(await statusFor({ url: `${url}/mcp`, key: '' }, headers)).toBe(403);
    const metadata = (host: string) =>
      new Promise<number | undefined>((resolve) => {
        httpRequest(`${url}/.well-known/oauth-protected-resource/mcp`, { headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end();
      });
    expect([await metadata('evil.example.com'), await metadata('localhost')]).toEqual([403, 200]);
  });

  test('on all addresses: those, and the allowed names', async () => {
    const status = await startFor({ host: '0.0.0.0', allowedHosts: ['tools.example.com', '::2'] });
    for (const host of ['localhost', '10.0.0.5:8787', '[2001:db8::1]', 'TOOLS.example.com:443', '[::2]'])
      expect(await status({ host })).toBe(200);
    for (const host of ['evil.example.com', 'tools.example.com.evil.example.com']) expect(await status({ host })).toBe(403);
    expect(await status({ origin: 'https://tools.example.com' })).toBe(200);
    for (const origin of ['http://10.0.0.5', 'http://evil.example.com']) expect(await status({ origin })).toBe(403);
  });

  test.each(['https://tools.example.com', 'tools.example.com:443', 'tools.example.com/mcp', '', 'a b'])(
    '%j is not a name to allow',
    async (name) => {
      await expect(createService({ port: 0, allowedHosts: [name] })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(`allowedHosts: ${JSON.stringify(name)} is not a host name`),
      });
    },
  );
});
