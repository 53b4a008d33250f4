/** Where programs run: in a process of their own under Node; in threads of this process under Bun and Deno, which lack Node's permissions. */
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { PoolOptions } from './child/thread-pool';
import type { EngineFiles } from './engine';
import type { ToPrograms } from './messages';

const HERE = fileURLToPath(import.meta.url);
/** The sources and the build both have the folder beside this file. */
const FOLDER = join(dirname(HERE), 'child');
/** The process may not read package.json, so the name says that a file is an ECMAScript module. */
const EXTENSION = HERE.endsWith('.ts') ? '.ts' : '.mjs';
const MAX_THREADS = 8;

export interface ProgramPlace {
  post(message: ToPrograms): void;
  close(): Promise<void>;
}

/** `reads`: all that the process must read. */
export function filesOfPrograms(engine: EngineFiles): { main: string; folder: string; reads: string[] } {
  return { main: join(FOLDER, `main${EXTENSION}`), folder: FOLDER, reads: [FOLDER, engine.folder] };
}

/** `execArgv` holds the flags of each thread. */
export function poolOptions({ engine, wasm }: EngineFiles, execArgv: string[]): PoolOptions {
  const thread = pathToFileURL(join(FOLDER, `thread${EXTENSION}`)).href;
  return { threads: Math.min(availableParallelism(), MAX_THREADS), thread, engine, wasm, execArgv };
}
