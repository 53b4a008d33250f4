/** Modules of `python/`, with the SDK and the programs of its tests, in separate processes. */
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningProcess, type StartOptions, startProcess } from './processes.ts';

const FOLDER = fileURLToPath(new URL('../../python/', import.meta.url));

/** The environment in which Python finds them. */
export const PYTHON_ENVIRONMENT = { PYTHONPATH: [join(FOLDER, 'src'), FOLDER].join(delimiter) };

/** Starts `python -m <module> <args>`. */
export function startPython(
  program: string,
  [module, ...args]: [module: string, ...args: string[]],
  options: StartOptions,
): RunningProcess {
  return startProcess(program, ['-m', module, ...args], { ...options, env: { ...options.env, ...PYTHON_ENVIRONMENT } });
}
