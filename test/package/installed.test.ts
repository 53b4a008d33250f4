import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import packageJson from '../../package.json' with { type: 'json' };
import { FRAMEWORKS } from '../../scripts/frameworks.ts';
import { type InstalledPackage, installPackage } from './installed-package';

/** Adapters that import nothing of their framework. */
const STRUCTURAL = ['agent-tool', 'openai', 'google', 'llamaindex'];

let project: InstalledPackage;
beforeAll(async () => {
  project = await installPackage();
});
afterAll(() => project?.remove());

test('an install brings two packages and less than 21 MB', async () => {
  expect(await project.packages()).toEqual(['svc-sdk', 'ws']);
  expect(await project.bytes()).toBeLessThan(21_000_000);
});

test('the tarball holds what is built, what is to be read or replayed, and no sources', () => {
  const folders = new Set(project.packed.map((path) => path.replace(/\/.*/, '/')));
  expect([...folders].filter((name) => name !== 'CHANGELOG.md').sort()).toEqual([
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'deploy/',
    'dist/',
    'docs/',
    'examples/',
    'package.json',
    'python/',
    'rust/',
    'test/',
  ]);
});

describe('the files that an import of the root entry loads', () => {
  const entry = (file: string) => pathToFileURL(join(project.folder, 'node_modules/svc-sdk/dist', file)).href;

  test('as ES module: that file, what it shares with the parts to be loaded later, and nothing else', async () => {
    const [root, shared, ...others] = JSON.parse(await project.run('node', 'loaded-files.mjs', 'svc-sdk'));
    expect([root, shared]).toEqual([entry('index.js'), expect.stringContaining(entry('chunk-'))]);
    expect(others).toEqual([]);
  });

  test('as CommonJS: that file and nothing else', async () => {
    const loaded = await project.run('node', '-p', "require('svc-sdk'); JSON.stringify(Object.keys(require.cache))");
    expect(JSON.parse(loaded).map((path: string) => pathToFileURL(path).href)).toEqual([entry('index.cjs')]);
  });
});

describe.each(['svc-sdk', 'svc-service', 'svc-sdk/agent-tool'])('%s', (name) => {
  test('offers the same by import and by require', async () => {
    const imported = await project.run('node', '--input-type=module', '-e', `console.log(Object.keys(await import('${name}')).sort())`);
    const required = await project.run('node', '-e', `console.log(Object.keys(require('${name}')).sort())`);
    expect(imported).toBe(required);
    expect(imported).toMatch(/SvcError|agentTools/);
  });
});

test('an error has its own name in what Node prints, and no line of bundled code is long', async () => {
  const program = "new (require('svc-sdk').Toolkit)({ apiKey: 'typo' })";
  const { stderr } = await project.run('node', '-e', program).catch((failure) => failure);
  expect(stderr).toMatch(/^SvcError: The key is mistyped/m);
  expect(Math.max(...stderr.split('\n').map((line: string) => line.length))).toBeLessThan(1_000);
});

test.each(['import', 'require'])('the main job is done by %s', async (how) => {
  expect(JSON.parse(await project.run('node', 'main-job.cjs', how))).toEqual({ result: 'Hello, Ada!', refused: 'INVALID_PAYLOAD' });
});

test.each(Object.keys(packageJson.bin))('npx %s prints its version and its help', async (name) => {
  expect(await project.run('npx', '--offline', name, '--version')).toBe(`${packageJson.version}\n`);
  const help = await project.run('npx', '--offline', name, '--help');
  const told = name === 'svc-tools-mcp' ? ['SVC_AGENT_API_KEY', 'SVC_STATIC_ACTIONS'] : ['serve', 'dev', 'keys', 'search', 'invoke'];
  for (const word of told) expect(help).toMatch(new RegExp(`^ +${word}\\b`, 'm'));
});

describe('an adapter without its framework', () => {
  const importing = (entry: string) =>
    `import('svc-sdk/${entry}').then(() => console.log('loaded'), (error) => console.log(error.code, error.message))`;

  test.each(FRAMEWORKS.filter(({ entry }) => !STRUCTURAL.includes(entry)))(
    'svc-sdk/$entry: the error names $package',
    async (framework) => {
      const printed = await project.run('node', '--input-type=module', '-e', importing(framework.entry));
      expect(printed).toMatch(/^ERR_MODULE_NOT_FOUND /);
      expect(printed).toContain(`'${framework.package}'`);
    },
  );

  test.each(STRUCTURAL)('svc-sdk/%s loads: it needs only the shapes', async (entry) => {
    expect(await project.run('node', '--input-type=module', '-e', importing(entry))).toBe('loaded\n');
  });
});

test('the command serves, logs as JSON on stderr, and ends well when it is stopped', async () => {
  const command = join(project.folder, 'node_modules/.bin/svc-sdk');
  const key = await project.run(command, 'keys', 'create', '--kind', 'toolkit', '--name', 'garbled', '--data', 'data');
  const service = spawn(command, ['serve', '--port', '0', '--data', 'data', '--log-level', 'info'], { cwd: project.folder });
  onTestFinished(() => void service.kill('SIGKILL'));
  const ended = once(service, 'exit');
  const [listens] = await once(createInterface(service.stdout), 'line');

  const url = listens.match(/http\S+/)[0].replace('http', 'ws');
  const socket = new WebSocket(`${url}/v1/toolkit`, { headers: { authorization: `Bearer ${key.trim()}` } });
  socket.on('open', () => socket.send(Buffer.from([0xff]), { binary: false }));
  socket.on('error', () => {});
  for await (const line of createInterface(service.stderr)) {
    const logged = JSON.parse(line);
    if (logged.msg === 'service started') continue;
    expect(logged).toMatchObject({ level: 30, msg: 'toolkit socket failed', error: expect.stringContaining('UTF-8') });
    break;
  }

  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('its types compile in a strict project, as ES module and as CommonJS, without the types of anything else', async () => {
  for (const extension of ['mts', 'cts']) await copyFile(join(project.folder, 'typed.ts'), join(project.folder, `typed.${extension}`));
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.mts', 'typed.cts'] }));
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const errors = await project.run('node', tsc, '-p', '.').then(
    () => '',
    (failure) => failure.stdout,
  );
  expect(errors).toBe('');
});
