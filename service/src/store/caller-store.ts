/** The agent keys that call a toolkit, for its developer. */

export interface CallerQuery {
  toolkitId: string;
  /** Milliseconds since the epoch: calls that started then or later. */
  from: number;
  /** Later than `from`: the start of the short range, whose calls are also counted apart. */
  recentFrom: number;
  limit: number;
}

interface CallerCounts {
  calls: number;
  errors: number;
}

/** A caller and its calls that have ended. */
export interface CallerSummary {
  agentKeyId: string;
  all: CallerCounts;
  recent: CallerCounts;
  lastAt: number;
}

/** Numbers of callers, one series for each toolkit. A number never changes, and is never given again. */
export interface CallerNumberStore {
  /** The numbers of these keys, which get the next ones in this order where they have none. */
  of(toolkitId: string, agentKeyIds: readonly string[]): Promise<Map<string, number>>;
}
