import { parseActionId } from '#sdk/protocol/ids';
import type { ActionRule } from './action-rule';
import { nameWords } from './name-words';

/** They fit any action, together too: `my_tool`, `do_action_1`. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `
  do exec execute call invoke run perform apply handle handler action tool function func fn method operation op api endpoint
  foo bar baz qux temp tmp misc stuff thing util utils helper default untitled unnamed sample example dummy demo my new the it
  `
    .trim()
    .split(/\s+/),
);
/** They are vague alone, but not beside another word: `run_tests`, `execute_command`. */
const EMPTY_ALONE: ReadonlySet<string> = new Set('go process main start task job command cmd request test tests testing'.split(' '));

export const vagueName: ActionRule = ({ action }) => {
  const { actionName } = parseActionId(action) ?? { actionName: action };
  const words = nameWords(actionName).filter((word) => word.length > 1 && !/^\d+$/.test(word));
  const [only = '', ...others] = words;
  const isEmpty = words.every((word) => EMPTY_WORDS.has(word)) || (others.length === 0 && EMPTY_ALONE.has(only));
  if (!isEmpty) return undefined;
  return {
    rule: 'vague-name',
    severity: 'warning',
    message: `The name "${actionName}" could be that of any action`,
    hint: 'Name what it does and to what, such as "find_orders" or "translate_text": a search counts the name the most',
  };
};
