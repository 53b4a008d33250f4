/**
 * The calls that the log shows while new ones come in: what was loaded stays where it is, and what one has not looked at yet waits above it.
 *
 * Shape: `shown` and `unseen` newest first, without a call twice; `nextCursor` leads on behind `shown`.
 */
import type { InvocationInfo, InvocationsPage } from '../../../../src/protocol/admin';

/** While one only looks on, the list begins anew above this many rows: nobody scrolled to the old ones. */
const MAX_FOLLOWED = 1_000;

export interface CallLog {
  shown: readonly InvocationInfo[];
  unseen: readonly InvocationInfo[];
  /** There are more new calls than the newest page holds: between `unseen` and `shown` some are missing. */
  gap: boolean;
  nextCursor?: string | undefined;
}

export const logOf = ({ invocations, nextCursor }: InvocationsPage): CallLog => ({
  shown: invocations,
  unseen: [],
  gap: false,
  nextCursor,
});

/** The newest page, looked at again. With `follow` new calls are shown at once. */
export function withNewest(log: CallLog, page: InvocationsPage, follow: boolean): CallLog {
  const known = new Set(log.shown.map(({ id }) => id));
  const fresh = page.invocations.filter(({ id }) => !known.has(id));
  const gap = fresh.length === page.invocations.length && page.nextCursor !== undefined && log.shown.length > 0;
  const updated = withOutcomes({ ...log, unseen: fresh, gap }, page.invocations);
  if (!follow) return updated;
  return updated.shown.length > MAX_FOLLOWED ? logOf(page) : withUnseen(updated, page);
}

/** Shows what waits. Where calls are missing in between, the list begins anew. */
export function withUnseen(log: CallLog, newest: InvocationsPage): CallLog {
  if (log.gap) return logOf(newest);
  // A filter for outcomes lets a call in when it ends, which may be after later ones.
  // Ids sort as the calls came, also within a millisecond.
  const shown = [...log.unseen, ...log.shown].sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  return { ...log, shown, unseen: [] };
}

/** The page behind what is shown. */
export function withOlder(log: CallLog, { invocations, nextCursor }: InvocationsPage): CallLog {
  const known = new Set(log.shown.map(({ id }) => id));
  return { ...log, shown: [...log.shown, ...invocations.filter(({ id }) => !known.has(id))], nextCursor };
}

/** Calls that ran and have ended since. Those that are as they were stay the same objects, so that their rows are not drawn again. */
export function withOutcomes(log: CallLog, calls: readonly InvocationInfo[]): CallLog {
  const ended = new Map(calls.filter(({ code }) => code !== undefined).map((call) => [call.id, call]));
  return { ...log, shown: log.shown.map((call) => (call.code === undefined ? (ended.get(call.id) ?? call) : call)) };
}
