/**
 * The caller of a call that runs later, or at another node: all that its key's record does not have.
 *
 * Shape:  JSON. No secret: the text of a token is not part of it.
 * Rule:   the expiry of the token does not matter any more; the end of its key or of its grant does, and so do the limits that both have by then.
 */
import type { KeyRecord } from '../store/store';
import type { AcceptedToken, CallingKey } from './agent-tokens';
import type { CallerIds } from './caller-ids';
import { commonAllow } from './common-allow';

export interface KeptCaller {
  token?: Pick<AcceptedToken, 'allow'> & { userId?: string; grantId?: string };
  personId?: string;
  origin?: 'console';
  sessionId?: string;
  /** As the caller names it. */
  userId?: string;
}

export function keptCaller({ token, personId, origin }: CallingKey, callerIds: CallerIds | undefined): KeptCaller {
  const kept: KeptCaller = {};
  if (token) {
    kept.token = { allow: token.allow };
    if (token.userId !== undefined) kept.token.userId = token.userId;
    if (token.grantId !== undefined) kept.token.grantId = token.grantId;
  }
  if (personId !== undefined) kept.personId = personId;
  if (origin !== undefined) kept.origin = origin;
  if (callerIds?.sessionId !== undefined) kept.sessionId = callerIds.sessionId;
  if (callerIds?.userId !== undefined) kept.userId = callerIds.userId;
  return kept;
}

/** @param record the key as it is now */
export function callingKeyOf(record: KeyRecord, kept: KeptCaller): { key: CallingKey; callerIds: CallerIds | undefined } {
  const key: CallingKey = { ...record };
  if (kept.token) {
    const { allow, userId, grantId } = kept.token;
    key.allow = commonAllow(record.allow, allow);
    key.token = { keyId: record.id, keyHash: record.hash, expiresAt: Number.POSITIVE_INFINITY, allow, userId, grantId };
  }
  if (kept.personId !== undefined) key.personId = kept.personId;
  if (kept.origin !== undefined) key.origin = kept.origin;
  const { sessionId, userId } = kept;
  return { key, callerIds: sessionId === undefined && userId === undefined ? undefined : { sessionId, userId } };
}
