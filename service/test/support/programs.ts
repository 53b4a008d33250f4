/** Runs programs in a real sandbox, against a host that echoes. */
import { onTestFinished } from 'vitest';
import { silentLogger } from '../../src/lib/logger';
import {
  DEFAULT_PROGRAM_LIMITS,
  openSandbox,
  type ProgramAnswer,
  type ProgramCall,
  type ProgramEnd,
  type ProgramLimits,
  type Sandbox,
} from '../../src/sandbox/sandbox';

interface RunOptions {
  id?: string;
  call?: (call: ProgramCall, signal: AbortSignal) => Promise<ProgramAnswer | 'waits'>;
  limits?: Partial<ProgramLimits>;
  signal?: AbortSignal;
  startedAt?: number;
}

export type RunProgram = (code: string, options?: RunOptions) => Promise<ProgramEnd>;

/** `2026-11-27T00:00:00.000Z` */
export const STARTED_AT = 1_795_737_600_000;

export function testSandbox(): { sandbox: Sandbox; run: RunProgram } {
  const sandbox = openSandbox({ logger: silentLogger });
  onTestFinished(() => sandbox.close());
  return { sandbox, run: runnerOf(sandbox) };
}

export function runnerOf(sandbox: Sandbox): RunProgram {
  return (code, { id = 'run_test', call = echo, limits = {}, signal = new AbortController().signal, startedAt = STARTED_AT } = {}) =>
    sandbox.run({ id, code, startedAt }, { call }, { limits: { ...DEFAULT_PROGRAM_LIMITS, ...limits }, signal });
}

export async function echo({ kind, action, payloadJson }: ProgramCall): Promise<ProgramAnswer> {
  return { ok: true, dataJson: `{"kind":${JSON.stringify(kind)},"action":${JSON.stringify(action)},"payload":${payloadJson}}` };
}

/** The result of a program that is done, or its failure. */
export function resultOf(end: ProgramEnd): unknown {
  if (end.status === 'done') return JSON.parse(end.resultJson);
  return end.status === 'failed' ? end.error : end.status;
}
