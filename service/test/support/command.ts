/** `svc-service`, and for its commands `svc-sdk`, as they are built. */
import { fileURLToPath } from 'node:url';
import { packageOf } from '#sdk/cli/command-package';
import { type Ended, type ProcessOptions, type RunningProcess, startProcess } from '../../../test/support/processes';

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const SDK = program('../../../dist/cli.js');
const SERVICE = program('../../dist/cli.js');

/** The file of the program that has the command. */
export function programOf(args: readonly string[]): string {
  return packageOf(args) === 'svc-sdk' ? SDK : SERVICE;
}

export function startCommand(args: string[], options?: ProcessOptions): RunningProcess {
  return startProcess(process.execPath, [programOf(args), ...args], options);
}

export function runCommand(args: string[], options?: ProcessOptions): Promise<Ended> {
  return startCommand(args, options).ended;
}
