/** `svc-tools-mcp` as MCP clients have it: the built program, started and spoken with by each of them. */

import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { HELP } from '../../src/mcp/help';
import { readableJson } from '../../src/protocol/invisible-text';
import { type Stage, stagesOfFile } from '../contract/stage';
import { makeFolder } from '../support/folder';
import { looseJson } from '../support/loose-json';
import { codeBlocks } from '../support/markdown';
import { expectAiSdkToolsToWork, expectToolsToWork, invoke, ROME } from '../support/mcp-calls';
import { MCP_PROGRAM, MCP_RUNTIME, type McpProcess, startInitializedMcp, startMcp } from '../support/mcp-process';
import { startProcess } from '../support/processes';
import { RawToolkit } from '../support/raw-toolkit';
import { startService } from '../support/service';

const startStage = stagesOfFile();
const environment = ({ connection }: Stage) => ({ SVC_BASE_URL: connection.baseUrl, SVC_AGENT_API_KEY: connection.apiKey });
const command = (stage: Stage) => ({ command: MCP_RUNTIME, args: [MCP_PROGRAM], env: environment(stage), stderr: 'ignore' as const });

describe('clients', () => {
  test('the official SDK v1', async () => {
    const client = new ClientV1({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransportV1(command(await startStage())));
    await expectToolsToWork(client);
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  test.each<[string, ClientOptions]>([
    ['2025-11-25', {}],
    ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
    ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ])('the official SDK v2 negotiates %s with %j', async (version, options) => {
    const client = new Client({ name: 'test', version: '1' }, options);
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport(command(await startStage())));
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    await expectToolsToWork(client);
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  });

  test('the AI SDK', async () => {
    const client = await createMCPClient({ transport: new StdioMCPTransport(command(await startStage())) });
    onTestFinished(() => client.close());
    await expectAiSdkToolsToWork(client);
  });

  test('the Inspector, whose exit code is 5 for a call that failed', async () => {
    const stage = await startStage();
    const folder = makeFolder();
    onTestFinished(folder.remove);
    const inspect = async (...options: string[]) => {
      const variables = Object.entries(environment(stage)).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      const program = new URL('../../node_modules/.bin/mcp-inspector', import.meta.url).pathname;
      const args = ['--cli', MCP_RUNTIME, MCP_PROGRAM, ...variables, '--format', 'json', ...options];
      const { code, stdout, stderr } = await startProcess(program, args, { env: { HOME: folder.path } }).ended;
      return { code, said: stdout || stderr };
    };
    const call = (name: string, input: object) =>
      inspect('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input));

    const listed = await inspect('--method', 'tools/list', '--strict');
    expect(listed).toEqual({ code: 0, said: expect.stringContaining('"invoke_service"') });
    const answered = await call('invoke_service', { action: 'weather__today', payload: { city: 'Rome' } });
    expect(answered).toEqual({ code: 0, said: expect.stringMatching(/"celsius": ?21/) });
    const failed = await call('invoke_service', { action: 'weather__today', payload: {} });
    expect(failed).toEqual({ code: 5, said: expect.stringContaining('INVALID_PAYLOAD') });
  });

  test('the Inspector with the options that docs/mcp.md gives it finds the key', async () => {
    const { SVC_BASE_URL, SVC_AGENT_API_KEY } = environment(await startStage());
    const folder = makeFolder();
    onTestFinished(folder.remove);
    const line = codeBlocks('docs/mcp.md').flatMap(
      ({ text }) => /^npx @modelcontextprotocol\/inspector --cli -e .+ npx .+$/m.exec(text) ?? [],
    );
    const program = new URL('../../node_modules/.bin/mcp-inspector', import.meta.url).pathname;
    const command = String(line)
      .replace('npx @modelcontextprotocol/inspector --cli', `'${program}' --cli -e SVC_BASE_URL=${SVC_BASE_URL}`)
      .replace('npx -y -p svc-sdk svc-tools-mcp', `'${MCP_RUNTIME}' '${MCP_PROGRAM}'`)
      .replace('--method tools/list', `--method tools/call --tool-name search_services --tool-args-json '{"query": "weather"}'`);
    const { code, stdout } = await startProcess('sh', ['-c', command], { env: { HOME: folder.path, SVC_AGENT_API_KEY } }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('weather__today') });
  });
});

describe('revisions', () => {
  const client = { capabilities: {}, clientInfo: { name: 'raw', version: '1' } };

  test.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    // The newest of those that begin with `initialize`, for the client to take or leave.
    ['1999-01-01', '2025-11-25'],
    ['2999-01-01', '2025-11-25'],
  ])('a client of %s gets revision %s', async (asked, spoken) => {
    const mcp = startMcp(environment(await startStage()));
    const { result } = await mcp.request('initialize', { protocolVersion: asked, ...client });
    expect(result).toMatchObject({ protocolVersion: spoken, serverInfo: { name: 'svc-sdk', version: packageJson.version } });
    mcp.send({ method: 'notifications/initialized' });
    expect(await mcp.request('tools/call', invoke('weather__today', { city: 'Rome' }))).toMatchObject({
      result: { structuredContent: ROME },
    });
  });

  test('2026-07-28 needs no handshake', async () => {
    const mcp = startMcp(environment(await startStage()));
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const answer = await mcp.request('tools/call', { ...invoke('weather__today', { city: 'Rome' }), _meta });
    expect(answer).toMatchObject({ result: { resultType: 'complete', structuredContent: ROME } });
  });

  test('an unknown revision without handshake is refused with those that there are', async () => {
    const mcp = startMcp(environment(await startStage()));
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2999-01-01', 'io.modelcontextprotocol/clientCapabilities': {} };
    const { error } = await mcp.request('server/discover', { _meta });
    expect(error).toMatchObject({ data: { supported: ['2026-07-28'], requested: '2999-01-01' } });
  });
});

describe('the texts for a user of the client', () => {
  /** The first text of the answer to a search, as a model reads and repeats it. */
  async function searchError(mcp: McpProcess): Promise<unknown> {
    const { result } = await mcp.request('tools/call', { name: 'search_services', arguments: { query: 'weather' } });
    expect(result).toMatchObject({ isError: true });
    return Object(result).structuredContent.error;
  }

  test.each([
    ['no key', '', 'INVALID_KEY', /^No agent key\./],
    ['a key of another kind', 'svc_toolkit_abc', 'WRONG_KEY_KIND', /needs an agent key/],
    ['what is no key', 'sk-secret', 'INVALID_KEY', /begins with svc_agent_/],
  ])('%s: tools are listed; each call and the log name the error and its fix', async (_what, key, code, message) => {
    const mcp = await startInitializedMcp({ ...environment(await startStage()), SVC_AGENT_API_KEY: key });
    expect(await mcp.request('tools/list')).toMatchObject({
      result: { tools: [{ name: 'search_services' }, { name: 'invoke_service' }] },
    });
    const error = await searchError(mcp);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error).toMatchObject({ message: expect.stringMatching(/SVC_AGENT_API_KEY in the "env" of this server/) });
    expect(mcp.stderr()).toContain(`svc-tools-mcp: ${code}: `);
    expect(mcp.stderr()).not.toContain('sk-secret');
  });

  test('a revoked key is reported in the same way', async () => {
    const stage = await startStage();
    await stage.revokeKey();
    const mcp = await startInitializedMcp(environment(stage));
    const error = await searchError(mcp);
    expect(error).toMatchObject({ code: 'KEY_REVOKED', message: expect.stringMatching(/SVC_AGENT_API_KEY in the "env"/) });
    await vi.waitFor(() => expect(mcp.stderr()).toContain('svc-tools-mcp: KEY_REVOKED: '));
  });

  test('static tools that fail to load become one tool with the reason', async () => {
    const stage = await startStage();
    const listed = async (env: Record<string, string>) => {
      const mcp = await startInitializedMcp({ ...environment(stage), SVC_STATIC_TOOLKITS: 'weather', ...env });
      const { result } = await mcp.request('tools/list');
      return (result as { tools: { name: string; description: string }[] }).tools.map(({ name, description }) => `${name}: ${description}`);
    };
    expect((await listed({})).at(-1)).toMatch(/^weather__today: /);
    expect((await listed({ SVC_BASE_URL: 'http://127.0.0.1:9' })).at(-1)).toMatch(/^missing_tools: .*SERVICE_UNREACHABLE.*SVC_BASE_URL/);
    expect((await listed({ SVC_AGENT_API_KEY: '' })).at(-1)).toMatch(/^missing_tools: .*INVALID_KEY.*SVC_AGENT_API_KEY in the "env"/);
    expect((await listed({ SVC_STATIC_TOOLKITS: 'wether', SVC_DYNAMIC_TOOLS: 'Off' })).join()).toMatch(/^missing_tools: .*"wether"/);
  });

  test.each([
    [{ SVC_DYNAMIC_TOOLS: 'perhaps' }, [], 'SVC_DYNAMIC_TOOLS is "perhaps": write true or false'],
    [{ SVC_MAX_PAYMENT: '5 USD' }, [], 'SVC_MAX_PAYMENT must be a decimal text'],
    [{ SVC_BASE_URL: 'localhost:8787' }, [], '(or SVC_BASE_URL) is not an http(s) URL'],
    [{}, ['--api-key=svc_agent_secret'], 'svc-tools-mcp takes no arguments'],
    [{ SVC_DYNAMIC_TOOLS: 'no', SVC_STATIC_ACTIONS: ' , ' }, [], 'leaves no tools'],
  ])('%j and arguments %j: the only listed tool and every call contain the error', async (env, args, message) => {
    const mcp = await startInitializedMcp({ ...environment(await startStage()), ...env }, args);
    const { result } = await mcp.request('tools/list');
    expect(result).toEqual({ tools: [expect.objectContaining({ name: 'missing_tools', description: expect.stringContaining(message) })] });
    expect(await searchError(mcp)).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(message) });
    await vi.waitFor(() => expect(mcp.stderr()).toContain(message));
    expect(mcp.stderr()).not.toContain('svc_agent_secret');
  });
});

test('SVC_MAX_PAYMENT limits each call', async () => {
  const { connection, bought } = await (await startStage()).shop();
  const buy = invoke('shop__buy', { thing: 'hat' });
  const frugal = await startInitializedMcp({ ...environment({ connection } as Stage), SVC_MAX_PAYMENT: '0.04' });
  const refused = { isError: true, structuredContent: { error: { code: 'PAYMENT_REQUIRED', payment: { price: '0.05' } } } };
  expect(await frugal.request('tools/call', buy)).toMatchObject({ result: refused });
  expect(bought).toEqual([]);
  const unlimited = await startInitializedMcp({ ...environment({ connection } as Stage), SVC_MAX_PAYMENT: '' });
  const paid = { structuredContent: { bought: 'hat' }, _meta: { 'svc-sdk/payment': { charged: '0.03' } } };
  expect(await unlimited.request('tools/call', buy)).toMatchObject({ result: paid });
});

describe('the end', () => {
  async function startHanging(): Promise<{ mcp: McpProcess; aborted: Promise<void>; stage: Stage }> {
    const stage = await startStage();
    const mcp = await startInitializedMcp(environment(stage));
    mcp.send({ id: 'hanging', method: 'tools/call', params: invoke('probe__hang') });
    return { mcp, stage, ...(await stage.hanging()) };
  }

  test.each<[string, (mcp: McpProcess) => void, number]>([
    ['leaves', (mcp) => mcp.leave(), 0],
    ['is killed', (mcp) => mcp.vanish(), 0],
    ['asks it to stop', (mcp) => mcp.kill('SIGTERM'), 0],
    ['kills it', (mcp) => mcp.kill('SIGKILL'), -9],
  ])('when the client %s in mid-call, the process ends and the handler is cancelled, both within a second', async (_what, end, exit) => {
    const { mcp, aborted, stage } = await startHanging();
    const endedAt = performance.now();
    end(mcp);
    const [{ code }] = await Promise.all([mcp.ended, aborted]);
    expect(performance.now() - endedAt).toBeLessThan(1_000);
    expect(code).toBe(exit < 0 ? null : exit);
    await vi.waitFor(() => expect(stage.records()).toContainEqual({ action: 'probe__hang', code: 'INVOCATION_CANCELLED' }));
  });

  test('a client that only stops to read ends it at the next answer', async () => {
    const mcp = await startInitializedMcp(environment(await startStage()));
    mcp.deafen();
    mcp.send({ id: 'unheard', method: 'tools/list' });
    expect(await mcp.ended).toEqual({ code: 0, signal: null });
  });

  test('a cancelled request aborts the handler, and the process continues', async () => {
    const { mcp, aborted } = await startHanging();
    mcp.send({ method: 'notifications/cancelled', params: { requestId: 'hanging', reason: 'enough' } });
    await aborted;
    expect(await mcp.request('ping')).toMatchObject({ result: {} });
    expect(mcp.received.map(({ id }) => id)).not.toContain('hanging');
  });
});

describe('bad input', () => {
  test('garbage on stdin is ignored and logged, and the process continues', async () => {
    const mcp = startMcp(environment(await startStage()));
    const garbage = [
      'hello',
      '{"a":',
      '',
      '\u0000\uffff',
      '{"jsonrpc":"1.0"}',
      '[]',
      '"text"',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    ];
    for (const line of garbage) mcp.send(`${line}\n`);
    await mcp.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } });
    for (const line of garbage) mcp.send(`${line}\n`);
    expect(await mcp.request('ping')).toMatchObject({ result: {} });
    expect(mcp.received).toHaveLength(2);
    expect(new Set(mcp.stderr().trim().split('\n'))).toEqual(
      new Set(['svc-tools-mcp: A line on stdin is not a message of MCP and was ignored']),
    );
  });

  test('1 MB of arguments arrives', async () => {
    const mcp = await startInitializedMcp(environment(await startStage()));
    const answer = await mcp.request('tools/call', invoke('probe__measure', { text: 'x'.repeat(1_000_000) }));
    expect(answer).toMatchObject({ result: { structuredContent: { characters: 1_000_000 } } });
  });

  test('two requests under one id are both answered, each with its own result', async () => {
    const mcp = await startInitializedMcp(environment(await startStage()));
    for (const city of ['Rome', 'Oslo']) mcp.send({ id: 7, method: 'tools/call', params: invoke('weather__today', { city }) });
    await vi.waitFor(() => expect(mcp.received.filter(({ id }) => id === 7)).toHaveLength(2));
    const cities = mcp.received.filter(({ id }) => id === 7).map(({ result }) => Object(result).structuredContent.city);
    expect(cities.sort()).toEqual(['Oslo', 'Rome']);
  });

  test.each([[undefined], [null], [''], [[]], [7]])(
    'arguments %j: the model gets the correction, and the process continues',
    async (wrong) => {
      const mcp = await startInitializedMcp(environment(await startStage()));
      const { result } = await mcp.request('tools/call', { name: 'search_services', arguments: wrong });
      expect(result).toMatchObject({ isError: true, structuredContent: { error: { message: expect.stringContaining('"query"') } } });
      expect(await mcp.request('ping')).toMatchObject({ result: {} });
    },
  );
});

test('each configuration in docs/mcp.md starts it, with variables that it has', () => {
  const configurations = codeBlocks('docs/mcp.md').filter(({ language, under }) => language === 'json' && under !== 'Over HTTP');
  const commands = configurations.map(({ text }) => {
    const { mcpServers, servers = mcpServers } = JSON.parse(text);
    for (const name of Object.keys(servers.svc.env)) expect(HELP).toContain(`  ${name}  `);
    return [servers.svc.command, ...servers.svc.args].join(' ');
  });
  const inNode = 'npx -y -p svc-sdk svc-tools-mcp';
  // python/tests/mcp/test_mcp_uvx.py runs the one in Python.
  expect(commands).toEqual([inNode, inNode, inNode, 'uvx --from svc-sdk svc-tools-mcp']);
});

test('the example finds an action and uses it', async () => {
  const program = new URL('../../examples/mcp/client.ts', import.meta.url).pathname;
  const run = async (stage: Stage, ...args: string[]) =>
    startProcess(process.execPath, [program, ...args], { env: environment(stage) }).ended;
  const stage = await startStage();
  expect(await run(stage, "today's weather in a city", '{"city": "Rome"}')).toEqual({
    code: 0,
    stdout: 'search_services, invoke_service\nweather__today: {"city":"Rome","celsius":21}\n',
    stderr: '',
  });
  await stage.revokeKey();
  expect(await run(stage)).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_REVOKED') });
});

describe('by hand', () => {
  test('--version and --help are answered on stdout', async () => {
    const run = (option: string) => startProcess(MCP_RUNTIME, [MCP_PROGRAM, option]).ended;
    expect(await run('--version')).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const name of ['API_KEY', 'BASE_URL', 'DYNAMIC_TOOLS', 'STATIC_TOOLKITS', 'STATIC_ACTIONS']) expect(stdout).toContain(name);
  });
});

test('a result with any line ends in its JSON is one line', async () => {
  const service = await startService();
  const raw = await RawToolkit.connect(service);
  await raw.register([{ action: 'ask', actionDescription: 'Answers a question' }]);
  const { key } = await service.keys.create({ kind: 'agent', name: 'agent' });
  const mcp = await startInitializedMcp({ SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: key });
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(looseJson, async ({ value, json }) => {
      const called = mcp.request('tools/call', invoke('raw__ask'));
      const { id } = await raw.invoked(calls++);
      raw.send(`{"jsonrpc":"2.0","id":"${id}","result":${json}}`);
      const read = readableJson(value, JSON.stringify(value));
      const text = typeof read === 'string' ? read : JSON.stringify(read);
      expect(await called).toMatchObject({ result: { content: [{ type: 'text', text }] } });
    }),
    { numRuns: 15 },
  );
});
