/** The evidence of a service, for people: how much there is, as a log to try rankings on, and its end. */
import { SvcError } from '#sdk/protocol/errors';
import { type DataPlace, locationOf } from '../store/location';
import { openKeyStore } from '../store/open-store';
import type { EvidenceRecord } from '../store/store';

export interface EvidenceSummary {
  /** All evidence of one key for one action and query counts as one. */
  records: number;
  /** How many of them have the text of their query. */
  texts: number;
  queries: number;
  actions: number;
  keys: number;
  /** ISO 8601; undefined when there is nothing. */
  lastChange?: string;
}

/** A past search that led to an action, in the format that `npm run eval:search -- --log` reads. */
export interface LoggedQuery {
  qid: string;
  src: string;
  kind: 'agent';
  split: 'log';
  query: string;
  /** The action id. */
  relevant: string[];
}

export interface StoredEvidence {
  summary(): Promise<EvidenceSummary>;
  /** One for each agent key that succeeded, oldest first. Throws INVALID_REQUEST when there is no text of any query. */
  log(): Promise<LoggedQuery[]>;
  /** Removes all of it, for good; a running service follows within seconds. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the evidence in a data directory, or in a database, whether a service runs on it or not.
 *
 * Errors: rejects with SvcError NOT_FOUND for a place without data.
 */
export async function openEvidence(data: DataPlace): Promise<StoredEvidence> {
  const { evidence, close } = await openKeyStore(locationOf(data), { create: false });
  const records = () => evidence.changedSince(0);
  return {
    summary: async () => summaryOf(await records()),
    log: async () => logOf(await records()),
    clear: () => evidence.clear(),
    close,
  };
}

function summaryOf(records: readonly EvidenceRecord[]): EvidenceSummary {
  const different = (of: (record: EvidenceRecord) => string) => new Set(records.map(of)).size;
  const last = records.at(-1);
  return {
    records: records.length,
    texts: records.filter(({ text }) => text !== null).length,
    queries: different(({ query }) => query),
    actions: different(({ action }) => action),
    keys: different(({ agentKeyId }) => agentKeyId),
    ...(last && { lastChange: new Date(last.changedAt).toISOString() }),
  };
}

function logOf(records: readonly EvidenceRecord[]): LoggedQuery[] {
  const log = records.flatMap(({ action, query, text, successes, failures }, index): LoggedQuery[] =>
    text === null || successes <= failures
      ? []
      : [{ qid: `${query}-${index}`, src: 'catalogue', kind: 'agent', split: 'log', query: text, relevant: [action] }],
  );
  if (log.length > 0) return log;
  throw new SvcError(
    'INVALID_REQUEST',
    'There is no text of any query that led to something; it is kept from when the service runs with --learning text',
  );
}
