/** The operator's choices about actions of a source: a filter, other descriptions, and what to assume of their effects. */
import { SvcError } from 'svc-sdk';
import { type FilterOptions, filterActions } from './action-filters';
import type { NamedAction } from './pins';

export interface PresentOptions extends FilterOptions {
  /** Name of an action -> its description, in place of the source's. */
  describe?: Readonly<Record<string, string>> | undefined;
  /** `destructive`: so is every action whose source says nothing about its effect. */
  assume?: 'destructive' | undefined;
}

/** Throws INVALID_REQUEST for a filter that fits nothing, and for a description of no action. */
export function presentActions(actions: readonly NamedAction[], { describe = {}, assume, ...filters }: PresentOptions): NamedAction[] {
  const unknown = Object.keys(describe).find((name) => !actions.some(({ action }) => action === name));
  if (unknown !== undefined)
    throw new SvcError('INVALID_REQUEST', `describe names the action ${JSON.stringify(unknown)}, which the source does not have`);
  const named = actions.map((action) => ({ action, names: [action.action, action.original ?? action.action] }));
  return filterActions(named, filters).map(({ action }) => {
    const described = Object.hasOwn(describe, action.action) && describe[action.action];
    return {
      ...action,
      ...(described && { actionDescription: described, isUndescribed: false }),
      ...(assume === 'destructive' && Object.keys(action.annotations).length === 0 && { annotations: { destructive: true } }),
    };
  });
}
