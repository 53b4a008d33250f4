/**
 * A program, the calls that it makes, and its end.
 *
 * Units: `…Ms` in milliseconds, `…Chars` in UTF-16 code units, `…Bytes` in bytes.
 * Errors: a failed program is a `ProgramEnd`, never a rejection.
 */
import type { ContentBlock } from '#sdk/protocol/content';

export interface Program {
  /** Id of the run. It also seeds the random numbers, so the same run draws the same ones again. */
  id: string;
  /** JavaScript: the body of an async function, with top-level `await` and `return`. */
  code: string;
  /** The program's clock, which does not advance: milliseconds since the epoch. */
  startedAt: number;
}

export interface ProgramLimits {
  codeChars: number;
  memoryBytes: number;
  /** Time of computing in all; it stops while the program only waits for calls. */
  cpuMs: number;
  /** Time of computing on a shared thread. A longer program begins again on the slow thread, with all of `cpuMs`. */
  fastCpuMs: number;
  /** Time in all, calls included. */
  timeoutMs: number;
  calls: number;
  callsAtOnce: number;
  /** One call with its payload, as JSON. */
  callChars: number;
  /** The answer to one call, as JSON. */
  answerChars: number;
  /** The answers to all calls. They are kept until the program ends, since it may begin again. */
  answersChars: number;
  /** The result of the program, as JSON. */
  resultChars: number;
  /** All lines of the log; the rest is left out, and the log says so. */
  logChars: number;
  /** All that `emit` was given, base64 of images included. */
  contentChars: number;
}

export const DEFAULT_PROGRAM_LIMITS: ProgramLimits = {
  codeChars: 100_000,
  memoryBytes: 64 * 1024 * 1024,
  cpuMs: 2_000,
  fastCpuMs: 100,
  timeoutMs: 600_000,
  calls: 100,
  callsAtOnce: 10,
  callChars: 1_000_000,
  answerChars: 5_000_000,
  answersChars: 20_000_000,
  resultChars: 20_000,
  logChars: 20_000,
  contentChars: 4_000_000,
};

/**
 * A question of the program to its host.
 *
 * `search`: `payloadJson` is `{"query", "limit"?}`, `action` is empty. `describe`: `action` is the id, and `payloadJson` the id as JSON.
 */
export interface ProgramCall {
  kind: 'invoke' | 'search' | 'describe';
  action: string;
  payloadJson: string;
  /** Base64url SHA-256 of the canonical JSON of `[kind, action, payload]`. */
  digest: string;
  /** How often the attempt has asked for the same kind, action and canonical payload, this call included. */
  nth: number;
}

/** `errorJson` is the JSON of an error as models get it: `{"code", "message", …}`. */
export type ProgramAnswer = { ok: true; dataJson: string } | { ok: false; errorJson: string };

export interface ProgramHost {
  /**
   * Never rejects. `'waits'`: the call waits for a person, for a connection or for long work, so the program's promise stays open.
   * The signal aborts when the run ends. One run never asks twice for the same call, even when its program begins again.
   */
  call(call: ProgramCall, signal: AbortSignal): Promise<ProgramAnswer | 'waits'>;
}

export type ProgramErrorCode =
  | 'CODE_TOO_LONG'
  | 'SYNTAX_ERROR'
  | 'PROGRAM_ERROR' // the program threw
  | 'MEMORY_LIMIT'
  | 'CPU_LIMIT'
  | 'TIMEOUT'
  | 'TOO_MANY_CALLS'
  | 'RESULT_TOO_LONG'
  | 'CALLS_NOT_AWAITED' // it ended while calls were under way
  | 'NEVER_ENDS' // it waits, and no call is open
  | 'DIVERGED' // a replay went another way; only the driver of runs gives it
  | 'CANCELLED' // the signal was aborted
  | 'BUSY' // retryable
  | 'SANDBOX_LOST'; // the process that runs programs ended too often

export interface ProgramError {
  code: ProgramErrorCode;
  message: string;
  /** The program's own line, from 1, and its text. */
  at?: { line: number; source: string };
  details?: unknown;
}

export type ProgramEnd =
  | { status: 'done'; resultJson: string; log: string; content: ContentBlock[]; calls: number }
  | { status: 'failed'; error: ProgramError; log: string; content: ContentBlock[]; calls: number }
  /** Only calls that wait are left to wait for. */
  | { status: 'suspended'; log: string; calls: number };
