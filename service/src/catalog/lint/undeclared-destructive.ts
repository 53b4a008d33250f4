import { parseActionId } from '#sdk/protocol/ids';
import type { ActionRule } from './action-rule';
import { nameWords } from './name-words';

const DESTROYING: ReadonlySet<string> = new Set('delete del remove drop destroy purge erase wipe truncate terminate uninstall'.split(' '));
/** Before such a verb they turn it around: `list_delete_requests`, `undo_remove`, `can_drop`. */
const HARMLESS: ReadonlySet<string> = new Set(
  'get list find search read show view describe count check is can has preview estimate validate undo cancel restore prevent disable batchget'.split(
    ' ',
  ),
);

export const undeclaredDestructive: ActionRule = ({ action, annotations }) => {
  if (annotations?.destructive !== undefined || annotations?.readOnly === true) return undefined;
  const { actionName } = parseActionId(action) ?? { actionName: action };
  const verb = nameWords(actionName).find((word) => DESTROYING.has(word) || HARMLESS.has(word));
  if (verb === undefined || HARMLESS.has(verb)) return undefined;
  return {
    rule: 'undeclared-destructive',
    severity: 'warning',
    message: `The name says "${verb}", and no annotation says whether something is lost`,
    hint: 'Declare the annotation "destructive": true, so that a human is asked before it runs, or false when nothing is lost',
  };
};
