/** The languages of the SDKs, as an option of a bench. */
import { InvalidArgumentError } from 'commander';
import type { ProgramName } from '../../scripts/programs.ts';

export type Language = 'ts' | 'python' | 'rust';

interface LanguageFacts {
  title: string;
  needs: ProgramName[];
}

const FACTS: Readonly<Record<Language, LanguageFacts>> = {
  ts: { title: 'TypeScript', needs: [] },
  python: { title: 'Python', needs: ['python'] },
  rust: { title: 'Rust', needs: ['cargo'] },
};

export const LANGUAGES = Object.keys(FACTS) as Language[];

export function titleOf(language: Language): string {
  return FACTS[language].title;
}

export function programsOf(languages: readonly Language[]): ProgramName[] {
  return languages.flatMap((language) => FACTS[language].needs);
}

/** Parses `ts,python,rust`. */
export function readLanguages(list: string): readonly Language[] {
  return list.split(',').map((name) => LANGUAGES.find((language) => language === name) ?? unknownLanguage(name));
}

function unknownLanguage(name: string): never {
  throw new InvalidArgumentError(`"${name}" is not one of ${LANGUAGES.join(', ')}.`);
}
