/**
 * State of the live log: loaded rows keep their place, and new calls wait above them.
 *
 * Shape: `shown` and `unseen` newest first, each call once; `nextCursor` continues after `shown`.
 */
import type { InvocationInfo, InvocationsPage } from '#sdk/protocol/admin';

/** While the top of the log is in view, a list with more rows than this is reset. */
const MAX_FOLLOWED = 1_000;

export interface CallLog {
  shown: readonly InvocationInfo[];
  unseen: readonly InvocationInfo[];
  /** There are more new calls than one page holds, so calls between `unseen` and `shown` are missing. */
  gap: boolean;
  nextCursor?: string | undefined;
}

export const logOf = ({ invocations, nextCursor }: InvocationsPage): CallLog => ({
  shown: invocations,
  unseen: [],
  gap: false,
  nextCursor,
});

/** Merges a new version of the newest page. With `follow`, new calls are shown immediately. */
export function withNewest(log: CallLog, page: InvocationsPage, follow: boolean): CallLog {
  const known = new Set(log.shown.map(({ id }) => id));
  const fresh = page.invocations.filter(({ id }) => !known.has(id));
  const gap = fresh.length === page.invocations.length && page.nextCursor !== undefined && log.shown.length > 0;
  const updated = withOutcomes({ ...log, unseen: fresh, gap }, page.invocations);
  if (!follow) return updated;
  return updated.shown.length > MAX_FOLLOWED ? logOf(page) : withUnseen(updated, page);
}

/** Shows the waiting calls. If calls in between are missing, the list is reset. */
export function withUnseen(log: CallLog, newest: InvocationsPage): CallLog {
  if (log.gap) return logOf(newest);
  // A log with a filter for outcomes receives a call when it ends, possibly after later calls.
  // Ids sort by start, also within a millisecond.
  const shown = [...log.unseen, ...log.shown].sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  return { ...log, shown, unseen: [] };
}

/** Adds the next page of older calls. */
export function withOlder(log: CallLog, { invocations, nextCursor }: InvocationsPage): CallLog {
  const known = new Set(log.shown.map(({ id }) => id));
  return { ...log, shown: [...log.shown, ...invocations.filter(({ id }) => !known.has(id))], nextCursor };
}

/** Updates calls that have ended. Unchanged calls stay the same objects, so that their rows do not render again. */
export function withOutcomes(log: CallLog, calls: readonly InvocationInfo[]): CallLog {
  const ended = new Map(calls.filter(({ code }) => code !== undefined).map((call) => [call.id, call]));
  return { ...log, shown: log.shown.map((call) => (call.code === undefined ? (ended.get(call.id) ?? call) : call)) };
}
