/** The operator's settings for actions of a source: filters, other descriptions, and default annotations. */
import { SvcError } from 'svc-sdk';
import { readsResources } from '#sdk/protocol/action-meta';
import { type FilterOptions, filterActions, fitting } from './action-filters';
import { withFittingShapes } from './fitting-shapes';
import type { NamedAction } from './pins';

export interface PresentOptions extends FilterOptions {
  /** Name of an action -> its description; replaces the source's. */
  describe?: Readonly<Record<string, string>> | undefined;
  /** `destructive`: applies to every action whose source does not state its effect. */
  assume?: 'destructive' | undefined;
  /** Names of actions that may take longer than their callers wait, up to a day; `*` matches any characters. */
  long?: readonly string[] | undefined;
}

/**
 * The action that reads the pages of MCP Apps passes every filter: its pages are part of the other actions.
 *
 * Throws INVALID_REQUEST for a filter without a match, and for a description of an unknown action.
 */
export function presentActions(
  actions: readonly NamedAction[],
  { describe = {}, assume, long = [], ...filters }: PresentOptions,
): NamedAction[] {
  const unknown = Object.keys(describe).find((name) => !actions.some(({ action }) => action === name));
  if (unknown !== undefined)
    throw new SvcError('INVALID_REQUEST', `describe names the action ${JSON.stringify(unknown)}, which the source does not have`);
  const { readers = [], others = [] } = Object.groupBy(actions, (action) => (readsResources(action) ? 'readers' : 'others'));
  const named = others.map((action) => ({ action, names: [action.action, action.original ?? action.action] }));
  const longOnes = new Set(long.flatMap((filter) => [...fitting(named, filter, 'long')]).map(({ action }) => action));
  const presented = filterActions(named, filters).map(({ action }) => {
    const described = Object.hasOwn(describe, action.action) && describe[action.action];
    return {
      ...action,
      ...(described && { actionDescription: described, isUndescribed: false }),
      ...(assume === 'destructive' && Object.keys(action.annotations).length === 0 && { annotations: { destructive: true } }),
      ...(longOnes.has(action) && { long: true }),
    };
  });
  return withFittingShapes([...presented, ...readers]);
}
