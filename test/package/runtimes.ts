/** Runtimes and frameworks from their npm packages. Each is installed once into the user's cache folder, shared by all checkouts. */
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../support/processes';

/** `run` precedes the path of a program; the first word is a command in `node_modules/.bin`. */
export const RUNTIMES = [
  { name: 'Node 22', package: 'node@22.13.1', run: ['node'] },
  { name: 'Node 24', package: 'node@24.21.0', run: ['node'] },
  { name: 'Node 26', package: 'node@26.10.0', run: ['node'] },
  { name: 'Bun', package: 'bun@1.4.5', run: ['bun'] },
  { name: 'Deno', package: 'deno@2.9.6', run: ['deno', 'run', '--allow-all'] },
] as const;

export const TOO_OLD_NODE = 'node@20.20.2';
export const WORKERD = 'miniflare@4.20260730.0';
export const JEST = 'jest@30.5.2';
export const NEXT = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'] as const;

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'svc-sdk-tests');
/** The question of npm 12 before it runs an install script. */
const ALLOW_SCRIPTS = { node: true, bun: true, deno: true, workerd: true, sharp: true, 'unrs-resolver': true };

/** @returns the folder that has the packages in its node_modules */
export async function installFromRegistry(...packages: string[]): Promise<string> {
  const folder = join(CACHE, packages.join('+'));
  if (await exists(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
  await writeFile(join(unfinished, 'package.json'), JSON.stringify({ private: true, allowScripts: ALLOW_SCRIPTS }));
  const { code, stderr } = await startProcess('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: unfinished }).ended;
  if (code !== 0) throw new Error(`npm install ${packages.join(' ')} failed:\n${stderr}`);
  await rename(unfinished, folder).catch(async (error) => {
    await rm(unfinished, { recursive: true });
    // Another run was faster.
    if (!(await exists(folder))) throw error;
  });
  return folder;
}

export const inBin = (folder: string, command: string) => join(folder, 'node_modules/.bin', command);

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
