/** Explains the rank of one action in a search. Counts nowhere: neither as a search nor as evidence of use. */
import { readsResources } from '#sdk/protocol/action-meta';
import type { ExplainResponse } from '#sdk/protocol/http';
import { isForModels } from '../catalog/app-resources';
import type { ListedAction } from '../catalog/review/action-reviews';
import type { AppDeps } from './app-deps';
import { explainReason } from './explain-reason';
import { wordsByStem } from './words-by-stem';

const ONLY_FOR_APPS = 'It is for the pages of MCP Apps, so no search returns it';

export interface AskedRank {
  /** Cleaned. */
  text: string;
  action: { id: string; record: ListedAction };
  limit: number;
  /** Whether a search of the caller may return the action. */
  mayBeNamed: (id: string) => boolean;
}

export async function explainAction(
  { text, action: { id, record }, limit, mayBeNamed }: AskedRank,
  { catalog, ranking, online }: Pick<AppDeps, 'catalog' | 'ranking' | 'online'>,
): Promise<ExplainResponse> {
  if (readsResources(record) || !isForModels(record)) return { ...neverFound(id, ONLY_FOR_APPS), allowed: !readsResources(record) };
  const isOnline = online.has(id);
  const explanation = await ranking.explain(text, id, {
    limit,
    accept: (other) => other === id || (online.has(other) && mayBeNamed(other) && !catalog.isHeld(other)),
  });
  const { rank, score, exact, features, usage, meaning, above } = explanation;
  // A synonym or a corrected word is only in the action's text, not in the query.
  const wordOf = wordsByStem(text, `${record.name} ${record.description}`.toLowerCase());
  const terms = explanation.terms.map(({ term, kind, rarity, fields }) => ({ term: wordOf(term), kind, rarity, fields }));
  const found = isOnline && record.held === undefined && rank !== null && rank <= limit;
  const missing = explanation.missing.map(wordOf);
  const names = { ...(exact && { exact }), ...(meaning !== undefined && { meaning }) };
  const explained = { found, rank, online: isOnline, ...names, features, terms, missing, usage };
  return {
    action: id,
    ...explained,
    allowed: true,
    reason: explainReason(explained, { action: record, limit }),
    score,
    outrankedBy: above,
  };
}

export function neverFound(action: string, reason: string): ExplainResponse {
  return {
    action,
    found: false,
    rank: null,
    allowed: false,
    online: false,
    reason,
    score: 0,
    features: [],
    terms: [],
    missing: [],
    usage: 0,
    outrankedBy: [],
  };
}
