/** An action as the catalogue shows it to a key. */
import type { CatalogAction } from '#sdk/protocol/http';
import { actionInfo } from '../catalog/action-info';
import { withServiceAddresses } from '../catalog/app-resources';
import { shownResult } from '../catalog/review/action-reviews';
import { mayFind, mayUse } from '../keys/may-find';
import { requireBudget } from '../keys/may-pay';
import type { KeyRecord } from '../store/store';
import type { AppDeps } from './app-deps';

export type CatalogDeps = Pick<AppDeps, 'catalog' | 'rules' | 'online'>;

/** @throws SvcError for an action that the key may not use */
export function describeOffered(key: KeyRecord, id: string, deps: CatalogDeps): CatalogAction {
  const { catalog, online } = deps;
  const action = catalog.requireAllowed(
    id,
    (other) => mayUse(key, other, deps),
    (other) => mayFind(key, other, deps),
  );
  requireBudget(key, id, action);
  const { title, meta, icons, toolkitId } = action;
  const resultSchema = shownResult(action);
  const misfits = catalog.misfitsOf(id);
  const result = { ...(resultSchema && { resultSchema }), ...(misfits.length > 0 && { resultMisfits: misfits }) };
  const texts = { ...(title !== undefined && { title }), ...result };
  const more = { ...texts, ...(meta && { meta: withServiceAddresses(toolkitId, meta) }), ...(icons && { icons }) };
  return { ...actionInfo(id, action), ...more, toolkit: toolkitId, online: online.has(id) };
}
