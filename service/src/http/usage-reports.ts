/** Reads `Svc-Usage` of authenticated requests, and hands its reports on. */
import { SvcError } from '#sdk/protocol/errors';
import { readUsage } from '#sdk/protocol/usage';
import type { CallingKey } from '../keys/agent-tokens';
import { callerOf, readCallerIds } from '../keys/caller-ids';
import type { SessionUsage } from '../sessions/session-usage';

export interface UsageHeaders {
  usage: string | undefined;
  sessionId: string | undefined;
  userId: string | undefined;
}

export class UsageReports {
  readonly #usage: Pick<SessionUsage, 'add'> | undefined;

  /** @param usage undefined while the service keeps no records: the reports are only checked */
  constructor(usage: Pick<SessionUsage, 'add'> | undefined) {
    this.#usage = usage;
  }

  /** @throws SvcError INVALID_REQUEST */
  take(key: CallingKey, { usage, sessionId, userId }: UsageHeaders): void {
    if (usage === undefined) return;
    const reports = readUsage(usage);
    const ids = callerOf(key, readCallerIds(sessionId, userId));
    if (ids?.sessionId === undefined)
      throw new SvcError('INVALID_REQUEST', 'Svc-Usage is of a session: send Svc-Session-Id with it, your id of the conversation');
    this.#usage?.add(key.id, ids.sessionId, ids.userId, reports);
  }
}
