/** The finding about a source without descriptions of its actions. Search and models have only the names of such actions. */
import type { LintFinding } from '#sdk/protocol/lint';
import type { NamedAction } from './pins';

export function undescribedActions(actions: readonly NamedAction[]): LintFinding | undefined {
  // A tool without a description has its name as one.
  const undescribed = actions.filter((action) => action.isUndescribed || action.actionDescription === action.original);
  const [first] = undescribed;
  if (first === undefined || undescribed.length <= actions.length / 2) return undefined;
  return {
    rule: 'undescribed-actions',
    severity: 'warning',
    message: `${undescribed.length} of ${actions.length} actions have no description in the source: agents hardly find them`,
    hint: `Say in the entry what those do that your agents need: describe: { ${first.action}: … }`,
  };
}
