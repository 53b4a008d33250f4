/** Commands in the process of the test, against a real service. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { Tools } from 'svc-sdk';
import { openKeys } from 'svc-service';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runCli } from '#sdk/cli/run-cli';
import { version } from '../../../package.json';
import { cliOf } from '../../../test/support/cli-of';
import { runInProcess, startInProcess } from '../../../test/support/command-in-process';
import { makeFolder } from '../../../test/support/folder';
import { runToolkit, startService } from '../../../test/support/service';
import { openSqliteStore } from '../../src/store/sqlite/open';

beforeEach(() => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR']) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

function folder(): string {
  const { path, remove } = makeFolder();
  onTestFinished(remove);
  return path;
}

/** A service with two toolkits, and its keys in the environment. */
async function startMarket() {
  const service = await startService({ console: true });
  await service.toolkit('weather', (toolkit) => {
    toolkit.action({ action: 'today', actionDescription: 'The weather of today\nin a city' }, () => 'sunny');
    toolkit.action({ action: 'storm', actionDescription: 'Fails' }, () => Promise.reject(new Error('no')));
  });
  const dates = await service.toolkit('dates', (toolkit) => toolkit.action({ action: 'now', actionDescription: 'The time' }, () => 1));
  const create = async (kind: 'agent' | 'admin') => (await service.keys.create({ kind, name: `my ${kind}` })).key;
  const agentKey = await create('agent');
  vi.stubEnv('SVC_BASE_URL', service.url);
  vi.stubEnv('SVC_AGENT_API_KEY', agentKey);
  vi.stubEnv('SVC_ADMIN_API_KEY', await create('admin'));
  return { service, dates, tools: new Tools({ baseUrl: service.url, apiKey: agentKey }) };
}

test.each([[['-v']], [['--version']], [['version']]])('%j prints the version', async (args) => {
  expect(await runInProcess(args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('version --json names Node too', async () => {
  expect(JSON.parse((await runInProcess(['version', '--json'])).stdout)).toEqual({ version, node: process.versions.node });
});

describe('lists', () => {
  test('toolkits list: by id, a page at a time or all', async () => {
    await startMarket();
    const { stdout } = await runInProcess(['toolkits', 'list']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'name', 'actions', 'processes'],
      ['dates', 'dates', '1', '1'],
      ['weather', 'weather', '2', '1'],
      [''],
    ]);
    const first = await runInProcess(['toolkits', 'list', '--limit', '1']);
    const [, cursor = ''] = /add --cursor (\S+), or --all/.exec(first.stderr) ?? [];
    const second = JSON.parse((await runInProcess(['toolkits', 'list', '--limit', '1', '--cursor', cursor, '--json'])).stdout);
    expect(second).toEqual({ toolkits: [expect.objectContaining({ id: 'weather', actions: 2, online: true })] });
    expect(JSON.parse((await runInProcess(['toolkits', 'list', '--limit', '1', '--all', '--json'])).stdout).toolkits).toHaveLength(2);
  });

  test('actions list: of a toolkit, with schemas in the JSON', async () => {
    await startMarket();
    const { stdout } = await runInProcess(['actions', 'list', '--toolkit', 'weather']);
    expect(stdout).toMatch(/^id +online +description\nweather__storm +yes +Fails\nweather__today +yes +The weather of today\n$/);
    const { actions } = JSON.parse((await runInProcess(['actions', 'list', '--json'])).stdout);
    expect(actions).toContainEqual(expect.objectContaining({ action: 'dates__now', payloadSchema: expect.any(Object) }));
    expect(await runInProcess(['actions', 'list', '--toolkit', 'wether'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^TOOLKIT_NOT_FOUND: .*; this key reaches dates, weather\. [\s\S]*Did you mean weather\?/),
    });
  });

  test('without an agent key they explain how to create one', async () => {
    expect(await runInProcess(['actions', 'list'])).toMatchObject({ code: 1, stderr: expect.stringContaining('keys create --kind agent') });
  });
});

describe('logs', () => {
  test('shows calls oldest first, filtered', async () => {
    const { tools } = await startMarket();
    await tools.invoke('weather__today');
    await tools.invoke('weather__storm').catch(() => {});
    const lines = await vi.waitFor(async () => {
      const { stdout } = await runInProcess(['logs']);
      expect(stdout.match(/weather__/g)).toHaveLength(2);
      return stdout;
    }, 10_000);
    expect(lines).toMatch(
      /^\S+Z {2}weather__today {2}OK {2}\d+ ms {2}my agent\n\S+Z {2}weather__storm {2}ACTION_FAILED {2}\d+ ms {2}my agent\n$/,
    );
    const { stdout } = await runInProcess(['logs', '--outcome', 'error', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ action: 'weather__storm', code: 'ACTION_FAILED' });
  });

  test('--follow prints calls as they end, each once, until it is stopped', async () => {
    const { tools } = await startMarket();
    await tools.invoke('weather__today');
    await vi.waitFor(async () => expect((await runInProcess(['logs'])).stdout).toContain('weather__today'));
    const logs = startInProcess(['logs', '--follow', '--json']);
    await logs.printed(/weather__today/);
    await tools.invoke('weather__storm').catch(() => {});
    await tools.invoke('dates__now');
    await logs.printed(/dates__now/);
    const { code, stdout, stderr } = await logs.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const actions = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).action);
    expect(actions).toEqual(['weather__today', 'weather__storm', 'dates__now']);
  });

  test('needs an admin key, and reports when the service stops', async () => {
    expect(await runInProcess(['logs', '--json'])).toMatchObject({ code: 1, stderr: expect.stringContaining('"INVALID_KEY"') });
    const { service, dates } = await startMarket();
    const logs = startInProcess(['logs', '--follow']);
    await vi.waitFor(async () => {
      await (await service.tools()).invoke('dates__now');
      await logs.printed(/dates__now/);
    });
    await dates.stop();
    await service.close();
    expect(await logs.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^SERVICE_UNREACHABLE: /) });
  });
});

describe('budgets of keys', () => {
  const keys = (...args: string[]) => runInProcess(['keys', ...args]);
  const listed = async (...where: string[]) => (await keys('list', ...where)).stdout;

  test('are set, shown, changed and taken away in a data directory, and each change is in the audit', async () => {
    const data = join(folder(), 'data');
    const at = ['--data', data];
    const created = await keys('create', '--kind', 'agent', '--name', 'buyer', '--budget-per-call', '0.10', '--budget-per-day', '5', ...at);
    expect(created.code).toBe(0);
    const [id = ''] = /key_\w+/.exec(created.stderr) ?? [];
    expect(await listed(...at)).toMatch(/ all actions, 0\.1 a call and 5 a day +valid /);

    const changed = await keys('budget', id, '--per-call', '0.00015', '--per-day', '10.50', ...at);
    expect(changed).toEqual({ code: 0, stdout: `${id} may spend 0.00015 a call and 10.5 a day\n`, stderr: '' });
    expect(JSON.parse((await keys('list', '--json', ...at)).stdout)).toMatchObject([
      { id, budget: { perCall: '0.00015', perDay: '10.5' } },
    ]);
    expect(await keys('budget', id, '--none', ...at)).toEqual({ code: 0, stdout: `${id} may spend nothing\n`, stderr: '' });
    expect(JSON.parse((await keys('budget', id, '--none', '--json', ...at)).stdout)).not.toHaveProperty('budget');
    expect(await listed(...at)).toMatch(/ all actions +valid /);

    const store = await openSqliteStore({ path: join(data, 'svc.sqlite') });
    const entries = await store.audit.list({ limit: 10 });
    await store.close();
    const actor = { kind: 'command', name: 'command line' };
    expect(entries.toReversed()).toMatchObject([
      { actor, what: 'key.create', subject: id, details: { budget: { perCall: '0.1', perDay: '5' } } },
      { actor, what: 'key.change', subject: id, details: { from: { budget: { perCall: '0.1' } }, to: { budget: { perCall: '0.00015' } } } },
      { actor, what: 'key.change', subject: id, details: { from: { budget: { perDay: '10.5' } }, to: { kind: 'agent', name: 'buyer' } } },
      { actor, what: 'key.change', subject: id },
    ]);
  });

  test('are changed on a running service, which takes only its own kinds of keys', async () => {
    const { service } = await startMarket();
    const at = ['--url', service.url];
    const created = await keys(
      'create',
      '--kind',
      'agent',
      '--name',
      'x',
      '--budget-per-call',
      '1',
      '--budget-per-day',
      '5',
      '--json',
      ...at,
    );
    const { id } = JSON.parse(created.stdout);
    expect((await keys('budget', id, '--per-call', '2', '--per-day', '2', ...at)).stdout).toBe(`${id} may spend 2 a call and 2 a day\n`);
    expect((await service.keys.list()).find((key) => key.id === id)?.budget).toEqual({ perCall: '2', perDay: '2' });
    const toolkit = (await service.keys.list()).find(({ kind }) => kind === 'toolkit')?.id ?? '';
    expect((await keys('budget', toolkit, '--none', ...at)).stderr).toContain('budget, rules and code are for agent keys');
    expect((await keys('budget', 'key_none', '--none', ...at)).stderr).toMatch(/^NOT_FOUND: There is no key key_none/);
  });

  test.each([
    [['create', '--kind', 'agent', '--name', 'x', '--budget-per-call', '1'], /needs both --budget-per-call and --budget-per-day/],
    [['create', '--kind', 'agent', '--name', 'x', '--budget-per-day', '1'], /needs both --budget-per-call and --budget-per-day/],
    [['budget', 'key_x'], /Give --per-call and --per-day, or --none/],
    [['budget', 'key_x', '--per-day', '1'], /needs both --per-call and --per-day/],
    [['budget', 'key_x', '--none', '--per-day', '1'], /Give --per-call and --per-day, or --none/],
  ])('%j is refused before anything is opened', async (args, said) => {
    const data = join(folder(), 'data');
    const { code, stdout, stderr } = await keys(...args, '--data', data);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(said);
    expect(existsSync(data)).toBe(false);
  });
});

describe('dev', () => {
  test('prints the budget that it sets on its agent key; for an older key without one, the command for it', async () => {
    const data = join(folder(), '.svc');
    const dev = async (...args: string[]) => {
      const running = startInProcess(['dev', '--port', '0', '--data', data, ...args]);
      const [printed] = await running.printed(/[\s\S]*(may spend|--per-call|"ready").*\n/);
      await running.stop();
      return printed;
    };
    expect(await dev()).toContain('The agent key may spend 1 a call and 100 a day on actions with a price.\n');
    expect(JSON.parse(await dev('--json'))).toMatchObject({ budget: { perCall: '1', perDay: '100' } });
    const { agent } = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'));
    await runInProcess(['keys', 'budget', agent.id, '--none', '--data', join(data, 'data')]);
    const printed = await dev();
    const [, command = ''] = /^npx svc-service (keys budget .*)$/m.exec(printed) ?? [];
    expect(await runInProcess(command.split(' '))).toMatchObject({ code: 0, stdout: `${agent.id} may spend 1 a call and 100 a day\n` });
  });

  test('keeps its keys between starts, for their owner alone and out of commits', async () => {
    const data = join(folder(), '.svc');
    const keysOf = async () => {
      const dev = startInProcess(['dev', '--port', '0', '--data', data, '--json']);
      await dev.printed(/"ready".*\n/);
      const { stdout } = await dev.stop();
      return JSON.parse(stdout.split('\n')[0] ?? '');
    };
    const first = await keysOf();
    expect(first.agentKey).toMatch(/^svc_agent_/);
    expect(await keysOf()).toMatchObject({ agentKey: first.agentKey, toolkitKey: first.toolkitKey });
    expect(statSync(join(data, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, '.gitignore'), 'utf8')).toBe('*\n');
  });

  /** Runs in a separate folder, with the toolkit of its key. */
  async function startDev() {
    const cwd = folder();
    const dev = startInProcess(['dev', '--port', '0', '--data', join(cwd, '.svc'), '--json']);
    const [line] = await dev.printed(/.*"ready".*/);
    const { url, toolkitKey, agentKey } = JSON.parse(line);
    await runToolkit(url, toolkitKey, (toolkit) => {
      toolkit.action({ action: 'today', actionDescription: 'Weather of today' }, () => 'sunny');
    });
    return { cwd, dev, url, toolkitKey, agentKey };
  }

  test('its toolkit key is the one of the README, and .svc/env has the printed variables, readable by its owner only', async () => {
    const { cwd, url, toolkitKey, agentKey } = await startDev();
    const file = join(cwd, '.svc/env');
    expect(readFileSync(file, 'utf8')).toBe(
      `export SVC_BASE_URL=${url}\nexport SVC_TOOLKIT_API_KEY=${toolkitKey}\nexport SVC_AGENT_API_KEY=${agentKey}\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const sourced = `. ${file} && env | grep -c '^SVC_[A-Z_]*='`;
    expect(execFileSync('sh', ['-c', sourced], { env: { PATH: process.env.PATH }, encoding: 'utf8' })).toBe('3\n');
    expect(await new Tools({ baseUrl: url, apiKey: agentKey }).invoke('weather__today')).toMatchObject({ result: 'sunny' });
  });

  test('commands in its folder need no variables, and a variable takes precedence', async () => {
    const { cwd, url, agentKey } = await startDev();
    const run = (args: string[], env: Record<string, string> = {}) => runInProcess(args, { cwd, env });
    expect(JSON.parse((await run(['search', 'weather', 'of', 'today'])).stdout)).toMatchObject({ actions: [{ action: 'weather__today' }] });
    expect(JSON.parse((await run(['invoke', 'weather__today'])).stdout)).toMatchObject({ result: 'sunny' });
    expect((await run(['toolkits', 'list'])).stdout).toMatch(/^weather {2}weather/m);
    expect((await run(['explain', 'weather__today', 'weather'])).stdout).toMatch(/^weather__today is found/);
    await vi.waitFor(async () => expect((await run(['logs'])).stdout).toMatch(/ weather__today {2}OK {2}\d+ ms {2}dev$/m));
    expect((await run(['logs', '--url', url])).stdout).toContain('weather__today');
    expect((await run(['keys', 'list', '--url', url])).stdout).toMatch(/ toolkit +weather +weather /);

    // The keys of the folder go to no other service.
    for (const args of [['logs'], ['search', 'x']])
      expect((await run(args, { SVC_BASE_URL: 'http://127.0.0.1:9' })).stderr).toMatch(/^INVALID_KEY: /);
    const other = { SVC_AGENT_API_KEY: agentKey, SVC_BASE_URL: 'http://127.0.0.1:9' };
    expect((await run(['toolkits', 'list'], other)).stderr).toMatch(/^SERVICE_UNREACHABLE: No service answers at http:\/\/127\.0\.0\.1:9/);
  });

  test('a folder of a former version keeps its toolkit, and the snippets name it', async () => {
    const data = join(folder(), '.svc');
    const keys = await openKeys(join(data, 'data'));
    const toolkit = await keys.create({ kind: 'toolkit', name: 'hello' });
    const agent = await keys.create({ kind: 'agent', name: 'dev' });
    await keys.close();
    writeFileSync(join(data, 'keys.json'), JSON.stringify({ toolkit, agent }), { mode: 0o644 });
    const dev = startInProcess(['dev', '--port', '0', '--data', data]);
    await dev.printed(/^npx svc-sdk invoke hello__today /m);
    const [, key] = await dev.printed(/^export SVC_TOOLKIT_API_KEY=(\w+)$/m);
    expect(key).toBe(toolkit.key);
    expect(statSync(join(data, 'keys.json')).mode & 0o777).toBe(0o600);
  });

  test('prints a line when a toolkit connects, when a call ends and when the toolkit disconnects', async () => {
    const dev = startInProcess(['dev', '--port', '0', '--data', 'temporary']);
    const [, url = ''] = await dev.printed(/listens on (\S+)\nNothing is kept/);
    const [, toolkitKey = ''] = await dev.printed(/^export SVC_TOOLKIT_API_KEY=(\w+)$/m);
    const [, apiKey = ''] = await dev.printed(/^export SVC_AGENT_API_KEY=(\w+)$/m);
    const toolkit = await runToolkit(url, toolkitKey, (weather) => {
      weather.action({ action: 'today', actionDescription: 'Weather' }, () => 'sunny');
      weather.action({ action: 'fail', actionDescription: 'Fails' }, () => Promise.reject(new Error('no')));
    });
    await dev.printed(/^\d\d:\d\d:\d\d {2}toolkit weather connected$/m);
    const tools = new Tools({ baseUrl: url, apiKey });
    await tools.invoke('weather__today');
    await tools.invoke('weather__fail').catch(() => {});
    await dev.printed(/^\d\d:\d\d:\d\d {2}weather__today {2}OK {2}[\d.]+ ms$/m);
    await dev.printed(/^\d\d:\d\d:\d\d {2}weather__fail {2}ACTION_FAILED {2}[\d.]+ ms$/m);
    await toolkit.stop();
    await dev.printed(/^\d\d:\d\d:\d\d {2}toolkit weather disconnected$/m);
    expect((await dev.stop()).code).toBe(0);
  });
});

describe('completions', () => {
  const bash = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await runInProcess(['completions', 'bash']);
    const program = `${stdout}\nCOMP_WORDS=(svc-service "$@"); COMP_CWORD=$#; _svc_service; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' })
      .trim()
      .split('\n');
  };

  test('a real bash completes commands, options and their values', async () => {
    expect(await bash('ke')).toEqual(['keys']);
    expect(await bash('keys', '')).toEqual(expect.arrayContaining(['create', 'list', 'budget', 'rotate', 'revoke']));
    expect(await bash('keys', 'create', '--ki')).toEqual(['--kind']);
    expect(await bash('keys', 'create', '--kind', '')).toEqual(['agent', 'toolkit', 'admin']);
    expect(await bash('evidence', 'export', '--d')).toEqual(['--data', '--database']);
    expect(await bash('completions', 'f')).toEqual(['fish']);
  });

  test('zsh and fish get every command too', async () => {
    const { stdout: zsh } = await runInProcess(['completions', 'zsh']);
    expect(zsh).toMatch(/^#compdef svc-service\n/);
    expect(zsh).toContain("(' keys create --kind') compadd -- agent toolkit admin");
    const { stdout: fish } = await runInProcess(['completions', 'fish']);
    expect(fish).toContain("complete -c svc-service -n __fish_use_subcommand -a serve -d 'Run the service'");
    expect(fish).toMatch(/seen_subcommand_from keys; and __fish_seen_subcommand_from create' -l kind -x -a 'agent toolkit admin'/);
  });
});

describe('output', () => {
  test('has colours with FORCE_COLOR, and none in a pipe or with NO_COLOR', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
    const colored = /\u001b\[/;
    expect((await runInProcess(['keys', 'list', '--data', 'none'])).stderr).not.toMatch(colored);
    vi.stubEnv('FORCE_COLOR', '1');
    expect((await runInProcess(['keys', 'list', '--data', 'none'])).stderr).toMatch(colored);
    expect((await runInProcess(['keys', 'list', '--data', 'none', '--json'])).stderr).not.toMatch(colored);
    vi.stubEnv('FORCE_COLOR', undefined);
    vi.stubEnv('NO_COLOR', '1');
    expect((await runInProcess(['keys', 'list', '--data', 'none'])).stderr).not.toMatch(colored);
  });

  test('a closed reader ends the command without output', async () => {
    await startMarket();
    let stderr = '';
    const broken = () =>
      new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })) });
    const err = new Writable({
      write(chunk, _encoding, done) {
        stderr += chunk;
        done();
      },
    });
    const run = (...args: string[]) => runCli(cliOf(args), args, { stdin: Readable.from([]), stdout: broken(), stderr: err });
    expect(await run('actions', 'list')).toBe(0);
    const { service } = await startMarket();
    await (await service.tools()).invoke('dates__now');
    expect(await run('logs', '--follow')).toBe(0);
    expect(await run('dev', '--port', '0', '--data', 'temporary')).toBe(0);
    expect(stderr).toBe('');
  });
});
