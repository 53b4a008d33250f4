/** `svc-sdk`, as it is built. */
import { fileURLToPath } from 'node:url';
import { type Ended, type ProcessOptions, type RunningProcess, startProcess } from '../../../test/support/processes';

const program = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

export function startCommand(args: string[], options?: ProcessOptions): RunningProcess {
  return startProcess(process.execPath, [program, ...args], options);
}

export function runCommand(args: string[], options?: ProcessOptions): Promise<Ended> {
  return startCommand(args, options).ended;
}
