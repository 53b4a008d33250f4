/** The built `svc-sdk` command in separate processes; its rejected arguments and its help in this process. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tools } from 'svc-sdk';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runInProcess } from '../../../test/support/command-in-process';
import { EmbeddingsServer } from '../../../test/support/embeddings-server';
import { makeFolder } from '../../../test/support/folder';
import { readPage } from '../../../test/support/markdown';
import { type Ended, type RunningProcess, startProcess } from '../../../test/support/processes';
import { runToolkit, startService } from '../../../test/support/service';
import { runCommand, startCommand } from '../support/command';

const KEY = /svc_(?:agent|toolkit|admin)_[0-9A-Za-z]{49}/;

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

/** A service on a separate data directory, stopped when the test ends. */
async function serve(cwd = folder(), ...options: string[]): Promise<{ cwd: string; url: string; service: RunningProcess }> {
  const service = startCommand(['serve', '--port', '0', ...options], { cwd });
  onTestFinished(() => service.kill('SIGKILL'));
  const [, url = ''] = await service.printed(/listens on (\S+)/);
  return { cwd, url, service };
}

async function createKey(cwd: string, kind: string, name: string, ...options: string[]): Promise<string> {
  return (await runCommand(['keys', 'create', '--kind', kind, '--name', name, ...options], { cwd })).stdout.trim();
}

describe('serve', () => {
  test('prints its address and the command for the first keys, nothing secret, and ends with 0 when it is stopped', async () => {
    const { cwd, service } = await serve();
    const [, example = ''] = await service.printed(/npx svc-service (keys create --kind agent .*)\n/);
    const created = await runCommand(example.split(' '), { cwd });
    expect(created.stdout).toMatch(KEY);

    service.kill('SIGTERM');
    const { code, stdout, stderr } = await service.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^svc-sdk listens on http:\/\/127\.0\.0\.1:\d+ \(data: svc-data\)\n/);
    expect(stdout).not.toMatch(KEY);
    expect(stdout).toMatch(/owner's account, and get keys, here .*\n {2}http:\/\/127\.0\.0\.1:\d+\/join#inv_\w+\n/);

    const again = await serve(cwd);
    again.service.kill('SIGINT');
    const { code: codeAgain, stdout: stdoutAgain } = await again.service.ended;
    expect(codeAgain).toBe(0);
    expect(stdoutAgain.split('\n')).toEqual([
      `svc-sdk listens on ${again.url} (data: svc-data)`,
      expect.any(String),
      expect.stringContaining('/join#inv_'),
      expect.stringContaining(`MCP clients connect to ${again.url}/mcp`),
      '',
    ]);
  });

  test('a second signal ends it at once', async () => {
    const { cwd, url, service } = await serve();
    const key = await createKey(cwd, 'toolkit', 'slow');
    // The service waits a moment for this socket to close: time for the second signal.
    const { told } = await silentSocket(url, key);
    service.kill('SIGTERM');
    await told;
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(1);
  });

  test('a port in use is reported, and the command exits', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    for (const command of ['serve', 'dev']) {
      const { code, stdout, stderr } = await runCommand([command, '--port', `${port}`], { cwd: folder() });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(`INVALID_REQUEST: 127.0.0.1:${port} is taken by another program; choose another port, 0 takes any free one\n`);
    }
  });

  test.each([
    [['--limit', 'queueLenght=1'], /There is no limit "queueLenght"; there are .*queueLength/],
    [['--limit', 'queueLength=0'], /Limit queueLength must be a whole number above 0, not 0/],
    [['--limit', 'queueLength=many'], /queueLength=many' is invalid. Not a whole number/],
    [['--limit', 'queueLength'], /Write name=value/],
    [['--limit', '__proto__=1'], /There is no limit "__proto__"/],
    [['--port', '65536'], /at most 65535/],
    [['--port', 'http'], /Not a whole number/],
    [['--port', ''], /Not a whole number/],
    [['--data', ''], /'--data <dir>' argument '' is invalid. It is empty/],
    [['--database', ''], /'--database <url>' argument '' is invalid. It is empty/],
    [['--allowed-origin', ''], /'--allowed-origin <origin>' argument '' is invalid. It is empty/],
    [['--allowed-origin', '*'], /"\*" would let any page call: name each origin/],
    [['--nats', ''], /'--nats <url>' argument '' is invalid. It is empty/],
    [['--database', 'postgres://svc:p#w@host/svc'], /such as postgres:\/\/host:5432\/name, .* %23 for #/],
    [['--log-level', 'loud'], /Allowed choices are silent, error, warn, info/],
    [['--embeddings-model', 'words'], /need both --embeddings-url and --embeddings-model/],
    [['--embeddings-url', 'http://localhost/v1', '--embeddings-model', 'words', '--embeddings-dimensions', 'many'], /Not a whole number/],
    [['--embeddings-url', 'http://me:sk-secret@localhost/v1', '--embeddings-model', 'words'], /must be without credentials/],
    [['now'], /too many arguments/],
  ])('%j is refused with what to write, before anything is made', async (options, said) => {
    const cwd = folder();
    const { code, stdout, stderr } = await runInProcess(['serve', '--port', '0', ...options], { cwd });
    expect({ code, stdout }).toEqual({ code: stderr.startsWith('error:') || said.source.includes('need both') ? 2 : 1, stdout: '' });
    expect(stderr).toMatch(said);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('limits are those of the command line', async () => {
    const { cwd, url } = await serve(undefined, '--limit', 'queryChars=5', '--limit', 'queueLength=9');
    const tools = new Tools({ baseUrl: url, apiKey: await createKey(cwd, 'agent', 'me') });
    expect((await tools.search('far too long')).hint).toContain('first 5 characters');
  });

  test('search by meaning uses the server of the command line with the key of the environment, and prints neither', async () => {
    const server = await EmbeddingsServer.start();
    const flags = ['--embeddings-url', server.url, '--embeddings-model', 'words', '--embeddings-dimensions', '32', '--log-level', 'info'];
    const cwd = folder();
    const service = startCommand(['serve', '--port', '0', '--embeddings-deadline-ms', '5000', ...flags], {
      cwd,
      env: { SVC_EMBEDDINGS_API_KEY: 'sk-secret' },
    });
    onTestFinished(() => service.kill('SIGKILL'));
    const [, url = ''] = await service.printed(/listens on (\S+)/);
    await runToolkit(url, await createKey(cwd, 'toolkit', 'garage'), (toolkit) => {
      toolkit.action({ action: 'wash', actionDescription: 'Washes an automobile' }, () => 'done');
    });
    const tools = new Tools({ baseUrl: url, apiKey: await createKey(cwd, 'agent', 'me') });
    await vi.waitFor(async () => expect((await tools.search('fahrzeug')).actions).toHaveLength(1));
    expect(server.requests[0]).toMatchObject({ model: 'words', dimensions: 32, headers: { authorization: 'Bearer sk-secret' } });

    server.behaviour = (response) => response.writeHead(401).end('{"error": {"message": "wrong key sk-secret"}}');
    await tools.search('arzt');
    service.kill('SIGTERM');
    const { code, stdout, stderr } = await service.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('refuses the key');
    expect(stdout + stderr).not.toMatch(/sk-secret|arzt/);
  });

  test.each([
    ['a file', (cwd: string) => writeFileSync(join(cwd, 'data'), 'text'), /data directory data/],
    ['below a file', (cwd: string) => symlinkSync('/dev/null/x', join(cwd, 'data')), /data directory data/],
    [
      'of something else',
      (cwd: string) => {
        mkdirSync(join(cwd, 'data'));
        writeFileSync(join(cwd, 'data/svc.sqlite'), 'This is not a database, however long it may be.');
      },
      /data\/svc\.sqlite: it is not a SQLite database/,
    ],
  ])('a data directory that is %s is refused', async (_, prepare, said) => {
    const cwd = folder();
    prepare(cwd);
    const { code, stdout, stderr } = await runInProcess(['serve', '--port', '0', '--data', 'data'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(said);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('keys', () => {
  test('are made, listed, replaced and withdrawn beside a running service, which follows within a second', async () => {
    const { cwd, url } = await serve();
    const created = await runCommand(['keys', 'create', '--kind', 'agent', '--name', 'my agent'], { cwd });
    expect(created.code).toBe(0);
    expect(created.stdout).toMatch(new RegExp(`^${KEY.source}\n$`));
    expect(created.stderr).toMatch(/^key_\w+, agent key "my agent"\. It is not shown again\.\n$/);
    const [id = ''] = /key_\w+/.exec(created.stderr) ?? [];
    const toolsOf = (apiKey: string) => new Tools({ baseUrl: url, apiKey: apiKey.trim() });
    await toolsOf(created.stdout).search('anything');

    const rotated = await runCommand(['keys', 'rotate', id], { cwd });
    expect(rotated.stdout).toMatch(KEY);
    await vi.waitFor(() => expect(toolsOf(created.stdout).search('anything')).rejects.toMatchObject({ code: 'INVALID_KEY' }), 1_000);
    await toolsOf(rotated.stdout).search('anything');

    const again = await runCommand(['keys', 'rotate', id, '--overlap-hours', '24'], { cwd });
    await vi.waitFor(() => toolsOf(again.stdout).search('anything'), 1_000);
    await toolsOf(rotated.stdout).search('anything');
    expect(await runCommand(['keys', 'rotate', id, '--overlap-hours', '200'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('At most 168: for longer, make a second key.'),
    });

    const revoked = await runCommand(['keys', 'revoke', id], { cwd });
    expect(revoked).toMatchObject({ code: 0, stdout: `${id} is revoked\n`, stderr: '' });
    await vi.waitFor(() => expect(toolsOf(rotated.stdout).search('anything')).rejects.toMatchObject({ code: 'KEY_REVOKED' }), 1_000);

    const { stdout } = await runCommand(['keys', 'list'], { cwd });
    expect(stdout).toMatch(/^id +kind +name +for +state +made\n/);
    expect(stdout).toMatch(new RegExp(`^${id} +agent +my agent +all actions +revoked \\S+Z +\\S+Z\n$`, 'm'));
    expect(stdout).not.toMatch(KEY);
  });

  test('--json prints only JSON', async () => {
    const cwd = folder();
    const json = async (...args: string[]) => {
      const { stdout, stderr } = await runCommand(['keys', ...args, '--json'], { cwd });
      expect(stderr).toBe('');
      return JSON.parse(stdout);
    };
    const { id, key, ...rest } = await json(
      'create',
      '--kind',
      'agent',
      '--name',
      'bot',
      '--allow-toolkit',
      'weather',
      '--calls-per-minute',
      '60',
    );
    expect(key).toMatch(KEY);
    expect(rest).toMatchObject({ kind: 'agent', name: 'bot', allow: { toolkits: ['weather'], actions: [] }, callsPerMinute: 60 });
    expect(await json('list')).toEqual([{ id, ...rest }]);
    expect(await json('rotate', id)).toMatchObject({ id, key: expect.stringMatching(KEY) });
    expect(await json('revoke', id)).toEqual({ id, revoked: true });
  });

  test('a missing data directory is created, and reported, only for a new key', async () => {
    const cwd = folder();
    for (const args of [['list'], ['rotate', 'key_x'], ['revoke', 'key_x']]) {
      const { code, stdout, stderr } = await runCommand(['keys', ...args, '--data', 'nowhere'], { cwd });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^NOT_FOUND: There is no data of a service in .*nowhere: name the directory/);
    }
    expect(readdirSync(cwd)).toEqual([]);
    const { stderr } = await runCommand(['keys', 'create', '--kind', 'agent', '--name', 'a', '--data', 'new place'], { cwd });
    expect(stderr).toMatch(/new place is new; start the service on it with: npx svc-service serve --data "new place"\n$/);
  });

  test('a second toolkit of the same name is reported as a separate toolkit', async () => {
    const cwd = folder();
    const create = (...args: string[]) => runCommand(['keys', 'create', '--kind', 'toolkit', '--name', 'Weather', ...args], { cwd });
    expect((await create()).stderr).toContain('of toolkit "weather"');
    const second = await create();
    expect(second.stderr).toContain('of toolkit "weather-2"');
    expect(second.stderr).toContain('--toolkit weather\n');
    expect((await create('--toolkit', 'weather')).stderr).toMatch(/of toolkit "weather"\. It is not shown again\.\n$/);
  });

  test('on a running service with --url and an admin key', async () => {
    const service = await startService();
    const { key } = await service.keys.create({ kind: 'admin', name: 'boss' });
    const run = (...args: string[]) =>
      runCommand(['keys', ...args, '--url', `${service.url}/`], { cwd: folder(), env: { SVC_ADMIN_API_KEY: key } });
    const created = await run('create', '--kind', 'agent', '--name', 'far');
    expect(created.stdout).toMatch(KEY);
    const [id = ''] = /key_\w+/.exec(created.stderr) ?? [];
    expect((await run('rotate', id, '--overlap-hours', '0.5')).stdout).toMatch(KEY);
    expect(await run('revoke', id)).toMatchObject({ code: 0, stdout: `${id} is revoked\n` });
    expect((await run('list')).stdout).toMatch(new RegExp(`${id} .*revoked`));
    expect(await run('revoke', 'key_none')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^NOT_FOUND: There is no key key_none/),
    });
  });

  test('--url reports an error of the key, the address or the service', async () => {
    const service = await startService();
    const { key: agentKey } = await service.keys.create({ kind: 'agent', name: 'me' });
    const list = async (url: string, key?: string) => {
      const env: Record<string, string> = key === undefined ? {} : { SVC_ADMIN_API_KEY: key };
      const { code, stdout, stderr } = await runInProcess(['keys', 'list', '--url', url], { env });
      expect({ code, stdout }).toEqual({ code: stderr.startsWith('INVALID_REQUEST') ? 2 : 1, stdout: '' });
      return stderr;
    };
    expect(await list(service.url)).toMatch(/^INVALID_KEY: SVC_ADMIN_API_KEY is not set; make an admin key with /);
    expect(await list(service.url, agentKey)).toMatch(/^WRONG_KEY_KIND: .*needs a key of kind "admin"/);
    expect(await list(service.url, agentKey)).not.toContain(agentKey);
    expect(await list(service.url, 'typo')).toMatch(/^INVALID_KEY: /);
    expect(await list('http://127.0.0.1:9', 'any')).toMatch(/^SERVICE_UNREACHABLE: No service answers at http:\/\/127\.0\.0\.1:9/);
    expect(await list('localhost:8787', 'any')).toMatch(/^INVALID_REQUEST: --url localhost:8787 is not an http\(s\) URL/);
  });

  test.each([
    [['--kind', 'agent'], /required option '--name <name>' not specified/],
    [['--name', 'x'], /required option '--kind <kind>' not specified/],
    [['--kind', 'robot', '--name', 'x'], /Allowed choices are agent, toolkit, admin/],
    [['--kind', 'admin', '--name', 'x', '--calls-per-minute', '5'], /callsPerMinute is for agent keys/],
    [['--kind', 'admin', '--name', 'x', '--budget-per-call', '1', '--budget-per-day', '5'], /budget is for agent keys/],
    [['--kind', 'agent', '--name', 'x', '--budget-per-call', '0,10', '--budget-per-day', '5'], /budget\.perCall must be a decimal text/],
    [['--kind', 'agent', '--name', 'x', '--budget-per-call', '6', '--budget-per-day', '5'], /budget\.perCall is 6, which is more than/],
    [['--kind', 'agent', '--name', 'x', '--expires-in-days', '-1'], /Not a number above 0/],
    [['--kind', 'agent', '--name', 'x', '--allow-action', 'weather'], /must be an action id, such as/],
    [['--kind', 'agent', '--name', 'x', '--data', 'd', '--url', 'http://x'], /cannot be used with/],
  ])('create %j is refused with the reason', async (options, said) => {
    const { code, stdout, stderr } = await runInProcess(['keys', 'create', ...options], { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: stderr.startsWith('error:') ? 2 : 1, stdout: '' });
    expect(stderr).toMatch(said);
  });
});

describe('dev', () => {
  test('the printed snippet can be pasted, and works', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(fileURLToPath(new URL('../../../', import.meta.url)), join(cwd, 'node_modules/svc-sdk'));
    const dev = startCommand(['dev', '--port', '0'], { cwd });
    onTestFinished(() => dev.kill('SIGKILL'));
    const [printed] = await dev.printed(/^[\s\S]*4\. Or in an MCP client[\s\S]*\n$/);

    const [, program = ''] = /node weather\.mjs\n([\s\S]*?)\n2\./.exec(printed) ?? [];
    writeFileSync(join(cwd, 'weather.mjs'), program);
    const exports = [...printed.matchAll(/^export (\w+)=(.*)$/gm)];
    const env = Object.fromEntries(exports.map(([, name = '', value = '']) => [name, value]));
    expect(Object.keys(env)).toEqual(['SVC_BASE_URL', 'SVC_TOOLKIT_API_KEY', 'SVC_AGENT_API_KEY']);
    const weather = startProcess(process.execPath, ['weather.mjs'], { cwd, env });
    onTestFinished(() => weather.kill('SIGKILL'));

    const [search = '', invoke = '', logs = ''] = [...printed.matchAll(/^npx svc-(?:sdk|service) (.*)$/gm)].map(([, words]) => words);
    await vi.waitFor(async () => {
      const { stdout } = await runCommand(search.split(' '), { cwd, env });
      expect(JSON.parse(stdout)).toMatchObject({ actions: [{ action: 'weather__today' }] });
    });
    const [, words = '', payload = ''] = /^(.*) '(.*)'$/.exec(invoke) ?? [];
    const invoked = await runCommand([...words.split(' '), payload], { cwd, env });
    expect(JSON.parse(invoked.stdout)).toMatchObject({ result: { city: 'Rome', celsius: 21, sky: 'clear' } });
    await vi.waitFor(async () => expect((await runCommand([logs], { cwd, env })).stdout).toMatch(/ weather__today {2}OK /));

    const [, entry = ''] = /^import \{ svcTools \} from '(.*)';$/m.exec(printed) ?? [];
    const { svcTools } = await import(entry);
    const tools = svcTools({ baseUrl: env.SVC_BASE_URL, apiKey: env.SVC_AGENT_API_KEY });
    const call = { action: 'weather__today', payload: { city: 'Oslo' } };
    const outputs: unknown[] = [];
    for await (const output of tools.invoke_service.execute(call, { toolCallId: 'call_0', messages: [] })) outputs.push(output);
    expect(outputs).toEqual([expect.objectContaining({ city: 'Oslo' })]);

    const [, url = '', name = '', value = ''] = /http svc (\S+) --header "(.*): (.*)"/.exec(printed) ?? [];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const headers = { [name]: value, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);

    writeFileSync(
      join(cwd, 'weather.mjs'),
      program.replace(/await toolkit\.updateToolkit.*/, "await toolkit.updateToolkit({ description: 'Weather' });"),
    );
    const replica = startProcess(process.execPath, ['weather.mjs'], { cwd, env });
    onTestFinished(() => replica.kill('SIGKILL'));
    await dev.printed(
      /\nToolkit "weather" has 0 errors, 1 warning\n\nwarning toolkit-description\n.*\n {4}The description of toolkit "weather" only repeats/,
    );

    dev.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(cwd).sort()).toEqual(['.svc', 'node_modules', 'weather.mjs']);
  });
});

describe('search and invoke', () => {
  async function startWeather(): Promise<(args: string[], input?: string) => Promise<Ended>> {
    const service = await startService();
    const { key } = await service.keys.create({ kind: 'toolkit', name: 'weather' });
    await runToolkit(service.url, key, (toolkit) => {
      toolkit.action(
        { action: 'today', actionDescription: 'Weather of a city', payloadDescription: { city: { type: 'string', required: true } } },
        (ctx, { city }) => {
          if (city === 'Atlantis') return ctx.error('CITY_UNKNOWN', 'No station there', { data: { near: 'Lisbon' } });
          ctx.progress({ progress: 1, total: 2, message: 'asking' });
          return { city };
        },
      );
    });
    const agent = await service.keys.create({ kind: 'agent', name: 'me' });
    const env = { SVC_BASE_URL: service.url, SVC_AGENT_API_KEY: agent.key };
    return (args, input = '') => runCommand(args, { env, input });
  }

  test('the answer goes to stdout, progress to stderr', async () => {
    const run = await startWeather();
    const found = await run(['search', 'weather', 'in', 'a', 'city', '--limit', '1']);
    expect(JSON.parse(found.stdout)).toMatchObject({ actions: [{ action: 'weather__today' }] });
    for (const { code, stdout, stderr } of [
      await run(['invoke', 'weather__today', '{"city": "Rome"}']),
      await run(['invoke', 'weather__today', '-'], '{"city": "Rome"}'),
    ]) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ result: { city: 'Rome' } });
      expect(JSON.parse(stderr)).toEqual({ progress: 1, total: 2, message: 'asking' });
    }
  });

  test('errors have the correction, on stderr, with an exit code', async () => {
    const run = await startWeather();
    const fails = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(['invoke', ...args]);
      expect({ code, stdout }).toEqual({ code: stderr.startsWith('INVALID_REQUEST') ? 2 : 1, stdout: '' });
      return stderr;
    };
    expect(await fails('weather__tody')).toMatch(/^ACTION_NOT_FOUND: .*\n {2}Did you mean weather__today\?\n$/);
    expect(await fails('weather__today', '{"town": "Rome"}')).toMatch(/^INVALID_PAYLOAD: [\s\S]*\n {2}\/city: .*\n/);
    expect(await fails('weather__today', '{city: Rome}')).toMatch(/^INVALID_REQUEST: The payload is not JSON: /);
    expect(await fails('weather__today', '{"city": "Atlantis"}')).toMatch(
      /^ACTION_FAILED: .*No station there\n {2}CITY_UNKNOWN: {"near":"Lisbon"}\n$/,
    );
  });

  test('without a key, an address or a service they name the missing one', async () => {
    const search = (env: Record<string, string>) => runInProcess(['search', 'x'], { env });
    const key = (await startService().then(({ keys }) => keys.create({ kind: 'agent', name: 'me' }))).key;
    expect(await search({})).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^INVALID_KEY: No agent key\. Set SVC_AGENT_API_KEY/),
    });
    expect(await search({ SVC_AGENT_API_KEY: key, SVC_BASE_URL: 'nowhere' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/SVC_BASE_URL/),
    });
    expect(await search({ SVC_AGENT_API_KEY: key, SVC_BASE_URL: 'http://127.0.0.1:9' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SERVICE_UNREACHABLE: .*127\.0\.0\.1:9/),
    });
  });
});

describe('help', () => {
  test.each([
    [[], ['serve', 'dev', 'keys', 'lint', 'npx svc-sdk --help']],
    [['serve'], ['--port', '--host', '--data', '--limit', '--log-level', 'default: 8787', 'docs/limits.md']],
    [['dev'], ['--port']],
    [['keys'], ['create', 'list', 'budget', 'rules', 'rotate', 'revoke']],
    [
      ['keys', 'create'],
      ['--kind', '--name', '--toolkit', '--allow-toolkit', '--allow-action', '--calls-per-minute', '--expires-in-days', '--url'],
    ],
    [
      ['keys', 'list'],
      ['--data', '--url', '--json'],
    ],
    [
      ['keys', 'rotate'],
      ['<id>', 'keys list'],
    ],
    [
      ['keys', 'revoke'],
      ['<id>', 'keys list'],
    ],
    [['people'], ['invite', 'list', 'role', 'remove', 'reset-link']],
    [['search'], ['--limit', 'SVC_AGENT_API_KEY', 'For example']],
    [['invoke'], ['<action>', '[payload]', 'stdin', 'For example']],
    [['lint'], ['[program...]', '--toolkit', '--catalogue', '--golden', '--k', '--min-recall', '--strict', '--json', 'Exit code 1']],
    [['explain'], ['<action>', '<words...>', '--limit', '--json', 'SVC_TOOLKIT_API_KEY', 'For example']],
  ])('%j --help names %j', async (command, words) => {
    const { code, stdout, stderr } = await runInProcess([...command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of words) expect(stdout).toContain(word);
  });

  test('docs/service.md names every option of serve', async () => {
    const { stdout } = await runInProcess(['serve', '--help']);
    const options = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name as string);
    expect(options.length).toBeGreaterThan(3);
    for (const option of options) expect(readPage('docs/service.md')).toContain(`\`${option}`);
  });

  test('an unknown command, and none, lead to the help', async () => {
    expect(await runInProcess(['serv'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Did you mean serve?') });
    expect(await runInProcess([])).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: svc-service') });
  });
});

/** A toolkit's socket on which no frame is ever answered, not even the closing one; `told` resolves when the first frame comes. */
async function silentSocket(url: string, key: string): Promise<{ told: Promise<unknown> }> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };
  const asked = request(`${url}/v1/toolkit`, { headers: { ...upgrade, authorization: `Bearer ${key}` } }).end();
  const [, socket] = (await once(asked, 'upgrade')) as [unknown, Socket];
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  return { told: once(socket, 'data') };
}
