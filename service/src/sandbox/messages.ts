/**
 * Messages between the service and the process of the programs: one JSON text per line.
 *
 * Shape: `attempt` is one beginning of a program, unique for a service. Messages about an attempt that has ended are ignored.
 */
import type { ContentBlock } from '#sdk/protocol/content';
import type { ProgramCall, ProgramErrorCode, ProgramLimits } from './program';

export interface StartMessage {
  type: 'start';
  attempt: number;
  code: string;
  startedAt: number;
  /** Seed of the random numbers: 64 bits as a decimal text. */
  seed: string;
  /** True: the thread for programs that compute for long runs it. */
  slow: boolean;
  limits: ProgramLimits;
}

interface AnswerMessage {
  type: 'answer';
  attempt: number;
  call: number;
  answer: { ok: boolean; json: string } | 'waits';
}

interface StopMessage {
  type: 'stop';
  attempt: number;
}

export type ToPrograms = StartMessage | AnswerMessage | StopMessage;

export interface ProgramCallMessage extends Omit<ProgramCall, 'digest' | 'nth'> {
  type: 'call';
  attempt: number;
  /** Number of the call within the attempt, from 1. */
  call: number;
}

interface LogMessage {
  type: 'log';
  attempt: number;
  text: string;
}

interface ContentMessage {
  type: 'content';
  attempt: number;
  block: ContentBlock;
}

export type AttemptEnd =
  | { status: 'done'; resultJson: string }
  | { status: 'failed'; code: ProgramErrorCode; message: string; line?: number | undefined }
  | { status: 'suspended' }
  /** Begin it again: it computes for long, or another program took its thread down. */
  | { status: 'again'; slow: boolean };

interface EndMessage {
  type: 'end';
  attempt: number;
  end: AttemptEnd;
}

export type FromPrograms = ProgramCallMessage | LogMessage | ContentMessage | EndMessage;
