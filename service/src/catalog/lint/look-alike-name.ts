/** Names that people and models may take for those of a toolkit that was there before. */
import type { ActionInfo } from '#sdk/protocol/http';
import { ACTION_ID_SEPARATOR, parseActionId } from '#sdk/protocol/ids';
import type { LintFinding } from '#sdk/protocol/lint';

/** The toolkits that had a name first. */
export interface NameOwners {
  /** The toolkit that this one imitates, if it does. */
  imitatedBy(toolkitId: string): string | undefined;
  /** The first toolkit with this name or a look-alike. */
  firstWith(name: string): string | undefined;
}

export function lookAlikeNames(toolkit: { id: string; name: string; actions: readonly ActionInfo[] }, owners: NameOwners): LintFinding[] {
  const imitated = owners.imitatedBy(toolkit.id);
  const ofToolkit = imitated === undefined ? [] : [toolkitFinding(toolkit, imitated)];
  return [...ofToolkit, ...toolkit.actions.flatMap(({ action }) => actionFinding(toolkit.id, action, owners))];
}

function toolkitFinding({ id, name }: { id: string; name: string }, imitated: string): LintFinding {
  return {
    rule: 'look-alike-name',
    severity: 'error',
    message: `The name "${name}" or the id "${id}" can be taken for that of toolkit "${imitated}", which had it first`,
    hint: 'Update the toolkit with a name of its own. An id cannot change: make a key for a toolkit with another id',
  };
}

/** `evil__slack__send` looks like `slack__send`. */
function actionFinding(toolkitId: string, action: string, owners: NameOwners): LintFinding[] {
  const { actionName } = parseActionId(action) ?? { actionName: action };
  const [before = '', inside] = actionName.split(ACTION_ID_SEPARATOR, 2);
  const owner = inside === undefined || before === '' ? undefined : owners.firstWith(before);
  if (owner === undefined || owner === toolkitId) return [];
  return [
    {
      rule: 'look-alike-name',
      severity: 'error',
      action,
      message: `The name "${actionName}" looks like an action of toolkit "${owner}"`,
      hint: `Leave out the part before "${ACTION_ID_SEPARATOR}": the action's id names its toolkit already`,
    },
  ];
}
