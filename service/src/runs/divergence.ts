/** Finds a replay that went another way: it ended without having asked for calls that had run. */
import type { Catalog } from '../catalog/catalog';
import type { ProgramErrorCode } from '../sandbox/sandbox';
import type { InvocationRecord } from '../store/store';
import type { ProgramCalls } from './program-calls';
import type { EndOfProgram } from './run-answer';
import type { WaitingCall } from './run-memory';

/** Failures in which the program came to its own end. */
const OWN_ENDS: ReadonlySet<string> = new Set<ProgramErrorCode>(['PROGRAM_ERROR', 'CALLS_NOT_AWAITED', 'NEVER_ENDS', 'RESULT_TOO_LONG']);
/** The beginning of the idempotency keys of approved calls. */
const APPROVED = 'approval/';

/** The attempts before this one. */
export interface EarlierAttempts {
  /** The calls that were claimed, with their keys. */
  recorded: readonly InvocationRecord[];
  waited: readonly WaitingCall[];
}

/** Returns the end, or DIVERGED in its place. */
export function checkedReplay(
  end: EndOfProgram,
  calls: Pick<ProgramCalls, 'asked' | 'joined'>,
  { recorded, waited }: EarlierAttempts,
  catalog: Pick<Catalog, 'action'>,
): EndOfProgram {
  if (end.status === 'failed' && !OWN_ENDS.has(end.error.code)) return end;
  const keysByApproval = new Map(waited.flatMap(({ key, ask }) => (ask.approval ? [[ask.approval.id, key] as const] : [])));
  const wasAsked = ({ id, idempotencyKey }: InvocationRecord) => {
    if (idempotencyKey === null || calls.asked.has(idempotencyKey) || calls.joined.has(id)) return true;
    const approval = idempotencyKey.startsWith(APPROVED) ? idempotencyKey.slice(APPROVED.length) : '';
    return calls.joined.has(approval) || calls.asked.has(keysByApproval.get(approval) ?? '');
  };
  const lost = recorded.filter((call) => catalog.action(call.action)?.annotations.readOnly !== true && !wasAsked(call));
  if (lost.length === 0) return end;
  const actions = [...new Set(lost.map(({ action }) => action))].join(', ');
  const message = `The program began again, and did not make calls that had run before: ${actions}. They ran once, and its result does not know them. Look at what they did, then write a program whose calls depend on nothing but the answers to earlier calls.`;
  const details = { calls: lost.map(({ id, action }) => ({ invocationId: id, action })) };
  const { log, content, calls: count } = end;
  return { status: 'failed', error: { code: 'DIVERGED', message, details }, log, content, calls: count };
}
