/** A run -> its row, and back. Program, kept answers and result are sealed. */
import { hash } from 'node:crypto';
import type { CallerAsk } from '#sdk/protocol/ask';
import { SvcError } from '#sdk/protocol/errors';
import { callUser } from '../calls/call-user';
import type { CallingKey } from '../keys/agent-tokens';
import { type CallerIds, callerOf } from '../keys/caller-ids';
import { type KeptCaller, keptCaller } from '../keys/kept-caller';
import type { KeptText, KeptTexts } from '../lib/kept-texts';
import type { NewRun, RunRecord } from '../store/run-store';
import { newRunId } from './run-id';

/** The rights and limits of each call, from the request that began the run. */
export interface RunRights {
  caller: KeptCaller;
  /** Toolkit id -> the kept connection that the caller chose. */
  connectionNames: ReadonlyMap<string, string> | undefined;
  /** The most that one call may cost, in millionths. */
  maxPayment: bigint | undefined;
  /** The caller's own rules about calls that its human approves. */
  ask: CallerAsk | undefined;
  /** The search that led to the run. */
  searchId: string | undefined;
}

export interface NewProgram extends Omit<RunRights, 'caller'> {
  key: CallingKey;
  callerIds: CallerIds | undefined;
  code: string;
  /** Undefined: no later request attaches to the run. */
  idempotencyKey: string | undefined;
  timeoutMs: number;
}

interface CallerColumn {
  caller: KeptCaller;
  connectionNames?: [toolkit: string, name: string][];
  /** An integer. */
  maxPayment?: string;
  ask?: CallerAsk;
  searchId?: string;
}

type SealedPart = 'code' | 'state' | 'answer';

export function newRunRow(program: NewProgram, texts: KeptTexts): NewRun {
  const { key, callerIds, code, timeoutMs } = program;
  const id = newRunId();
  const user = userOf(program);
  return {
    ...{ id, agentKeyId: key.id, userId: user, sessionId: callerOf(key, callerIds)?.sessionId ?? null, timeoutMs },
    ...{ idempotencyKey: program.idempotencyKey ?? id, requestHash: hash('sha256', `${user ?? ''}\n${code}`) },
    code: sealPart(texts, { id, agentKeyId: key.id }, 'code', code),
    caller: JSON.stringify(callerColumn(program)),
    deadlineAt: Date.now() + timeoutMs,
  };
}

/** @throws SvcError INTERNAL when no key opens the program */
export function programOf(row: RunRecord, texts: KeptTexts): string {
  return openPart(texts, row, 'code', row.code);
}

export function rightsOf(row: RunRecord): RunRights {
  const { caller, connectionNames, maxPayment, ask, searchId } = JSON.parse(row.caller) as CallerColumn;
  return {
    ...{ caller, ask, searchId },
    connectionNames: connectionNames && new Map(connectionNames),
    maxPayment: maxPayment === undefined ? undefined : BigInt(maxPayment),
  };
}

export function sealPart(texts: KeptTexts, run: Pick<RunRecord, 'id' | 'agentKeyId'>, part: SealedPart, text: string): KeptText {
  return texts.seal(text, placeOf(run, part));
}

/** @throws SvcError INTERNAL when no key opens it */
export function openPart(texts: KeptTexts, run: Pick<RunRecord, 'id' | 'agentKeyId'>, part: SealedPart, kept: KeptText): string {
  const text = texts.open(kept, placeOf(run, part));
  if (text !== undefined) return text;
  throw new SvcError('INTERNAL', `${run.id} cannot be read any more, because its secrets key ${kept.sealedBy} is missing`, {
    retryable: false,
  });
}

/** The user that decides whether two requests are equal, as for calls. */
function userOf({ key, callerIds }: Pick<NewProgram, 'key' | 'callerIds'>): string | null {
  const { userId, namedUser } = callUser(key, callerIds);
  return namedUser?.id ?? userId ?? null;
}

function callerColumn({ key, callerIds, connectionNames, maxPayment, ask, searchId }: NewProgram): CallerColumn {
  return {
    caller: keptCaller(key, callerIds),
    ...(connectionNames && { connectionNames: [...connectionNames] }),
    ...(maxPayment !== undefined && { maxPayment: maxPayment.toString() }),
    ...(ask && { ask }),
    ...(searchId !== undefined && { searchId }),
  };
}

function placeOf({ id, agentKeyId }: Pick<RunRecord, 'id' | 'agentKeyId'>, part: SealedPart): string[] {
  return ['run', id, agentKeyId, part];
}
