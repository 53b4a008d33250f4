/** `POST /v1/explain`: why a search returns an action or not. docs/protocol.md section 4. */
import { SvcError } from '#sdk/protocol/errors';
import { type ExplainResponse, PATHS } from '#sdk/protocol/http';
import { parseActionId } from '#sdk/protocol/ids';
import { explainRequest, explainResponse } from '#sdk/protocol/schemas';
import { cleanQuery } from '../catalog/answer/index';
import { mayFind, mayUse, type ReachDeps } from '../keys/may-find';
import { mayPay } from '../keys/may-pay';
import type { KeyRecord } from '../store/store';
import type { AppDeps } from './app-deps';
import { defineRoute } from './define-route';
import { explainAction, neverFound } from './explain-action';

const WITHOUT_BUDGET =
  'It is a paid action and this key has no budget, so no search with this key returns it; ask the person who issued the key for one';

export const explainRoute = defineRoute({
  id: 'explainSearch',
  summary: 'Explain why a search returns an action or not',
  method: 'POST',
  path: PATHS.explain,
  access: 'agent or toolkit',
  body: explainRequest,
  answer: explainResponse,
  async handle({ key, body: { query, action: id, limit } }, deps: AppDeps): Promise<ExplainResponse> {
    const { catalog, limits } = deps;
    const { text } = cleanQuery(query, limits.queryChars);
    // Checked before the lookup: the answer must not show whether the action exists.
    if (!mayAsk(key, id, deps)) return notAllowed(id, key);
    const action = catalog.requireAction(id, (other) => mayAsk(key, other, deps) && mayBeNamed(key, other, deps));
    if (key.kind === 'agent' && !mayPay(key, action)) return neverFound(id, WITHOUT_BUDGET);
    const asked = { text, action: { id, record: action }, limit, mayBeNamed: (other: string) => mayBeNamed(key, other, deps) };
    const { outrankedBy, ...explained } = await explainAction(asked, deps);
    return { ...explained, outrankedBy: outrankedBy.map((other) => (mayAsk(key, other.action, deps) ? other : { action: other.action })) };
  },
});

/** An agent key may ask about its usable actions, a toolkit key about the actions of its toolkit. */
function mayAsk(key: KeyRecord, id: string, deps: ReachDeps): boolean {
  return key.kind === 'toolkit' ? parseActionId(id)?.toolkitId === key.toolkitId : mayUse(key, id, deps);
}

/** A toolkit key sees the ids of all actions that outrank its own: any agent may find those too. */
function mayBeNamed(key: KeyRecord, id: string, deps: ReachDeps): boolean {
  return key.kind === 'toolkit' || mayFind(key, id, deps);
}

function notAllowed(action: string, { kind, toolkitId }: KeyRecord): ExplainResponse {
  if (kind === 'toolkit') {
    throw new SvcError('ACTION_NOT_ALLOWED', `This key belongs to toolkit "${toolkitId}", and "${action.slice(0, 100)}" is not its action`);
  }
  return neverFound(action, 'This key may not use it, so no search with this key returns it');
}
