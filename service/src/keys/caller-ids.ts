/**
 * The session id and user id that a caller sends with a request. Records contain both; handlers get the user id.
 *
 * Errors: INVALID_REQUEST for an invalid id in a header.
 */
import { SvcError } from '#sdk/protocol/errors';
import { headerTextProblem, MAX_CALLER_ID_CHARS } from '#sdk/protocol/ids';
import type { CallingKey } from './agent-tokens';

export interface CallerIds {
  sessionId: string | undefined;
  userId: string | undefined;
}

/** Undefined when both headers are absent. */
export function readCallerIds(sessionId: string | undefined, userId: string | undefined): CallerIds | undefined {
  if (sessionId === undefined && userId === undefined) return undefined;
  const problem =
    (sessionId !== undefined && headerTextProblem('Svc-Session-Id', sessionId, MAX_CALLER_ID_CHARS)) ||
    (userId !== undefined && headerTextProblem('Svc-User-Id', userId, MAX_CALLER_ID_CHARS));
  if (problem) throw new SvcError('INVALID_REQUEST', problem);
  return { sessionId, userId };
}

/** The user of an agent token overrides the header: the holder of a token must not impersonate another user. */
export function callerOf({ token }: CallingKey, ids: CallerIds | undefined): CallerIds | undefined {
  if (token?.userId === undefined) return ids;
  return { sessionId: ids?.sessionId, userId: token.userId };
}
