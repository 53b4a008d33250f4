/** `svc-service connections` against a running service. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runInProcess } from '../../../test/support/command-in-process';
import { makeFolder } from '../../../test/support/folder';
import { RawToolkit } from '../../../test/support/raw-toolkit';
import { startService } from '../../../test/support/service';
import { addKeptRow } from '../support/sealed-rows';

beforeEach(() => {
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'SVC_BASE_URL', 'SVC_ADMIN_API_KEY']) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

const OAUTH = {
  type: 'oauth2',
  from: 'everyone',
  authorizationUrl: 'https://provider.example/authorize',
  tokenUrl: 'https://provider.example/token',
};

/** A service without its console, with a toolkit that asks for an account, and an admin key in the environment. */
async function stage(auth: object = OAUTH) {
  const folder = makeFolder();
  onTestFinished(folder.remove);
  const service = await startService({ data: folder.path });
  const { key } = await service.keys.create({ kind: 'toolkit', name: 'github' });
  const toolkit = await RawToolkit.connect(service, key);
  await toolkit.register([{ action: 'star', actionDescription: 'Stars a repository' }], { toolkit: { auth } });
  const agent = await service.keys.create({ kind: 'agent', name: 'shop-bot' });
  vi.stubEnv('SVC_BASE_URL', service.url);
  vi.stubEnv('SVC_ADMIN_API_KEY', (await service.keys.create({ kind: 'admin', name: 'admin' })).key);
  return {
    service,
    agent,
    toolkit,
    add: (owner: string, account = '') => addKeptRow(folder.path, { toolkitId: 'github', owner, account }),
  };
}

const connections = (...args: string[]) => runInProcess(['connections', ...args]);
const json = async (...args: string[]) => JSON.parse((await connections(...args, '--json')).stdout);

test('list: newest first, of a toolkit, a page at a time', async () => {
  const { agent, add } = await stage();
  expect(await connections('list')).toEqual({ code: 0, stdout: '', stderr: 'No account is connected\n' });
  const [first, second] = [await add('everyone', 'shop@example.com'), await add(`user:${agent.id}:u_81`)];
  const rows = (await connections('list')).stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ['id', 'toolkit', 'for', 'account', 'state', 'used'],
    [second, 'github', 'u_81 of shop-bot', 'default', 'live', 'never'],
    [first, 'github', 'everyone', 'shop@example.com', 'live', 'never'],
  ]);
  expect(await json('list', '--limit', '1')).toMatchObject({ connections: [{ id: second }], nextCursor: second });
  expect(await json('list', '--toolkit', 'other')).toEqual({ connections: [] });
});

test('connect: a link for everyone, or for an agent key where the toolkit asks for one of each', async () => {
  const { service, agent } = await stage();
  const { code, stdout, stderr } = await connections('connect', 'github', '--name', 'work');
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Open it in a browser.* once, until \S+Z\.\n$/) });
  expect(stdout).toMatch(new RegExp(`^${service.url}/connections/connect/\\S+\n$`));
  expect(await connections('connect', 'github', '--key', agent.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('owner "everyone"'),
  });
});

describe('client', () => {
  const SECRET = 'canary-client-secret';

  test('the secret comes from stdin, and no answer has it', async () => {
    await stage();
    expect((await connections('client', 'github')).stdout).toMatch(
      /^No client is set\. Callback URL for the provider: \S+\/connections\/callback\/github\n$/,
    );
    const set = await runInProcess(['connections', 'client', 'github', '--id', 'Iv1.8a61'], { input: `${SECRET}\n` });
    expect(set).toEqual({ code: 0, stdout: expect.stringMatching(/^Client Iv1\.8a61, with a secret\. /), stderr: '' });
    expect(await json('client', 'github')).toMatchObject({ clientId: 'Iv1.8a61', hasSecret: true });
    expect(JSON.stringify(await json('client', 'github'))).not.toContain('canary');
    expect((await connections('client', 'github', '--id', 'public', '--no-secret')).stdout).toMatch(/^Client public, without a secret\. /);
    expect(await connections('client', 'github', '--remove')).toMatchObject({ code: 0, stdout: 'The client of github is removed\n' });
    expect(await json('client', 'github')).toMatchObject({ hasSecret: false });
  });

  test('a secret goes to no endpoints that its owner has not seen', async () => {
    const { toolkit } = await stage();
    const set = () => runInProcess(['connections', 'client', 'github', '--id', 'Iv1.8a61'], { input: `${SECRET}\n` });
    await set();
    const auth = { ...OAUTH, tokenUrl: 'https://evil.example/token' };
    expect(await toolkit.request('update', { auth })).toMatchObject({ result: {} });
    const shown = expect.stringContaining('https://evil.example/token');
    expect(await connections('client', 'github')).toMatchObject({ code: 0, stderr: shown });
    expect(await set()).toMatchObject({ code: 2, stdout: '', stderr: shown });
    await connections('client', 'github', '--remove');
    expect(await set()).toMatchObject({ code: 0 });
  });

  test.each([
    [['--id', 'x'], { isTerminal: true }, /A terminal would show the secret/],
    [['--id', 'x'], { input: ' \n' }, /Standard input is empty/],
    [['--no-secret'], {}, /add --id/],
    [['--id', 'x', '--no-secret', '--auth-method', 'post'], {}, /not both/],
    [['--id', 'x', '--remove'], {}, /cannot be used with option '--id/],
    [['--id', ''], {}, /It is empty/],
    [['--id', 'x', '--auth-method', 'digest'], {}, /Allowed choices are basic, post/],
  ])('%j is a wrong command line', async (args, options, said) => {
    vi.stubEnv('SVC_ADMIN_API_KEY', 'svc_admin_x');
    const { code, stdout, stderr } = await runInProcess(['connections', 'client', 'github', ...args], options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(said);
  });
});

test('revoke says what the provider did, and reseal how many it sealed again', async () => {
  const { add } = await stage();
  const [ended, kept] = [await add('everyone'), await add('agent:key_1')];
  expect((await connections('revoke', ended)).stdout).toBe(`${ended} is deleted; its provider has nothing to revoke\n`);
  expect(await connections('revoke', ended)).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_FOUND') });
  expect(await json('reseal')).toEqual({ resealed: 0, unreadable: 1 });
  expect((await json('list')).connections).toMatchObject([{ id: kept }]);
});

test('an unknown toolkit, one without an account, and a missing admin key are refused', async () => {
  const { service } = await stage();
  await service.toolkit('plain', (toolkit) => toolkit.action({ action: 'now', actionDescription: 'The time' }, () => 1));
  expect(await connections('connect', 'githb')).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean github?') });
  expect(await connections('connect', 'plain')).toMatchObject({ code: 1, stderr: expect.stringContaining('asks for no account') });
  expect(await connections('client', 'plain')).toMatchObject({ code: 1, stderr: expect.stringContaining('asks for no account') });
  vi.stubEnv('SVC_ADMIN_API_KEY', undefined);
  expect(await connections('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('SVC_ADMIN_API_KEY is not set') });
});
