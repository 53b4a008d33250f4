/** The end of a program -> the answer of its run, as JSON text. */
import type { FailedRun, RunAnswer, RunError, RunningRun } from '#sdk/protocol/runs';
import type { ProgramEnd } from '../sandbox/sandbox';
import type { RunRecord } from '../store/run-store';
import type { RunMemory } from './run-memory';

type DoneProgram = Extract<ProgramEnd, { status: 'done' }>;
/** Also of a run whose program did not begin. */
type FailedProgram = Omit<Extract<ProgramEnd, { status: 'failed' }>, 'error'> & { error: RunError };

export type EndOfProgram = DoneProgram | FailedProgram;

export function doneJson(run: string, { resultJson, log, content, calls }: DoneProgram): string {
  const answer = { run, status: 'done', result: JSON.parse(resultJson), ...outputOf({ log, content }), calls } satisfies RunAnswer;
  return JSON.stringify(answer);
}

/** @param ran ids of the actions that ran, or may have run */
export function failedJson(run: string, { error, ...output }: FailedProgram, ran: readonly string[]): string {
  return JSON.stringify({ run, status: 'failed', error, ...outputOf(output), ran: [...ran] } satisfies FailedRun);
}

export function failure(error: RunError): FailedProgram {
  return { status: 'failed', error, log: '', content: [], calls: 0 };
}

export function waitingJson({ id }: RunRecord, { waiting, log }: RunMemory): string {
  const answer: RunAnswer = { run: id, status: 'waiting', asks: waiting.map(({ ask }) => ask), ...(log !== '' && { log }) };
  return JSON.stringify(answer);
}

export function runningJson({ id, calls }: RunRecord): string {
  return JSON.stringify({ run: id, status: 'running', calls } satisfies RunningRun);
}

function outputOf({ log, content }: Pick<EndOfProgram, 'log' | 'content'>): Pick<FailedRun, 'log' | 'content'> {
  return { ...(log !== '' && { log }), ...(content.length > 0 && { content }) };
}
