/** `svc-service add` as its users have it: the built command, with published MCP servers and with the document of the service itself. */
import dns from 'node:dns';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runInProcess } from '../../../test/support/command-in-process';
import { makeFolder } from '../../../test/support/folder';
import { listening } from '../../../test/support/listening';
import { runningWith } from '../../../test/support/marked-processes';
import { startService } from '../../../test/support/service';
import { readLockFile, readToolkitsFile } from '../../import';
import { runCommand, startCommand } from '../support/command';
import { startForgetfulServer } from '../support/forgetful-mcp-server';

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
const FILESYSTEM = join(modules, '@modelcontextprotocol/server-filesystem/dist/index.js');
const EVERYTHING = join(modules, '@modelcontextprotocol/server-everything/dist/index.js');
const WRITTEN = ['toolkits.lock.json', 'toolkits.yaml'];

function folder(files: Record<string, string> = {}): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

function readFolder(path: string) {
  const read = (name: string) => readFileSync(join(path, name), 'utf8');
  return { entries: readToolkitsFile(read('toolkits.yaml')), pins: readLockFile(read('toolkits.lock.json')) };
}

describe('an MCP server', () => {
  test('is shown as agents would see it, and written with what was approved of it', async () => {
    const cwd = folder();
    const { code, stdout, stderr } = await runCommand(
      ['add', 'mcp', 'files', '--yes', '--exclude', 'write_*', '--', process.execPath, FILESYSTEM, '.'],
      { cwd },
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^Starting the MCP server of "files"\n("files" has been starting for \d+ s: it has said nothing on stderr\n)*$/,
      ),
    });
    expect(stdout).toMatch(
      /^files: secure-filesystem-server\n {2}13 actions, 10 read only, 2 destructive, 1 idempotent\n {4}read_file +read only +Read/,
    );
    expect(stdout).toMatch(
      /\n {4}… and 3 more\n {2}findings of the linter\n {4}warning toolkit-description \(1\): Toolkit "files" has no description\n/,
    );
    expect(stdout).toMatch(/\nWritten: toolkits\.yaml, toolkits\.lock\.json\. To serve it: npx svc-service run\n$/);

    const { entries, pins } = readFolder(cwd);
    expect(entries).toEqual({ files: { mcp: { command: process.execPath, args: [FILESYSTEM, '.'] }, exclude: ['write_*'] } });
    expect(pins.files?.actions.read_text_file).toMatchObject({ annotations: { readOnly: true } });
    expect(readdirSync(cwd).sort()).toEqual(WRITTEN);
  });

  test('with --dry-run is only shown, also with --yes, with the lines for toolkits.yaml', async () => {
    const cwd = folder();
    const { code, stdout } = await runCommand(['add', 'mcp', 'all', '--dry-run', '--yes', '--', process.execPath, EVERYTHING], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^all: .*\n {2}\d+ actions/);
    expect(stdout).toMatch(/\n {2}all:\n {4}mcp:[\s\S]*server-everything[\s\S]*\nNothing was written\n$/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('that does not start is quoted, and nothing is written', async () => {
    const cwd = folder({ 'dead.mjs': "console.error('Set TEA_KEY first'); process.exit(3);" });
    const { code, stdout, stderr } = await runCommand(['add', 'mcp', 'tea', '--yes', '--', process.execPath, 'dead.mjs'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/INVALID_REQUEST: The MCP server does not start: .*last lines on stderr:\nSet TEA_KEY first/);
    expect(readdirSync(cwd)).toEqual(['dead.mjs']);
  });

  test('that does not answer within --timeout is quoted too', async () => {
    const cwd = folder();
    const program = "console.error('npm http fetch GET 200 playwright'); process.stdin.resume();";
    const words = ['add', 'mcp', 'slow', '--yes', '--timeout', '1', '--', process.execPath, '-e', program];
    const { code, stderr } = await runInProcess(words, { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The MCP server does not start: no answer in 1 s\. Its last lines on stderr:\nnpm http fetch GET 200 playwright/,
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('by its URL gets headers from the environment, and the file has their names only', async () => {
    const server = await startForgetfulServer({ status: 404, body: '' });
    const cwd = folder();
    const { code } = await runCommand(
      ['add', 'mcp', 'web', '--yes', '--url', server.url, '--header', `Authorization: Bearer \${WEB_TOKEN}`],
      { cwd, env: { WEB_TOKEN: 'hunter2' } },
    );
    expect(code).toBe(0);
    expect(server.headers().authorization).toBe('Bearer hunter2');
    expect(readFolder(cwd).entries.web).toEqual({ mcp: { url: server.url, headers: { Authorization: `Bearer \${WEB_TOKEN}` } } });
    for (const name of WRITTEN) expect(readFileSync(join(cwd, name), 'utf8')).not.toContain('hunter2');
  });

  test('whose id is there already is refused, and --force replaces it; comments and other entries stay', async () => {
    const yaml = `# Tools of the tea shop\ntoolkits:\n  other: { mcp: { command: other } } # by hand\n  files:\n    mcp: { command: old }\n`;
    const cwd = folder({ 'toolkits.yaml': yaml });
    const words = ['files', '--yes', '--', process.execPath, FILESYSTEM, '.'];
    const refusal = await runCommand(['add', 'mcp', ...words], { cwd });
    expect(refusal).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^CONFLICT: toolkits\.yaml has "files" already: .*--force\n$/),
    });
    expect(readFileSync(join(cwd, 'toolkits.yaml'), 'utf8')).toBe(yaml);

    expect(
      await runCommand(
        ['add', '--force', ...words].toSorted(() => 0),
        { cwd },
      ),
    ).toMatchObject({ code: 2 });
    expect(await runCommand(['add', 'mcp', '--force', ...words], { cwd })).toMatchObject({ code: 0 });
    const text = readFileSync(join(cwd, 'toolkits.yaml'), 'utf8');
    expect(text).toMatch(/^# Tools of the tea shop\ntoolkits:\n {2}other: \{ mcp: \{ command: other \} \} # by hand\n/);
    expect(readFolder(cwd).entries.files).toEqual({ mcp: { command: process.execPath, args: [FILESYSTEM, '.'] } });
  });

  test('Ctrl-C while it starts writes nothing and leaves no process', async () => {
    const cwd = folder({
      'silent.mjs': "import { writeFileSync } from 'node:fs'; writeFileSync('started', ''); setInterval(() => {}, 1_000);",
    });
    const script = join(cwd, 'silent.mjs');
    const adding = startCommand(['add', 'mcp', 'silent', '--yes', '--', process.execPath, script], { cwd });
    await vi.waitFor(() => expect(existsSync(join(cwd, 'started'))).toBe(true));
    adding.kill('SIGINT');
    expect(await adding.ended).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining('nothing whole was written') });
    expect(readdirSync(cwd).sort()).toEqual(['silent.mjs', 'started']);
    await vi.waitFor(() => expect(runningWith(script)).toEqual([]));
  });
});

describe('a question at the terminal', () => {
  const words = ['add', 'mcp', 'files', '--', process.execPath, FILESYSTEM, '.'];

  test.each(['n\n', '\n', ''])('%j writes nothing', async (input) => {
    const cwd = folder();
    const { code, stdout, stderr } = await runInProcess(words, { cwd, input, isTerminal: true });
    expect({ code, asked: stderr.includes('Add files to toolkits.yaml? [y/N]') }).toEqual({ code: 1, asked: true });
    expect(stdout).toMatch(/Nothing was written\n$/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('"yes" writes it', async () => {
    const cwd = folder();
    expect(await runInProcess(words, { cwd, input: 'yes\n', isTerminal: true })).toMatchObject({ code: 0 });
    expect(readdirSync(cwd).sort()).toEqual(WRITTEN);
  });
});

describe('settings of another program', () => {
  const SETTINGS = JSON.stringify({
    mcpServers: {
      Files: { command: process.execPath, args: [FILESYSTEM, '.'] },
      all: { command: process.execPath, args: [EVERYTHING], env: { API_KEY: 'hunter2' } },
      dead: { command: 'no-such-program' },
      old: { command: 'node', disabled: true },
    },
  });

  test('all servers that start are added; the others are left out with the reason, and no secret is written', async () => {
    const cwd = folder({ 'mcp.json': SETTINGS });
    const { code, stdout, stderr } = await runCommand(['add', 'mcp', '--from', 'mcp.json', '--yes'], { cwd, env: { API_KEY: 'another' } });
    expect(code).toBe(1);
    expect(stderr).toContain('The servers of mcp.json read these variables of the environment: API_KEY\n');
    expect(stderr).toMatch(
      /\nold is left out: It is disabled\n(?:.*\n)*dead is left out: The MCP server does not start: spawn no-such-program ENOENT\n/,
    );
    expect(stdout).toMatch(/^files: [\s\S]*\nall: /);
    expect(Object.keys(readFolder(cwd).entries)).toEqual(['files', 'all']);
    expect(readFolder(cwd).entries.all).toMatchObject({ mcp: { env: { API_KEY: `\${API_KEY}` } } });
    for (const name of WRITTEN) expect(readFileSync(join(cwd, name), 'utf8')).not.toMatch(/hunter2|another/);
  });

  test('--env gives a variable to each of them that is a command, and a literal secret is refused', async () => {
    const cwd = folder({ 'mcp.json': SETTINGS });
    const words = ['add', 'mcp', 'all', '--from', 'mcp.json', '--yes'];
    const env = { API_KEY: 'another', TEA_TOKEN: 'tea' };
    const added = await runInProcess([...words, '--env', `TEA_TOKEN=\${TEA_TOKEN}`], { cwd, env });
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('these variables of the environment: API_KEY, TEA_TOKEN\n') });
    expect(readFolder(cwd).entries.all).toMatchObject({ mcp: { env: { API_KEY: `\${API_KEY}`, TEA_TOKEN: `\${TEA_TOKEN}` } } });

    const refused = await runInProcess([...words, '--force', '--env', 'TEA_TOKEN=hunter2'], { cwd, env });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/set TEA_TOKEN in the environment/) });
    expect(refused.stderr).not.toContain('hunter2');
  });

  test('only the named ones are added; --json has the preview of each', async () => {
    const cwd = folder({ 'mcp.json': SETTINGS });
    const { code, stdout, stderr } = await runCommand(['add', 'mcp', 'files', '--from', 'mcp.json', '--yes', '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      file: join(cwd, 'toolkits.yaml'),
      written: true,
      toolkits: [
        { id: 'files', toolkit: { name: 'secure-filesystem-server' }, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), missing: [] },
      ],
      leftOut: [],
    });
  });
});

describe('an OpenAPI document', () => {
  test('by its URL is kept beside toolkits.yaml, with what was chosen of it', async () => {
    const { url } = await startService();
    const address = `${url}/v1/openapi.json`;
    const cwd = folder();
    const { code, stdout } = await runCommand(
      [
        ...['add', 'openapi', 'market', address, '--yes', '--base-url', url, '--auth', `bearer \${MARKET_TOKEN}`],
        ...['--exclude-method', 'delete', '--exclude', '/v1/invoke', '--header', 'X-Client: tests'],
      ],
      { cwd },
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^market: .*\n {2}\d+ actions, \d+ read only/);
    expect(stdout).toContain(`\n  calls go to ${url} with header authorization, header X-Client\n`);
    expect(stdout).not.toMatch(/ destructive/);
    expect(stdout).toMatch(/\n {2}missing\n {4}Set MARKET_TOKEN in the environment\n/);

    const { entries, pins } = readFolder(cwd);
    expect(entries.market).toEqual({
      openapi: {
        file: './market.openapi.json',
        from: address,
        baseUrl: url,
        auth: { bearer: `\${MARKET_TOKEN}` },
        headers: { 'X-Client': 'tests' },
      },
      exclude: ['/v1/invoke', 'DELETE /**'],
    });
    expect(Object.keys(pins.market?.actions ?? {}).length).toBeGreaterThan(20);
    expect(JSON.parse(readFileSync(join(cwd, 'market.openapi.json'), 'utf8'))).toMatchObject({ openapi: '3.0.3' });
  });

  test('whose address never answers ends at Ctrl-C, and nothing is written', async () => {
    const asked = Promise.withResolvers<void>();
    const url = await listening(createServer(() => asked.resolve()));
    const cwd = folder();
    const adding = startCommand(['add', 'openapi', 'pets', url, '--yes'], { cwd });
    await asked.promise;
    adding.kill('SIGINT');
    expect(await adding.ended).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining('nothing whole was written') });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('gets its descriptions from a file, which the entry names relative to itself', async () => {
    const operations = `/pets: { get: { operationId: list, summary: Lists, responses: {} }, post: { operationId: add, summary: Adds, responses: {} } }`;
    const cwd = folder({
      'pets.yaml': `openapi: 3.0.3\ninfo: { title: Pets }\nservers: [{ url: 'https://a.example' }]\npaths: { ${operations} }\n`,
      'words.yaml': 'list: Shows the pets of the shop.\nsell: Sells a pet.\n',
    });
    mkdirSync(join(cwd, 'imports'));
    const words = ['add', 'openapi', 'pets', 'pets.yaml', '--yes', '--file', 'imports/toolkits.yaml', '--describe', 'words.yaml'];
    const { code, stdout } = await runCommand(words, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {4}list +read only +Shows the pets of the shop\.\n/);
    expect(stdout).toContain('1 × the document has no such operation: sell in ../words.yaml');
    const { entries, pins } = readFolder(join(cwd, 'imports'));
    expect(entries.pets?.describe).toBe('../words.yaml');
    expect(pins.pets?.actions.list?.actionDescription).toBe('Lists');
  });

  test('in YAML is kept as JSON; findings are one line a rule, and what was skipped has its reason', async () => {
    const paths = Array.from(
      { length: 12 },
      (_, index) =>
        `  /p${index}: { get: { operationId: get${index}, parameters: [{ name: q, in: query, schema: { type: string } }], responses: {} } }`,
    );
    const calledBack = ['a', 'b', 'c'].map(
      (name) => `  /${name}: { post: { operationId: ${name}, callbacks: { done: {} }, responses: {} } }\n`,
    );
    const yaml = `openapi: 3.0.3\ninfo: { title: Pets, version: '1' }\nservers: [{ url: 'https://a.example' }]\npaths:\n${paths.join('\n')}\n  /x: { get: { operationId: other, servers: [{ url: 'https://b.example' }], responses: {} } }\n${calledBack.join('')}`;
    const cwd = folder({ 'pets.yaml': yaml });
    const { code, stdout } = await runCommand(['add', 'openapi', 'pets', 'pets.yaml', '--yes', '--describe', 'get0=Gets a cat'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {2}4 parts of the source left out\n/);
    expect(stdout).toContain('warning undescribed-actions (1): 14 of 15 actions have no description in the source');
    expect(stdout).toContain('\n    3 × calls from the API are not received: POST /a (callbacks), POST /b (callbacks), …\n');
    expect(stdout).toMatch(/\n {4}1 × its server is https:\/\/b\.example.*: GET \/x\n/);
    expect(stdout).toMatch(/\n {4}warning vague-description \(\d+\): \w+, \w+, …\n/);
    expect(readFolder(cwd).entries.pets).toMatchObject({
      openapi: { file: './pets.openapi.json', from: 'pets.yaml', baseUrl: 'https://a.example' },
      describe: { get0: 'Gets a cat' },
    });
    expect(JSON.parse(readFileSync(join(cwd, 'pets.openapi.json'), 'utf8')).info).toEqual({ title: 'Pets', version: '1' });
  });

  test('is shown with each address that its calls go to, also with --dry-run, and the address is written', async () => {
    const servers = (path: string) => [{ url: `https://a.example${path}` }];
    const operation = { operationId: 'upload', servers: servers('/upload'), responses: {} };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      servers: servers('/v1'),
      paths: {
        '/pets': { get: { operationId: 'list', responses: {} }, post: { operationId: 'add', responses: {} } },
        '/files': { put: operation },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } } },
      security: [{ key: [] }],
    };
    const cwd = folder({ 'pets.json': JSON.stringify(document) });
    const words = ['add', 'openapi', 'pets', 'pets.json', '--auth', `apiKey \${PETS_KEY}`];
    const shown = await runInProcess([...words, '--dry-run'], { cwd });
    expect(shown.stdout).toContain(
      '\n  calls of 2 actions go to https://a.example/v1 with query api_key\n  calls of 1 action go to https://a.example/upload with query api_key\n',
    );
    expect(shown.stdout).toContain('baseUrl: https://a.example/v1');
    const { stdout } = await runInProcess([...words, '--yes', '--json'], { cwd });
    expect(JSON.parse(stdout).toolkits[0].targets).toEqual([
      { address: 'https://a.example/v1', actions: 2, sent: ['query api_key'] },
      { address: 'https://a.example/upload', actions: 1, sent: ['query api_key'] },
    ]);
    expect(readFolder(cwd).entries.pets).toMatchObject({ openapi: { baseUrl: 'https://a.example/v1' } });
  });

  test('whose host is in a private network is refused, and --base-url takes it', async () => {
    const lookup = (_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
      process.nextTick(callback, null, [{ address: '10.0.0.1', family: 4 }]);
    const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
    onTestFinished(() => spy.mockRestore());
    const document = {
      openapi: '3.1.0',
      info: { title: 'Pets' },
      servers: [{ url: 'https://a.example' }],
      paths: { '/pets': { get: {} } },
    };
    const cwd = folder({ 'pets.json': JSON.stringify(document) });
    const words = ['add', 'openapi', 'pets', 'pets.json', '--yes'];
    expect(await runInProcess(words, { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/names https:\/\/a\.example, which is in a private network: .* \(--base-url https:\/\/a\.example\)/),
    });
    expect(readdirSync(cwd)).toEqual(['pets.json']);
    expect(await runInProcess([...words, '--base-url', 'https://a.example'], { cwd })).toMatchObject({ code: 0 });
  });

  test('of more than 5,000 operations is refused with its tags to choose from', async () => {
    const operation = (index: number) => ({
      get: { operationId: `get${index}`, tags: [index % 3 === 0 ? 'cats' : 'dogs'], responses: {} },
    });
    const paths = Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`/p${index}`, operation(index)]));
    const document = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, servers: [{ url: 'https://a.example' }], paths };
    const cwd = folder({ 'pets.json': JSON.stringify(document) });
    const all = await runCommand(['add', 'openapi', 'pets', 'pets.json', '--yes'], { cwd });
    expect(all).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/5001 operations, .* include: the tags are dogs \(3334\), cats \(1667\)/),
    });
    expect(await runCommand(['add', 'openapi', 'pets', 'pets.json', '--yes', '--include', 'tag:cats'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\n  1667 actions, 1667 read only\n'),
    });
  });
});
