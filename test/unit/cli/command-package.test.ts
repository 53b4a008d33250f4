import { Command } from 'commander';
import { expect, test } from 'vitest';
import { SERVICE_CLI } from '../../../service/cli/commands';
import { packageOf } from '../../../src/cli/command-package';
import { SDK_CLI } from '../../../src/cli/commands';
import type { Cli } from '../../../src/cli/run-cli';
import { Terminal } from '../../../src/cli/terminal';
import { runInProcess } from '../../support/command-in-process';

/** Commands that both programs have. */
const OF_BOTH = ['completions', 'toolkits', 'version'];

function namesOf({ commands }: Cli): string[] {
  return Object.entries(commands).map(([name, add]) => {
    const program = new Command();
    add(program, new Terminal(process, false));
    expect(program.commands.map((command) => command.name())).toEqual([name]);
    return name;
  });
}

test.each([SDK_CLI, SERVICE_CLI])('$name has its commands, and shares no other than those of both', (cli) => {
  const own = namesOf(cli).filter((name) => packageOf([name]) !== undefined);
  expect(new Set(own.map((name) => packageOf([name])))).toEqual(new Set([cli.name]));
  expect(
    namesOf(cli)
      .filter((name) => !own.includes(name))
      .sort(),
  ).toEqual(OF_BOTH);
});

test.each([
  ['toolkits list', 'svc-sdk'],
  ['toolkits check', 'svc-service'],
  ['toolkits', undefined],
  ['help serve', 'svc-service'],
  ['--json keys list', 'svc-service'],
  ['--help', undefined],
  ['', undefined],
  ['serv', undefined],
])('%s is of %s', (line, expected) => {
  expect(packageOf(line.split(' '))).toBe(expected);
});

test.each([
  [SDK_CLI, ['keys', 'create', 'svc_agent_secret'], '"keys" is a command of the package svc-service; run: npx svc-service keys'],
  [SDK_CLI, ['toolkits', 'check'], '"toolkits check" is a command of the package svc-service; run: npx svc-service toolkits check'],
  [SERVICE_CLI, ['search', 'weather'], '"search" is a command of the package svc-sdk; run: npx svc-sdk search'],
])('$name names the package of a command that it does not have, and repeats no argument', async (cli, args, message) => {
  expect(await runInProcess(args, { cli })).toEqual({ code: 2, stdout: '', stderr: `INVALID_REQUEST: ${message}\n` });
  const inJson = await runInProcess([...args, '--json'], { cli });
  expect(JSON.parse(inJson.stderr)).toEqual({ error: expect.objectContaining({ code: 'INVALID_REQUEST', message }) });
});
