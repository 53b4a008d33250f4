import { parseActionId } from '#sdk/protocol/ids';
import { shorten } from '../../payload/in-words';
import type { ActionRule } from './action-rule';
import { specificWords } from './specific-words';

/** A verb and its object. */
const FEWEST_WORDS = 2;
/** A longer name describes what the action does: `list_unpaid_invoices`. */
const MOST_WORDS_OF_A_BARE_NAME = 2;

/** A longer description is accepted, and most descriptions are longer. */
const MOST_VAGUE_CHARS = 120;

const HINT =
  'Begin with a verb and its object, and say what comes back: "Finds customers by name or e-mail; gives their id, name and city". Models choose by it';

export const vagueDescription: ActionRule = ({ action, description }) => {
  if (description.length > MOST_VAGUE_CHARS) return undefined;
  const { actionName } = parseActionId(action) ?? { actionName: action };
  const words = specificWords(description);
  const named = specificWords(actionName);
  const quoted = JSON.stringify(shorten(description, 80));
  if (words.size < FEWEST_WORDS && [...words].every((word) => named.has(word) || named.size === 0)) {
    return {
      rule: 'vague-description',
      severity: 'warning',
      message: `The description ${quoted} does not say what the action does`,
      hint: HINT,
    };
  }
  if (named.size <= MOST_WORDS_OF_A_BARE_NAME && words.size <= named.size && [...words].every((word) => named.has(word))) {
    return { rule: 'vague-description', severity: 'warning', message: `The description ${quoted} only repeats the name`, hint: HINT };
  }
  return undefined;
};
