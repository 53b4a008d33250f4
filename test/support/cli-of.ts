/** The program, `svc-sdk` or `svc-service`, of a command line. */
import { SERVICE_CLI } from '../../service/cli/commands';
import { packageOf } from '../../src/cli/command-package';
import { SDK_CLI } from '../../src/cli/commands';
import type { Cli } from '../../src/cli/run-cli';

export function cliOf(args: readonly string[]): Cli {
  return packageOf(args) === 'svc-sdk' ? SDK_CLI : SERVICE_CLI;
}
