/** The searches and calls of a session, placed in time, with the calls that each search led to. */
import type { SessionEntry } from '#sdk/protocol/admin';
import type { Timed } from './waterfall';

type SearchItem = Extract<SessionEntry, { kind: 'search' }>;
type CallItem = Extract<SessionEntry, { kind: 'call' }>;

export type WaterfallEntry = SearchEntry | CallEntry;

export interface SearchEntry extends Timed, Pick<SearchItem, 'id' | 'query' | 'origin'> {
  kind: 'search';
  /** Best first. */
  shown: ShownAction[];
}

interface ShownAction {
  action: string;
  /** Id of the first call that the search led to. */
  call?: string;
}

export interface CallEntry extends Timed, Pick<CallItem, 'call' | 'cost'> {
  kind: 'call';
  id: string;
}

export type CallCost = NonNullable<CallItem['cost']>;

/**
 * A call belongs to the search whose id it has. A search has no duration.
 *
 * @param entries oldest first
 * @param now the end of running calls, in milliseconds since 1970
 */
export function toWaterfall(entries: readonly SessionEntry[], now: number): WaterfallEntry[] {
  const shownBy = new Map<string, ShownAction[]>();
  return entries.map((entry) => {
    const at = Date.parse(entry.at);
    if (entry.kind === 'search') {
      const { id, query, origin } = entry;
      const shown: ShownAction[] = entry.shown.map((action) => ({ action }));
      shownBy.set(id, shown);
      return { kind: 'search', id, at, ms: 0, shown, ...(query !== undefined && { query }), ...(origin && { origin }) };
    }
    const { call, cost } = entry;
    const called = shownBy.get(call.search ?? '')?.find(({ action }) => action === call.action);
    if (called) called.call ??= call.id;
    return { kind: 'call', id: call.id, at, ms: call.ms ?? Math.max(0, now - at), call, ...(cost && { cost }) };
  });
}
