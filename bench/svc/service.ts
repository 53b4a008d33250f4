/** The built service as a process of its own, with its data in a file; and its keys, made by the command that operators use. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { type ActionsPage, PATHS } from '../../src/protocol/http.ts';
import { type RunningProcess, startNode } from '../common/processes.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PATIENCE_MS = 10_000;
const POLL_MS = 10;

export function startService(dataFolder: string): RunningProcess {
  if (!existsSync(CLI)) throw new Error(`${CLI} is missing: run "npm run build" first`);
  // Something must follow the digits, so that half a line does not give half a port.
  return startNode([CLI, 'serve', '--port', '0', '--data', dataFolder], { ready: /http:\/\/127\.0\.0\.1:\d+(?=\D)/ });
}

export async function createKey(kind: 'agent' | 'toolkit', dataFolder: string): Promise<string> {
  const args = [CLI, 'keys', 'create', '--kind', kind, '--name', 'bench', '--data', dataFolder, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout).key;
}

/** The id of the action with this name, once a process serves it. */
export async function waitForAction(origin: string, agentKey: string, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${agentKey}` };
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const answer = await request(`${origin}${PATHS.actions}`, { headers });
    if (answer.statusCode !== 200) throw new Error(`GET ${PATHS.actions} gave ${answer.statusCode}: ${await answer.body.text()}`);
    const { actions } = (await answer.body.json()) as ActionsPage;
    const action = actions.find((candidate) => candidate.online && candidate.action.endsWith(`__${name}`));
    if (action) return action.action;
    await sleep(POLL_MS);
  }
  throw new Error(`No process serves the action ${name} after ${PATIENCE_MS} ms`);
}
