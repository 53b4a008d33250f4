/** Runs of code: programs of models that the service runs. docs/protocol.md, section 14. */
import type { RequiredApproval } from './approvals';
import type { RequiredConnection } from './connections';
import type { ContentBlock } from './content';
import type { JsonObject } from './json-object';

/** The client's name of a run: the body's `run`. The header `Idempotency-Key` names it as well, with at most 255 characters. */
export const RUN_NAME = /^[A-Za-z0-9_-]{1,200}$/;

/** `POST /v1/runs`. */
export interface RunRequest {
  /** JavaScript: the body of an async function. Characters: at most 100,000. */
  code: string;
  /** The client's name of the run, in place of the header `Idempotency-Key`. A request with the same one attaches to the run. */
  run?: string;
  /** Ids (`apr_…`) of the run's own questions that the app decides for its user. */
  approved?: string[];
  refused?: string[];
}

/** Why a program failed. */
export type RunErrorCode =
  | 'CODE_TOO_LONG'
  | 'SYNTAX_ERROR'
  | 'PROGRAM_ERROR' // the program threw
  | 'MEMORY_LIMIT'
  | 'CPU_LIMIT'
  | 'TIMEOUT'
  | 'TOO_MANY_CALLS'
  | 'RESULT_TOO_LONG'
  | 'CALLS_NOT_AWAITED' // it ended while calls were in progress
  | 'NEVER_ENDS' // it waits, and no call is in progress
  | 'DIVERGED' // a replay did not ask for calls that had run
  | 'CANCELLED'
  | 'BUSY' // too many programs run: the same request may succeed later
  | 'SANDBOX_LOST' // the process that runs programs ended too often
  | 'KEY_ENDED'; // the agent key of the run was revoked or has expired

export interface RunError {
  code: RunErrorCode;
  message: string;
  /** The program's own line, from 1, and its text. */
  at?: { line: number; source: string };
  details?: unknown;
}

/** A call that waits: for a decision (`approval`), an account (`connect`), or long work (`handle`). It has one of the three. */
export interface RunAsk {
  approval?: RequiredApproval;
  connect?: RequiredConnection;
  /** `inv_…`, of a call that goes on without its caller. */
  handle?: string;
  /** Action id. */
  action: string;
  /** The payload that would run. */
  payload: JsonObject;
}

export interface DoneRun {
  /** `run_…`. */
  run: string;
  status: 'done';
  /** The returned value of the program, as JSON; null for none. */
  result: unknown;
  log?: string;
  /** Texts and images that the program emitted, in order. */
  content?: ContentBlock[];
  /** Calls, searches and descriptions that the program asked for. */
  calls: number;
}

export interface FailedRun {
  run: string;
  status: 'failed';
  error: RunError;
  log?: string;
  content?: ContentBlock[];
  /** Ids of the actions that ran, or may have run. */
  ran: string[];
}

/** The rest of the program has ended or waits for these calls. It goes on by itself when one of them has its answer. */
export interface WaitingRun {
  run: string;
  status: 'waiting';
  asks: RunAsk[];
  log?: string;
}

/** Status 200. */
export type RunAnswer = DoneRun | FailedRun | WaitingRun;

/** Status 202: the wait is over, and the program still runs. */
export interface RunningRun {
  run: string;
  status: 'running';
  /** Calls so far. */
  calls: number;
}
