/** A draft of a key's rules: rows in the form, text in the JSON editor. Each converts to the other without loss. */
import type { Rule } from '#sdk/protocol/rules';
import { readJson } from '../../../parts/read-json';
import { problemsOf, type RuleRow, rowsOf, rulesOf } from './rule-rows';

export type RulesDraft = { as: 'form'; rows: RuleRow[] } | { as: 'json'; text: string };

export const NO_RULES: RulesDraft = { as: 'form', rows: [] };

export function draftOfRules(rules: readonly Rule[] | undefined): RulesDraft {
  const rows = rowsOf(rules ?? []);
  return rows ? { as: 'form', rows } : { as: 'json', text: JSON.stringify(rules, null, 2) };
}

export function rulesAsJson(draft: RulesDraft): RulesDraft {
  return draft.as === 'json' ? draft : { as: 'json', text: JSON.stringify(rulesOf(draft.rows), null, 2) };
}

/** Undefined if the form cannot hold the text. */
export function rulesAsForm(draft: RulesDraft): RulesDraft | undefined {
  if (draft.as === 'form') return draft;
  const read = readJson(draft.text);
  const rows = 'problem' in read ? undefined : rowsOf(read.value ?? []);
  return rows && { as: 'form', rows };
}

/** The rules to send, or the reason why they cannot be sent. The service refuses a member that is not a rule. */
export function readRules(draft: RulesDraft): { rules: Rule[] } | { problem: string } {
  if (draft.as === 'form') {
    const [problem] = problemsOf(draft.rows).values();
    return problem === undefined ? { rules: rulesOf(draft.rows) } : { problem };
  }
  const read = readJson(draft.text);
  if ('problem' in read) return read;
  const { value = [] } = read;
  return Array.isArray(value) ? { rules: value as Rule[] } : { problem: 'Rules are a list: write [ … ]' };
}

/** Validates the field of a form. Returns the reason why the draft cannot be sent. */
export function checkRules(draft: RulesDraft): string | null {
  const read = readRules(draft);
  return 'problem' in read ? read.problem : null;
}
