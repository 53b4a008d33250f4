/** The command, `svc-sdk` or `svc-service`, of a command line. */

import { SERVICE_CLI } from '../../service/cli/commands';
import { SDK_CLI } from '../../src/cli/commands';
import type { Cli } from '../../src/cli/run-cli';
import { isServiceCommand } from '../../src/cli/service-command';

const SDK_COMMANDS = ['init', 'search', 'invoke', 'explain', 'toolkits', 'actions'];

export function isSdkCommand(args: readonly string[]): boolean {
  return SDK_COMMANDS.includes(args[0] ?? '') && !isServiceCommand(args);
}

export function cliOf(args: readonly string[]): Cli {
  return isSdkCommand(args) ? SDK_CLI : SERVICE_CLI;
}
