/** `POST /v1/explain`: why a search gives an action, or does not. docs/protocol.md section 4. */
import { Hono } from 'hono';
import { SvcError } from '../../protocol/errors';
import { type ExplainResponse, PATHS } from '../../protocol/http';
import { parseActionId } from '../../protocol/ids';
import { explainRequest } from '../../protocol/schemas';
import { cleanQuery } from '../catalog/answer/index';
import { allowed } from '../keys/allowed';
import type { KeyRecord } from '../store/store';
import type { AppDeps } from './app-deps';
import { explainReason } from './explain-reason';
import { jsonBody } from './json-body';
import { admit, type RequestEnv } from './request-env';
import { wordsByStem } from './words-by-stem';

export function explainRoute({ catalog, ranking, online, gate, limits }: AppDeps): Hono<RequestEnv> {
  return new Hono<RequestEnv>().post(PATHS.explain, async (context) => {
    const key = await admit(context, gate, ['agent', 'toolkit']);
    const { query, action: id, limit } = await jsonBody(context, explainRequest, limits);
    const { text } = cleanQuery(query, limits.queryChars);
    // Before anything is looked up: the answer must be the same whether there is such an action or not.
    if (!mayAsk(key, id)) return context.json<ExplainResponse>(notAllowed(id, key));
    const action = catalog.requireAction(id, (other) => mayAsk(key, other));
    const isOnline = online.has(id);
    const explanation = await ranking.explain(text, id, {
      limit,
      accept: (other) => other === id || (online.has(other) && mayBeNamed(key, other)),
    });
    const { rank, score, exact, usage, meaning, above } = explanation;
    // What is a synonym or a correction stands in the action and not in the query.
    const wordOf = wordsByStem(text, `${action.name} ${action.description}`.toLowerCase());
    const terms = explanation.terms.map(({ term, kind, rarity, fields }) => ({ term: wordOf(term), kind, rarity, fields }));
    const found = isOnline && rank !== null && rank <= limit;
    const missing = explanation.missing.map(wordOf);
    const names = { ...(exact && { exact }), ...(meaning !== undefined && { meaning }) };
    const explained = { found, rank, online: isOnline, ...names, terms, missing, usage };
    const response: ExplainResponse = {
      action: id,
      ...explained,
      allowed: true,
      reason: explainReason(explained, { action, limit }),
      score,
      outrankedBy: above.map((other) => (mayAsk(key, other.action) ? other : { action: other.action })),
    };
    return context.json(response);
  });
}

/** An agent may ask about what it may use, a toolkit's developer about the toolkit's own actions. */
function mayAsk(key: KeyRecord, id: string): boolean {
  return key.kind === 'toolkit' ? parseActionId(id)?.toolkitId === key.toolkitId : allowed(key, id);
}

/** What outranks an action is named to its developer, whosever it is: any agent may be given it. */
function mayBeNamed(key: KeyRecord, id: string): boolean {
  return key.kind === 'toolkit' || allowed(key, id);
}

function notAllowed(action: string, { kind, toolkitId }: KeyRecord): ExplainResponse {
  if (kind === 'toolkit') {
    throw new SvcError('ACTION_NOT_ALLOWED', `This key belongs to toolkit "${toolkitId}", and "${action.slice(0, 100)}" is not its action`);
  }
  const reason = 'This key may not use it, so no search with this key gives it';
  return {
    action,
    found: false,
    rank: null,
    allowed: false,
    online: false,
    reason,
    score: 0,
    terms: [],
    missing: [],
    usage: 0,
    outrankedBy: [],
  };
}
