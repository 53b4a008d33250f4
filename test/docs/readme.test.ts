/**
 * The README, followed line by line in an empty project: its commands in a shell, its programs as files. The pages for the next steps too: calls without a
 * model, tests, the command.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import servicePackageJson from '../../service/package.json' with { type: 'json' };
import { answer, invoke, lastResult, play, type Script, search } from '../../service/scripted-model/script.ts';
import { startScriptedModel } from '../../service/scripted-model/server.ts';
import { makeFolder } from '../support/folder';
import { codeBlocks, readPage } from '../support/markdown';
import { type Ended, type RunningProcess, startProcess } from '../support/processes';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const blocks = ['README.md', 'docs/tools.md', 'docs/testing.md', 'docs/cli.md'].flatMap(codeBlocks);
const linesUnder = (heading: string) =>
  blocks.filter(({ under, language }) => under === heading && language === 'sh').flatMap(({ text }) => text.split(/(?<!\\)\n/));
const [install, demo = '', dev = ''] = linesUnder('Start');

const WEATHER = /weather in (?<city>[A-Z]\w+)/;
const weatherScript: Script = {
  about: WEATHER,
  steps: [
    search('weather in a city'),
    invoke(/weather/i, ({ question }) => [[/city/i, WEATHER.exec(question)?.groups?.city]]),
    answer((conversation) => {
      const { city, celsius, sky } = lastResult<{ city: string; celsius: number; sky: string }>(conversation);
      return `${city}: ${celsius} degrees, ${sky}`;
    }),
  ],
};

/** Node 22 prints a warning that its SQLite is experimental. */
const QUIET_SQLITE = ['--disable-warning=ExperimentalWarning'];

const project = makeFolder();
const environment: Record<string, string> = { npm_config_offline: 'true', NO_COLOR: '1' };
const running: RunningProcess[] = [];

function start(program: string, ...args: string[]): RunningProcess {
  const process = startProcess(program, args, { cwd: project.path, env: environment });
  running.push(process);
  return process;
}

const shell = (line: string): Promise<Ended> => start('sh', '-ec', line).ended;
const withoutComment = (line: string) => line.replace(/ +#.*/, '');

beforeAll(async () => {
  writeFileSync(join(project.path, 'package.json'), '{ "private": true }');
  mkdirSync(join(project.path, 'node_modules/.bin'), { recursive: true });
  for (const [name, path, { bin }] of [
    ['svc-sdk', '.', packageJson],
    ['svc-service', 'service', servicePackageJson],
  ] as const) {
    symlinkSync(root(path), join(project.path, 'node_modules', name));
    symlinkSync(`../${name}/${new Map(Object.entries(bin)).get(name)}`, join(project.path, 'node_modules/.bin', name));
  }
  symlinkSync(root('node_modules/openai'), join(project.path, 'node_modules/openai'));
  for (const { file, text } of blocks) if (file) writeFileSync(join(project.path, file), text);

  expect(install?.split('#')[0]?.trim()).toBe(`npm install ${packageJson.name}`);
  // Port 8787 may be taken on the machine of the tests.
  await start('sh', '-c', `exec ${withoutComment(dev)} --port 0`).printed(/svc-sdk listens on http/);
  // `source` of other shells.
  const { stdout } = await shell('. .svc/env; env');
  for (const [, name = '', value = ''] of stdout.matchAll(/^(SVC_\w+)=(.+)$/gm)) environment[name] = value;
  start(process.execPath, 'weather.mjs');
  await vi.waitFor(
    async () => expect(await toolkits()).toMatchObject([{ id: 'weather', name: 'Weather', online: true, actions: 1 }]),
    10_000,
  );
});

afterAll(async () => {
  for (const process of running) process.kill('SIGTERM');
  await Promise.all(running.map(({ ended }) => ended));
  project.remove();
});

async function toolkits(): Promise<unknown> {
  const headers = { authorization: `Bearer ${environment.SVC_AGENT_API_KEY}` };
  return (await (await fetch(`${environment.SVC_BASE_URL}/v1/toolkits`, { headers })).json()).toolkits;
}

/** The output of a program, which must end with exit code 0 and an empty stderr. */
async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await start(process.execPath, ...QUIET_SQLITE, ...args).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('its programs', () => {
  const [installOpenAI, ask = ''] = linesUnder('One agent loop');

  test.each([
    [ask, /^Rome: 21 degrees, clear\n$/],
    [
      ask.replace('Rome', 'Atlantis'),
      /^I cannot answer that: invoke_service failed with ACTION_FAILED: .*Atlantis has no weather station\n$/,
    ],
  ])('%s', async (line, expected) => {
    const model = await startScriptedModel({ speak: (conversation) => play([weatherScript], conversation) });
    onTestFinished(model.close);
    Object.assign(environment, { OPENAI_BASE_URL: model.baseURL, OPENAI_API_KEY: 'any' });
    const { stdout, stderr } = await shell(line);
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(expected), stderr: '' });
  });

  test('the loop needs the package of OpenAI', () => expect(installOpenAI).toBe('npm install openai'));

  test('without-a-model.mjs prints the weather', async () => {
    expect(await run('without-a-model.mjs')).toBe("{ city: 'Rome', celsius: 21, sky: 'clear' }\n");
  });

  test('in-a-test.mjs greets and exits', async () => {
    expect(await run('in-a-test.mjs')).toBe('Hello, Ada!\n');
  });

  test('the same program started again is a replica', async () => {
    const replica = start(process.execPath, 'weather.mjs');
    await vi.waitFor(async () => expect(await toolkits()).toMatchObject([{ id: 'weather', replicas: 2 }]));
    replica.kill('SIGTERM');
    await vi.waitFor(async () => expect(await toolkits()).toMatchObject([{ id: 'weather', replicas: 1 }]));
  });

  test('each block of JavaScript is one of these files', () => {
    const files = blocks.filter(({ language }) => language === 'js').map(({ file }) => file);
    // `agent-examples.test.ts` runs the agent.
    expect(files).toEqual(['weather.mjs', 'ask.mjs', 'agent.mjs', 'without-a-model.mjs', 'in-a-test.mjs']);
  });
});

describe('from a terminal', () => {
  const [search = '', invoke = '', explain = '', actions = '', logs = '', list = '', evidence = '', curl = '', ...others] =
    linesUnder('From a terminal');
  const [, searchOfReadme = ''] = /`(npx svc-sdk search [^`]+)`/.exec(readPage('README.md')) ?? [];

  test.each([search, searchOfReadme])('%s', async (line) => {
    const { code, stdout } = await shell(line);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ actions: [{ action: 'weather__today' }] });
  });

  test.each([invoke, curl])('%s', async (line) => {
    const { code, stdout } = await shell(line.replace('http://127.0.0.1:8787', '$SVC_BASE_URL'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ result: { city: 'Rome', celsius: 21, sky: 'clear' } });
  });

  test('explain prints the reason', async () => {
    expect((await shell(explain)).stdout).toMatch(/^weather__today is found\. It is number 1: /);
  });

  test('actions list shows what the key reaches', async () => {
    expect((await shell(actions)).stdout).toMatch(/^weather__today /m);
  });

  test('logs --follow shows a call', async () => {
    await shell(invoke);
    await start('sh', '-c', `exec ${withoutComment(logs)}`).printed(/weather__today/);
  });

  test('evidence show counts the evidence', async () => {
    expect(JSON.parse((await shell(evidence)).stdout)).toMatchObject({ records: expect.any(Number), keys: expect.any(Number) });
  });

  test('keys list shows both keys and no secret', async () => {
    const { stdout } = await shell(list);
    expect(stdout).toMatch(/^key_\S+ +toolkit +weather/m);
    expect(stdout).toMatch(/^key_\S+ +agent +/m);
    expect(stdout).not.toContain('svc_');
  });

  test('that is all of it', () => expect(others).toEqual([]));
});

test('svc-service demo answers its question', async () => {
  for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY']) delete environment[name];
  expect(await shell(demo)).toMatchObject({ code: 0, stdout: expect.stringContaining('Rome') });
});
