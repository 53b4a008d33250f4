import { Command } from 'commander';
import { expect, test } from 'vitest';
import { SERVICE_CLI } from '../../../service/cli/commands';
import { SDK_CLI } from '../../../src/cli/commands';
import type { Cli } from '../../../src/cli/run-cli';
import { isServiceCommand, SERVICE_COMMANDS, serviceCommandLine } from '../../../src/cli/service-command';
import { Terminal } from '../../../src/cli/terminal';

/** Commands that both programs have. */
const OF_BOTH = ['completions', 'version'];

function namesOf({ commands }: Cli): string[] {
  const program = new Command();
  for (const add of commands) add(program, new Terminal(process, false));
  return program.commands.map((command) => command.name());
}

test('every command of svc-service is handed over, and none of svc-sdk', () => {
  const [sdk, service] = [namesOf(SDK_CLI), namesOf(SERVICE_CLI)];
  expect([...SERVICE_COMMANDS].sort()).toEqual(service.filter((name) => ![...OF_BOTH, 'toolkits'].includes(name)).sort());
  expect(sdk.filter((name) => SERVICE_COMMANDS.includes(name))).toEqual([]);
  expect(sdk.filter((name) => service.includes(name)).sort()).toEqual([...OF_BOTH, 'toolkits'].sort());
});

test('toolkits list is of svc-sdk, and what reads toolkits.yaml of svc-service', () => {
  expect(['list', 'check', 'update', 'approve'].map((word) => isServiceCommand(['toolkits', word]))).toEqual([false, true, true, true]);
  expect(isServiceCommand(['--help'])).toBe(false);
});

test('the line for a command without its package names the command, and no argument', () => {
  expect(serviceCommandLine(['keys', 'create', 'svc_agent_secret'])).toBe(
    '"keys" is a command of the package svc-service; run: npx svc-service keys',
  );
});
