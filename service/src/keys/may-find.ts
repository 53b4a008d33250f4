import { readsResources } from '#sdk/protocol/action-meta';
import type { ActionRecord, KeyRecord } from '../store/store';
import { allowed } from './allowed';
import { mayPay } from './may-pay';

/** Actions by id; `held`: the action waits for an owner's approval. */
export interface FindableActions {
  action(id: string): (Pick<ActionRecord, 'payment' | 'meta'> & { held?: unknown }) | undefined;
}

/** True if searches, lists and suggestions for the key may name the action. */
export function mayFind(key: Pick<KeyRecord, 'allow' | 'budget'>, actionId: string, catalog: FindableActions): boolean {
  if (!allowed(key, actionId)) return false;
  const action = catalog.action(actionId);
  return action !== undefined && action.held === undefined && !readsResources(action) && mayPay(key, action);
}
