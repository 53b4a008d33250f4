/** The agent keys that call a toolkit, for its developer. */

export interface CallerQuery {
  toolkitId: string;
  /** Milliseconds since the epoch: calls that started then or later. */
  from: number;
  /** Later than `from`: the start of the short range, whose calls are also counted apart. */
  recentFrom: number;
  /** The most keys that are returned. */
  limit: number;
  /** The most calls that are read, newest first, so that the time has a bound. */
  mostCalls: number;
}

interface CallerCounts {
  calls: number;
  errors: number;
}

/** A caller and its calls that have ended. */
interface CallerSummary {
  agentKeyId: string;
  all: CallerCounts;
  recent: CallerCounts;
  lastAt: number;
}

export interface ToolkitCallerSums {
  callers: CallerSummary[];
  /** Older calls than this are not counted, since there are too many: milliseconds since the epoch. Undefined: all of the range are. */
  countedFrom: number | undefined;
}

/** Numbers of callers, one series for each toolkit. A number never changes, and is never given again. */
export interface CallerNumberStore {
  /** The numbers of these keys, which get the next ones in this order where they have none. */
  of(toolkitId: string, agentKeyIds: readonly string[]): Promise<Map<string, number>>;
}
