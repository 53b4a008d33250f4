import type { LintFinding } from '../../../protocol/lint';
import { tellingWords } from './telling-words';

const HINT = 'Update the toolkit with a description before it runs: what the actions have in common. A search counts it for each of them';

export function toolkitDescription({ id, name, description }: { id: string; name: string; description: string }): LintFinding | undefined {
  const known = tellingWords(`${id}\n${name}`);
  if ([...tellingWords(description)].some((word) => !known.has(word))) return undefined;
  const message =
    description.trim() === '' ? `Toolkit "${id}" has no description` : `The description of toolkit "${id}" only repeats its name`;
  return { rule: 'toolkit-description', severity: 'warning', message, hint: HINT };
}
