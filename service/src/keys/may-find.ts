import { readsResources } from '#sdk/protocol/action-meta';
import type { CallRules } from '../rules/call-rules';
import type { ActionRecord, KeyRecord } from '../store/store';
import { allowed } from './allowed';
import { mayPay } from './may-pay';

/** Actions by id; `held`: the action waits for an owner's approval. */
interface FindableActions {
  action(id: string): (Pick<ActionRecord, 'annotations' | 'payment' | 'meta'> & { held?: unknown }) | undefined;
}

export interface ReachDeps {
  catalog: FindableActions;
  rules: Pick<CallRules, 'hides'>;
}

type ReachOfKey = Pick<KeyRecord, 'kind' | 'allow' | 'budget' | 'rules'>;

/** True if the key's allow list has the action and no rule hides it. */
export function mayUse(key: ReachOfKey, actionId: string, { catalog, rules }: ReachDeps): boolean {
  return allowed(key, actionId) && !rules.hides(key, actionId, catalog.action(actionId));
}

/** True if searches, lists and suggestions for the key may name the action. */
export function mayFind(key: ReachOfKey, actionId: string, deps: ReachDeps): boolean {
  if (!mayUse(key, actionId, deps)) return false;
  const action = deps.catalog.action(actionId);
  return action !== undefined && action.held === undefined && !readsResources(action) && mayPay(key, action);
}
