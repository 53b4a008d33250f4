/**
 * A word that mixes scripts with look-alike letters: `Gіthub` with a Cyrillic і.
 *
 * Source: UTS 39, section 5.2: no word needs two of these scripts. Latin beside Chinese, Japanese, Korean or Thai is usual.
 */
import type { LintFinding } from '#sdk/protocol/lint';

const SCRIPTS: Readonly<Record<string, RegExp>> = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Greek: /\p{Script=Greek}/u,
  Armenian: /\p{Script=Armenian}/u,
  Cherokee: /\p{Script=Cherokee}/u,
  Coptic: /\p{Script=Coptic}/u,
  Lisu: /\p{Script=Lisu}/u,
};

export function mixedScripts({ name }: { name: string }): LintFinding | undefined {
  for (const word of name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? []) {
    const scripts = Object.entries(SCRIPTS).flatMap(([script, letter]) => (letter.test(word) ? [script] : []));
    if (scripts.length < 2) continue;
    return {
      rule: 'mixed-scripts',
      severity: 'error',
      message: `The word "${word}" in the toolkit's name mixes ${scripts.join(' and ')} letters, which look alike`,
      hint: 'Update the toolkit with a name that has this word in one script',
    };
  }
  return undefined;
}
