/** Stored sums as the admin API shows them. */
import { toAmount } from '#sdk/protocol/amount';
import type { ModelTokensInfo, SessionInfo, UserInfo } from '#sdk/protocol/session-schemas';
import { toTime } from '../../lib/to-time';
import type { Activity, ModelTokens, SessionRecord, UsedTokens, UserRecord } from '../../store/session-store';

type Counts = Pick<SessionInfo, 'searches' | 'inVain' | 'calls' | 'errors' | 'cost' | 'tokens'>;

export function toCounts({
  searches,
  inVain,
  calls,
  errors,
  cost,
  tokens,
}: Omit<Activity, 'firstAt' | 'lastAt'> & { tokens: UsedTokens }): Counts {
  return { searches, inVain, calls, errors, cost: toAmount(cost), tokens };
}

export function toSessionInfo({ sessionId, agentKeyId, userId, lastCode, ...sums }: SessionRecord, name: string | undefined): SessionInfo {
  return {
    session: sessionId,
    key: { id: agentKeyId, ...(name !== undefined && { name }) },
    ...(userId !== null && { user: userId }),
    ...(lastCode !== null && { lastCode }),
    ...{ firstAt: toTime(sums.firstAt), lastAt: toTime(sums.lastAt) },
    ...toCounts(sums),
  };
}

export function toUserInfo({ userId, ...sums }: UserRecord, sessions: number): UserInfo {
  return { user: userId, sessions, firstAt: toTime(sums.firstAt), lastAt: toTime(sums.lastAt), ...toCounts(sums) };
}

export function toModelTokens({ model, tokens }: ModelTokens): ModelTokensInfo {
  return { model, ...tokens };
}
