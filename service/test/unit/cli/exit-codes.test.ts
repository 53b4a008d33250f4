import { expect, test } from 'vitest';
import { runInProcess } from '../../../../test/support/command-in-process';
import { makeFolder } from '../../../../test/support/folder';

test.each([
  [['serve', '--port', 'http'], /Not a whole number/],
  [['serve', 'now'], /too many arguments/],
  [['keys', 'create', '--name', 'me'], /required option '--kind <kind>' not specified/],
  [['fly'], /unknown command 'fly'/],
  [['serve', '--fast'], /unknown option '--fast'/],
  [['invoke', 'weather__today', '{'], /INVALID_REQUEST: The payload is not JSON/],
  [['keys', 'list', '--data', 'a', '--database', 'postgres://host/svc'], /give --data or --database \(SVC_DATABASE_URL\), not both/],
  [['serve', '--port', '0', '--no-console', '--public-url', 'https://tools.example.com'], /leave --no-console out/],
  [['lint'], /Name the program that serves your toolkit/],
])('%j is a wrong command line: exit code 2, with the reason on stderr', async (args, said) => {
  const { code, stdout, stderr } = await runInProcess(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(said);
  expect(stderr).not.toMatch(/^ +at /m);
});

test('a command that fails ends with 1', async () => {
  const { path, remove } = makeFolder();
  const { code, stderr } = await runInProcess(['keys', 'list', '--data', `${path}/none`]);
  remove();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^[A-Z_]+: /);
});

test('help and version end with 0, on stdout', async () => {
  expect(await runInProcess(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  const help = await runInProcess(['keys', '--help']);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('svc-service keys [options] [command]'), stderr: '' });
});

test.each([
  [['fly', '--json'], { code: 'INVALID_REQUEST', message: expect.stringContaining("unknown command 'fly'") }],
  [['serve', '--fast', '--json'], { code: 'INVALID_REQUEST', message: expect.stringContaining("unknown option '--fast'") }],
  [['invoke', 'weather__today', '{', '--json'], { code: 'INVALID_REQUEST', message: expect.stringContaining('is not JSON') }],
  [['search', 'rain', '--json'], { code: 'INVALID_KEY', message: expect.stringContaining('SVC_AGENT_API_KEY') }],
])('%j: with --json the error is one JSON object on stderr', async (args, error) => {
  const { stdout, stderr } = await runInProcess(args);
  expect(stdout).toBe('');
  expect(JSON.parse(stderr)).toEqual({ error: expect.objectContaining(error) });
});
