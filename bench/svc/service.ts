/** The built service as a separate process; and its keys, made by the command that operators use. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { request } from 'undici';
import { type ActionsPage, type KeyKind, PATHS } from '../../src/protocol/http.ts';
import { pollUntil } from '../common/poll-until.ts';
import { type RunningProcess, startNode } from '../common/processes.ts';
import { builtFile } from './built-file.ts';

/** Location of the service's data, as options of the command: `--data DIR` or `--database URL`. */
export type Storage = readonly string[];

export function onDisk(folder: string): Storage {
  return ['--data', folder];
}

export function inPostgres(url: string): Storage {
  return ['--database', url];
}

/** Starts a service on a free port. `ready` matches its origin. */
export function startService(
  storage: Storage,
  { options = [], env, logFile }: { options?: readonly string[]; env?: Record<string, string>; logFile?: string } = {},
): RunningProcess {
  const args = [builtFile('service/dist/cli.js'), 'serve', '--port', '0', ...storage, ...options];
  // Something must follow the digits, so that half a line does not give half a port.
  return startNode(args, { ready: /http:\/\/127\.0\.0\.1:\d+(?=\D)/, env, logFile });
}

export async function createKey(kind: KeyKind, storage: Storage, options: readonly string[] = []): Promise<string> {
  const args = [builtFile('service/dist/cli.js'), 'keys', 'create', '--kind', kind, '--name', 'bench', ...options, ...storage, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout).key;
}

/** The id of the action with this name, once a process serves it. */
export function waitForAction(origin: string, agentKey: string, name: string): Promise<string> {
  return pollUntil(`a process that serves the action ${name}`, async () => {
    const answer = await request(`${origin}${PATHS.actions}`, { headers: { authorization: `Bearer ${agentKey}` } });
    if (answer.statusCode !== 200) throw new Error(`GET ${PATHS.actions} gave ${answer.statusCode}: ${await answer.body.text()}`);
    const { actions } = (await answer.body.json()) as ActionsPage;
    return actions.find(({ action, online }) => online && action.endsWith(`__${name}`))?.action;
  });
}
