import type { LintFinding } from '../../../protocol/lint';
import { tellingWords } from './telling-words';

const HINT =
  'Call updateToolkit({ description: "…" }) before run(), with what the actions have in common: a search counts it for each of them';

export function toolkitDescription({ id, name, description }: { id: string; name: string; description: string }): LintFinding | undefined {
  const known = tellingWords(`${id}\n${name}`);
  if ([...tellingWords(description)].some((word) => !known.has(word))) return undefined;
  const message =
    description.trim() === '' ? `Toolkit "${id}" has no description` : `The description of toolkit "${id}" only repeats its name`;
  return { rule: 'toolkit-description', severity: 'warning', message, hint: HINT };
}
