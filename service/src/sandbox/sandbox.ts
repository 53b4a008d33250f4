/** Runs programs apart from the files, the keys and, under Node, the process of the service. Their process starts with the first one. */
import type { Logger } from '../lib/logger';
import { CodeRunner, type OpenPlace } from './code-runner';
import { type EngineFiles, locateEngine } from './engine';
import { inThreads } from './in-threads';
import type { Program, ProgramEnd, ProgramHost, ProgramLimits } from './program';
import { ProgramProcess } from './program-process';

export type {
  ProgramAnswer,
  ProgramCall,
  ProgramEnd,
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
  const engine = locateEngine();
  return new CodeRunner(hasPermissions() ? inProcess(engine) : inThreads(engine), logger);
}

function inProcess(engine: EngineFiles): OpenPlace {
  return (onMessage, onLost) => new ProgramProcess(engine, onMessage, onLost);
}

/** Bun and Deno do not have Node's permission model. */
function hasPermissions(): boolean {
  return !('Bun' in globalThis) && !('Deno' in globalThis);
}
