/** Runs programs in a process of their own, apart from the service's memory, files and keys. The process starts with the first program. */
import type { Program, ProgramEnd, ProgramHost, ProgramLimits } from './program';

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
