/** Runs programs apart from the service's memory, files and keys. Their process starts with the first one. */
import type { Logger } from '../lib/logger';
import { ThreadPool } from './child/thread-pool';
import { CodeRunner, type OpenPlace } from './code-runner';
import { locateEngine } from './engine';
import type { Program, ProgramEnd, ProgramHost, ProgramLimits } from './program';
import { poolOptions } from './program-place';
import { ProgramProcess } from './program-process';

export type {
  Program,
  ProgramAnswer,
  ProgramCall,
  ProgramEnd,
  ProgramError,
  ProgramErrorCode,
  ProgramHost,
  ProgramLimits,
} from './program';
export { DEFAULT_PROGRAM_LIMITS } from './program';

export interface Sandbox {
  /** Never rejects for a reason that lies in the program. */
  run(program: Program, host: ProgramHost, options: { limits: ProgramLimits; signal: AbortSignal }): Promise<ProgramEnd>;
  /** Ends the process and the programs in it. */
  close(): Promise<void>;
}

/** @throws Error that names `npm install quickjs-wasi` where that package is missing */
export function openSandbox({ logger }: { logger: Logger }): Sandbox {
  locateEngine();
  return new CodeRunner(hasPermissions() ? inProcess : inThreads, logger);
}

const inProcess: OpenPlace = (onMessage, onLost) => new ProgramProcess(onMessage, onLost);

const inThreads: OpenPlace = (onMessage) => {
  const pool = new ThreadPool(poolOptions([]), onMessage);
  return { post: (message) => pool.receive(message), close: () => pool.close() };
};

/** Bun and Deno do not have Node's permission model. */
function hasPermissions(): boolean {
  return !('Bun' in globalThis) && !('Deno' in globalThis);
}
