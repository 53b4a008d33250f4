import type { LintFinding } from '#sdk/protocol/lint';
import { specificWords } from './specific-words';

const HINT = 'Update the toolkit with a description before it runs: what the actions have in common. A search counts it for each of them';

export function toolkitDescription({ id, name, description }: { id: string; name: string; description: string }): LintFinding | undefined {
  const known = specificWords(`${id}\n${name}`);
  if ([...specificWords(description)].some((word) => !known.has(word))) return undefined;
  const message =
    description.trim() === '' ? `Toolkit "${id}" has no description` : `The description of toolkit "${id}" only repeats its name`;
  return { rule: 'toolkit-description', severity: 'warning', message, hint: HINT };
}
