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
import { type InstalledPackage, installPackages } from './installed-package';

/** Adapters that import nothing of their framework. */
const STRUCTURAL = ['agent-tool', 'openai', 'google', 'llamaindex'];

let project: InstalledPackage;
beforeAll(async () => {
  project = await installPackages('svc-sdk', 'svc-service');
});
afterAll(() => project?.remove());

test('svc-sdk alone brings two packages', async () => {
  const alone = await installPackages('svc-sdk');
  onTestFinished(() => alone.remove());
  expect(await alone.packages()).toEqual(['svc-sdk', 'ws']);
  expect(await project.packages()).toEqual(['svc-sdk', 'svc-service', 'ws']);
});

test.each([
  ['svc-sdk', 2_300_000],
  ['svc-service', 16_000_000],
] as const)('%s has less than %i bytes', async (name, most) => {
  expect(await project.bytes(name)).toBeLessThan(most);
});

test.each([
  ['svc-sdk', ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'dist/', 'package.json']],
  ['svc-service', ['LICENSE', 'README.md', 'dist/', 'docs/', 'package.json']],
] as const)('the tarball of %s holds what is built and what is to be read, and no sources', (name, expected) => {
  const folders = new Set(project.packed(name).map((path) => path.replace(/\/.*/, '/')));
  expect([...folders].sort()).toEqual(expected);
});

test('the tarball of svc-service has the pages of docs/, without pictures and decisions', () => {
  const pages = project.packed('svc-service').filter((path) => path.startsWith('docs/'));
  expect(pages).toEqual(expect.arrayContaining(['docs/README.md', 'docs/operations.md', 'docs/adapters/ai.md']));
  expect(pages.filter((path) => !path.endsWith('.md') || path.startsWith('docs/decisions/'))).toEqual([]);
});

test.each(['import', 'require'])('the error of a former entry, by %s, names the new entry', async (how) => {
  for (const [before, now] of [
    ['svc-sdk/service', 'svc-service'],
    ['svc-sdk/import', 'svc-service/import'],
  ] as const) {
    const load = how === 'import' ? `import('${before}')` : `Promise.resolve().then(() => require('${before}'))`;
    const printed = await project.run('node', '-e', `${load}.catch(({ message }) => console.log(message))`);
    expect(printed).toBe(`"${before}" is "${now}" since version 0.14: run npm install svc-service, and load "${now}" instead\n`);
  }
});

describe('the files that an import of the root entry loads', () => {
  const entry = (file: string) => pathToFileURL(join(project.folder, 'node_modules/svc-sdk/dist', file)).href;

  test('as ES module: only that file and the one it shares with lazily loaded parts', async () => {
    const [root, ...others]: string[] = JSON.parse(await project.run('node', 'loaded-files.mjs', 'svc-sdk'));
    expect(root).toBe(entry('index.js'));
    expect(others).toEqual([expect.stringContaining('/dist/index-start-')]);
  });

  test('as CommonJS: only that file', async () => {
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

test.each([
  ['svc-sdk', ['search', 'invoke', 'init']],
  ['svc', ['search', 'invoke', 'init']],
  ['svc-service', ['serve', 'dev', 'keys']],
  ['svc-tools-mcp', ['SVC_AGENT_API_KEY', 'SVC_STATIC_ACTIONS']],
] as const)('npx %s prints its version and its help', async (name, words) => {
  expect(await project.run('npx', '--offline', name, '--version')).toBe(`${packageJson.version}\n`);
  const help = await project.run('npx', '--offline', name, '--help');
  for (const word of words) expect(help).toMatch(new RegExp(`^ +${word}\\b`, 'm'));
});

describe('an adapter without its framework', () => {
  const importing = (entry: string) =>
    `import('svc-sdk/${entry}').then(() => console.log('loaded'), (error) => console.log(error.code, error.message))`;

  test.each(FRAMEWORKS.filter(({ entry, byHand }) => !STRUCTURAL.includes(entry) && !byHand))(
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

test('svc-sdk hands a command of svc-service to the installed one', async () => {
  const command = join(project.folder, 'node_modules/.bin/svc-sdk');
  expect(await project.run(command, 'keys', 'create', '--kind', 'agent', '--name', 'me', '--data', 'handed-over')).toMatch(/^svc_agent_/);
});

test('svc-sdk alone names the package of a command of svc-service in one line', async () => {
  const alone = await installPackages('svc-sdk');
  onTestFinished(() => alone.remove());
  const failed = await alone.run(join(alone.folder, 'node_modules/.bin/svc-sdk'), 'dev').catch((failure) => failure);
  expect(failed).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'INVALID_REQUEST: "dev" is a command of the package svc-service; run: npx svc-service dev\n',
  });
});

test('the command serves, logs as JSON on stderr, and ends well when it is stopped', async () => {
  const command = join(project.folder, 'node_modules/.bin/svc-service');
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
